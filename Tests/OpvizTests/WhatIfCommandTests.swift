import Foundation
import Testing

@Suite("opviz whatif trace.json")
struct WhatIfCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
    }

    @Test("says first how well the replay repeats the run, then what slots and faster kinds would give")
    func overview() throws {
        let run = try CommandRun("whatif", "trace.json", in: folder)
        #expect(run.status == 0)
        #expect(run.error == "")
        #expect(run.text.hasPrefix("Replayed unchanged, the run takes "))
        #expect(run.text.contains("in every queue, more slots gain"))
        #expect(run.text.contains("\nDownloadPage "))
    }

    @Test("replays the slots and the factors that are asked for")
    func scenarios() throws {
        let run = try CommandRun(
            "whatif", "trace.json", "--slots", "1,2,unlimited", "--scale", "DownloadPage=0.5", in: folder)
        #expect(run.status == 0)
        #expect(run.text.contains("DownloadPage × 0.5"))
        #expect(run.text.contains("\nunlimited"))
    }

    @Test(
        "refuses an invalid number of slots, factor or kind",
        arguments: [
            ["--slots", "some"], ["--slots", "0"], ["--scale", "DownloadPage"],
            ["--scale", "DownloadPage=-1"],
            ["--scale", "Download=2"],
        ])
    func refused(arguments: [String]) throws {
        let run = try CommandRun("whatif", "trace.json", arguments[0], arguments[1], in: folder)
        #expect(run.status == 64)
        #expect(run.error.hasPrefix("opviz: "))
        #expect(run.text == "")
    }
}
