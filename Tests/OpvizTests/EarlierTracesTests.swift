import EventLog
import Foundation
import TestTraces
import Testing

/// The traces in `Tests/EarlierTraces`, which encoders of earlier versions wrote.
@Suite("Traces of earlier versions")
struct EarlierTracesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "EarlierTraces")

    private static func traces() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "README.md" }.sorted()
    }

    @Test("tables and summaries of earlier versions' traces are as they were, without a warning")
    func reading() throws {
        var text = ""
        for name in try Self.traces() {
            let folder = try Folder()
            try FileManager.default.copyItem(
                at: Self.folder.appending(path: name), to: folder.url.appending(path: name))
            for arguments in [[name, "-o", "graph.dot"], ["table", name, "--by", "operation"]] {
                let run = try CommandRun(arguments, in: folder)
                #expect(run.error == "", "\(name)")
                text += "$ opviz \(arguments.joined(separator: " "))\n\(run.text)\n"
            }
        }
        try Golden("earlier-traces.txt").expect(text)
    }

    @Test("every form of every earlier version has a trace, and a row that says what wrote it")
    func completeness() throws {
        let traces = try Self.traces()
        let page = try String(contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
        for name in traces { #expect(page.contains("| `\(name)` | "), "\(name)") }
        let header = LogHeader(process: "app", processID: 1, host: "box", start: 0)
        let written = CompactLogEncoder(header: header).finish()
        let versions = try traces.filter { $0.hasPrefix("compact") }.map { name in
            // After the eight bytes `OPTRACEC`.
            Int(try Data(contentsOf: Self.folder.appending(path: name))[8])
        }
        #expect(Set(versions) == Set(1...Int(written[8])))
        #expect(traces.contains { $0.hasPrefix("binary-1") } && traces.contains { $0.hasPrefix("json-1") })
    }
}
