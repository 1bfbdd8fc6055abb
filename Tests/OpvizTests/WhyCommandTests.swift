import EventLog
import Foundation
import Inspector
import Testing

@Suite("opviz why")
struct WhyCommandTests {
    /// Programs with a planted fault, and what its first cause must name.
    static let faults = [
        ("circle", "resize 1 → upload 1 → decode 1"), ("semaphore", "query 1"), ("never-added", "login"),
        ("forgotten-finish", "upload 12"), ("suspended", "queue uploads"), ("polling", "poll 1"),
        ("follow-up", "flush 1"), ("long-before-short", "queue media"), ("priority", "backup 1"),
        ("sleeping", "blocked"), ("own-threads", "blocked"),
    ]

    private static func folder(with name: String) throws -> Folder {
        let traces = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Traces/faults")
        let folder = try Folder()
        try FileManager.default.copyItem(
            at: traces.appending(path: "\(name).optrace"), to: folder.url.appending(path: "trace.optrace"))
        return folder
    }

    @Test(
        "opviz why names a planted fault first, and every command that it prints shows more",
        arguments: faults)
    func fault(name: String, culprit: String) throws {
        let folder = try Self.folder(with: name)
        let run = try CommandRun("why", "trace.optrace", in: folder)
        #expect(run.status == 0)
        let words = run.text.split { $0.isWhitespace }.joined(separator: " ")
        let first = try #require(words.split(separator: " 2. ").first)
        #expect(first.contains("1. ") && first.contains(culprit), "\(run.text)")
        let commands = run.text.matches(of: /→ opviz ([^\n]*)/).flatMap {
            $0.1.split(separator: "   opviz ").map { $0.split(separator: " ").map(String.init) }
        }
        #expect(!commands.isEmpty)
        for command in commands {
            let more = try CommandRun(command, in: folder)
            #expect(more.status == 0 && more.text.count > 40, "\(command): \(more.error)")
        }
        let evidence = try CommandRun(#require(commands.first), in: folder).text
        #expect(evidence.split { $0.isWhitespace }.joined(separator: " ").contains(culprit), "\(evidence)")
    }

    @Test(
        "opviz why prints at most a dozen lines, none longer than the terminal but for a command",
        arguments: faults.map(\.0))
    func length(name: String) throws {
        let folder = try Self.folder(with: name)
        for width in [60, 80, 140] {
            let trace = try TraceReader(path: folder.path("trace.optrace")).read()
            let text = WhyReport(TraceAnalysis(trace)).text(path: "trace.optrace", width: width)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            #expect(lines.count <= 12 && text.utf8.count < 6_000, "\(text)")
            for line in lines where !line.contains("→ opviz") {
                #expect(TextWidth.columns(of: String(line)) <= width, "\(line)")
            }
        }
    }

    @Test("opviz why accuses nobody in a healthy run, and says what bounds it")
    func healthy() throws {
        let run = try CommandRun("why", "trace.optrace", in: Self.folder(with: "healthy"))
        #expect(run.text.contains("Nothing was found wrong; more slots would not make it noticeably shorter"))
        #expect(!run.text.contains("warning:") && !run.text.contains("error:"))
    }

    @Test("the JSON of opviz why has the same causes, with whole nanoseconds and commands")
    func json() throws {
        struct Output: Decodable {
            struct Cause: Decodable {
                let summary: String
                let severity, rule, handle, operation: String?
                let costNs: Int64?
                let commands: [String]
            }
            let format: String
            let version: Int
            let makespanNs: Int64
            let causes: [Cause]
        }
        let run = try CommandRun(
            "why", "-f", "json", "trace.optrace", in: Self.folder(with: "forgotten-finish"))
        let output = try JSONDecoder().decode(Output.self, from: Data(run.text.utf8))
        #expect(output.format == "opviz-why" && output.version == 1 && output.makespanNs > 1_900_000_000)
        let cause = try #require(output.causes.first)
        #expect(cause.rule == "never-finished" && cause.severity == "error")
        #expect(cause.summary.hasPrefix("upload 12 is still executing"))
        #expect(cause.handle == "finding:1")
        #expect(cause.commands.first == "opviz lint trace.optrace finding:1")
        #expect(cause.commands.last == "opviz explain trace.optrace \(cause.operation ?? "")")
    }

    @Test("opviz why says of a trace without operations that there are none")
    func empty() throws {
        let folder = try Folder()
        let header = LogHeader(process: "app", processID: 1, host: "host", start: 0, isClosed: true)
        try folder.write(EventLogContents(header: header, events: []), to: "trace.json")
        let run = try CommandRun("why", "trace.json", in: folder)
        #expect(run.text == "app (pid 1): 0 ns, 0 operations\nNothing was found wrong.\n", "\(run.text)")
    }
}
