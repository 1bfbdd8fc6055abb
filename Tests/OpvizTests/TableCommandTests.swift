import Foundation
import Testing

@Suite("opviz table trace.json")
struct TableCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
    }

    @Test("prints timings by kind, and leaves nothing behind")
    func byKind() throws {
        let run = try CommandRun("table", "trace.json", in: folder)
        #expect(run.status == 0)
        #expect(run.error == "")
        #expect(run.text.hasPrefix("Execution time by kind\n"))
        for kind in ["ImportPage", "DownloadPage", "ParsePage", "StorePage", "CompletePage", "ReportImport"] {
            #expect(run.text.contains("\n\(kind) "))
        }
        #expect(try folder.names == ["trace.json"])
    }

    @Test("prints a row for each operation")
    func byOperation() throws {
        let run = try CommandRun("table", "--by", "operation", "trace.json", in: folder)
        #expect(run.status == 0)
        #expect(run.text.split(separator: "\n").filter { $0.contains("StorePage") }.count >= 20)
    }

    @Test("writes Markdown into a file")
    func markdown() throws {
        let run = try CommandRun("table", "trace.json", "--format", "markdown", "-o", "t.md", in: folder)
        #expect(run.status == 0)
        #expect(run.text == "")
        #expect(try String(decoding: folder.read("t.md"), as: UTF8.self).contains("| StorePage"))
    }
}
