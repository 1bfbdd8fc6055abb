import EventLog
import Foundation
import Inspector
import TestTraces
import Testing

@Suite("opviz whatif trace.json")
struct WhatIfCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
    }

    @Test("opviz whatif says first how well the replay repeats the run, then what changes would give")
    func overview() throws {
        let run = try CommandRun("whatif", "trace.json", in: folder)
        #expect(run.status == 0)
        #expect(run.error == "")
        #expect(run.text.hasPrefix("Predictions are relative to "))
        #expect(run.text.contains("in every queue, more slots gain"))
        #expect(run.text.contains("\nDownloadPage "))
    }

    @Test("opviz whatif replays the slots and the factors that are asked for")
    func scenarios() throws {
        let run = try CommandRun(
            "whatif", "trace.json", "--slots", "1,2,unlimited", "--scale", "DownloadPage=0.5", in: folder)
        #expect(run.status == 0)
        #expect(run.text.contains("DownloadPage × 0.5"))
        #expect(run.text.contains("\nunlimited"))
    }

    @Test("opviz whatif lets tasks await at once what a function awaited, and suggests functions for others")
    func parallel() throws {
        try folder.write(AwaitsInTurn.contents, to: "tasks.json")
        let run = try CommandRun("whatif", "tasks.json", "--parallel", "page()", in: folder)
        #expect(run.status == 0 && run.text.contains("-1.00 µs  -38.5 %"), "\(run.text)")
        let other = try CommandRun("whatif", "tasks.json", "--parallel", "pgae()", in: folder)
        #expect(other.status == 64)
        #expect(
            other.error
                == "opviz: tasks.json: no task awaited anything in 'pgae()'; did you mean 'page()'?\n")
    }

    @Test(
        "opviz whatif refuses an invalid number of slots, CPUs or threads, factor, queue or kind",
        arguments: [
            ["--slots", "some"], ["--slots", "0"], ["--slots", "main=0"], ["--slots", "unseen=2"],
            ["--cpus", "0"], ["--pool", "1,2"], ["--scale", "DownloadPage"],
            ["--scale", "DownloadPage=-1"],
            ["--scale", "Download=2"],
        ])
    func refused(arguments: [String]) throws {
        let run = try CommandRun("whatif", "trace.json", arguments[0], arguments[1], in: folder)
        #expect(run.status == 64)
        #expect(run.error.hasPrefix("opviz: "))
        #expect(run.text == "")
    }

    @Test(
        "opviz whatif takes slots of single queues, and asks about a name that is nearly one",
        arguments: [true, false])
    func queueSlots(isKnown: Bool) throws {
        let name = try #require(
            TraceReader(path: folder.path("trace.json")).read().queues.map(\.displayName).first)
        let run = try CommandRun(
            "whatif", "trace.json", "--slots", (isKnown ? name : name + "x") + "=4", "--slots", "1,2",
            in: folder)
        #expect(run.status == (isKnown ? 0 : 64))
        if isKnown {
            #expect(run.text.contains("\(name): 4 slots"))
        } else {
            #expect(run.error.contains("no queue named '\(name)x'; did you mean '\(name)'?"))
        }
    }

    @Test(
        "opviz whatif refuses CPUs of a trace that does not say when threads were on them",
        arguments: ["cpus", "pool"])
    func noProcessors(option: String) throws {
        let run = try CommandRun("whatif", "trace.json", "--\(option)", "2", in: folder)
        #expect(run.status == 64)
        #expect(
            run.error
                == "opviz: trace.json: does not say when threads were on CPUs, which --\(option) needs; "
                + "record the program with opviz record\n")
    }
}
