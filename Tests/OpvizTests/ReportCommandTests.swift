import Foundation
import Testing

@Suite("opviz report")
struct ReportCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
    }

    @Test("opviz report is written as HTML only, so that no other file is taken for it")
    func otherEnding() throws {
        try "{}".write(toFile: folder.path("other.json"), atomically: true, encoding: .utf8)
        let run = try CommandRun("report", "trace.json", "-o", "other.json", in: folder)
        #expect(run.status == 64)
        #expect(run.error.contains("other.json: unknown format; end the name with .html"))
        #expect(try String(contentsOfFile: folder.path("other.json"), encoding: .utf8) == "{}")
    }

    @Test("opviz report writes the page beside the trace, and prints its name")
    func besideTheTrace() throws {
        let run = try CommandRun("report", "trace.json", in: folder)
        #expect(run.status == 0 && run.error == "")
        #expect(run.text == "trace.html\n")
        #expect(try folder.names == ["trace.html", "trace.json"])
    }

    @Test("opviz report writes it to the given file, with the same bytes each time")
    func sameBytes() throws {
        #expect(try CommandRun("report", "trace.json", "-o", "one.html", in: folder).status == 0)
        let second = try CommandRun("report", "trace.json", "-o", "-", in: folder)
        #expect(try second.output == folder.read("one.html"))
        #expect(second.text.hasPrefix("<!DOCTYPE html>"))
    }

    @Test("opviz report does not overwrite the trace, and reports a missing one")
    func refusals() throws {
        #expect(try CommandRun("report", "trace.json", "-o", "trace.json", in: folder).status == 64)
        #expect(try CommandRun("report", "nothing.json", in: folder).status == 66)
    }
}
