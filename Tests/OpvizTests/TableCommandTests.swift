import Foundation
import Testing

@Suite("opviz table trace.json")
struct TableCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
    }

    @Test("opviz table prints timings by kind, and leaves nothing behind")
    func byKind() throws {
        let run = try CommandRun("table", "trace.json", in: folder)
        #expect(run.status == 0)
        #expect(run.error == "")
        #expect(run.text.hasPrefix("Executions by kind, and how many operations were executing on average\n"))
        for kind in ["ImportPage", "DownloadPage", "ParsePage", "StorePage", "CompletePage", "ReportImport"] {
            #expect(run.text.contains("\n\(kind) "))
        }
        #expect(try folder.names == ["trace.json"])
    }

    @Test("opviz table prints a row for each operation")
    func byOperation() throws {
        let run = try CommandRun("table", "--by", "operation", "--all", "trace.json", in: folder)
        #expect(run.status == 0)
        #expect(run.text.split(separator: "\n").filter { $0.contains("StorePage") }.count >= 20)
    }

    @Test("opviz table writes Markdown into a file")
    func markdown() throws {
        let run = try CommandRun("table", "trace.json", "--format", "markdown", "-o", "t.md", in: folder)
        #expect(run.status == 0)
        #expect(run.text == "")
        #expect(try String(decoding: folder.read("t.md"), as: UTF8.self).contains("| StorePage"))
    }

    @Test(
        "opviz table sorts and shortens, by queue and by thread",
        arguments: ["kind", "queue", "thread", "operation"])
    func sorted(by rows: String) throws {
        let run = try CommandRun(
            "table", "trace.json", "--by", rows, "--sort", "lifetime", "--top", "1", in: folder)
        #expect(run.status == 0 && run.error == "")
        #expect(run.text.contains(" more \(rows)"))
    }

    @Test("opviz table writes JSON and CSV that other programs read", arguments: ["kind", "operation"])
    func data(by rows: String) throws {
        let json = try CommandRun("table", "trace.json", "--by", rows, "--format", "json", in: folder)
        let object = try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [String: Any]
        let count = try #require((object?["rows"] as? [Any])?.count)
        #expect(count > 0 && object?["total"] as? Int == count)
        let csv = try CommandRun("table", "trace.json", "--by", rows, "-f", "csv", in: folder)
        #expect(csv.text.components(separatedBy: "\r\n").count == count + 2)
    }

    @Test("opviz table exits with 64 for nonsensical options")
    func usage() throws {
        for arguments in [["--sort", "start"], ["--by", "operation", "--sort", "p95"], ["--top", "0"]] {
            let run = try CommandRun(["table", "trace.json"] + arguments, in: folder)
            #expect(run.status == 64, "\(arguments)")
        }
    }
}
