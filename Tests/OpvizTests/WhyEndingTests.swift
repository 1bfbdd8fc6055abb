import EventLog
import Foundation
import Inspector
import TestTraces
import Testing

/// What a summary says at its end, as `opviz why` says it first.
@Suite("The end of a summary")
struct WhyEndingTests {
    /// A folder with the trace of a planted fault.
    private static func folder(with name: String, as file: String) throws -> Folder {
        let traces = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Traces/faults")
        let folder = try Folder()
        try FileManager.default.copyItem(
            at: traces.appending(path: "\(name).optrace"), to: folder.url.appending(path: file))
        return folder
    }

    /// The lines from `why` on, without the label and the indent.
    private static func ending(_ text: String) -> [String] {
        let lines = text.split(separator: "\n").map(String.init)
        guard let start = lines.firstIndex(where: { $0.hasPrefix("why ") }) else { return [] }
        let end = lines[start...].dropFirst().firstIndex { !$0.hasPrefix(" ") } ?? lines.endIndex
        return lines[start..<end].map { $0.dropFirst(16).trimmingCharacters(in: .whitespaces) }
    }

    private static func commands(_ lines: [String]) -> [String] {
        lines.flatMap { $0.matches(of: /opviz (.*?)(?=   opviz |$)/).map { String($0.1) } }
    }

    @Test(
        "the end of a summary has why's first cause and commands, with the quoted trace, and they run",
        arguments: WhyCommandTests.faults.map(\.0))
    func commands(name: String) throws {
        let folder = try Self.folder(with: name, as: "a trace.optrace")
        let summary = try CommandRun("a trace.optrace", "-o", "graph.dot", in: folder)
        let lines = Self.ending(summary.text)
        let why = try CommandRun("why", "a trace.optrace", in: folder)
        let first = try #require(Self.commands(lines).first)
        #expect(
            first == Self.commands([why.text.firstMatch(of: /→ (opviz .*)/).map { "\($0.1)" } ?? ""]).first)
        for command in Self.commands(lines) {
            #expect(command.contains("'a trace.optrace'"), "\(command)")
            let words = command.replacing("'a trace.optrace'", with: "*").split(separator: " ")
            let run = try CommandRun(words.map { $0 == "*" ? "a trace.optrace" : "\($0)" }, in: folder)
            #expect(run.status == 0 && run.text.count > 40, "\(command): \(run.error)")
        }
    }

    @Test("the end of a summary says a new cause whole, and that why knows more")
    func cause() throws {
        let folder = try Self.folder(with: "priority", as: "trace.optrace")
        let analysis = TraceAnalysis(try TraceReader(path: folder.path("trace.optrace")).read())
        let lines = Self.ending(RunSummary(analysis).text(width: 80, path: "trace.optrace"))
        let causes = WhyReport(analysis).causes
        #expect(causes.count > 1 && causes[0].severity == .warning)
        let sentence = lines.prefix { !$0.hasPrefix("→") }
        #expect(sentence.joined(separator: " ") == "warning (95 % of the run): \(causes[0].sentence)")
        #expect(
            lines.dropFirst(sentence.count).first?.hasPrefix("→ opviz lint trace.optrace finding:") == true)
        #expect(lines.last == "more: opviz why trace.optrace")
        // Without a trace in a file, no command.
        #expect(Self.ending(RunSummary(analysis).text(width: 80)) == Array(sentence))
    }

    @Test("the end of a summary is one sentence and a command for a healthy run")
    func healthy() throws {
        let folder = try Self.folder(with: "healthy", as: "trace.optrace")
        let lines = Self.ending(try CommandRun("trace.optrace", "-o", "graph.dot", in: folder).text)
        #expect(lines.count == 2 && lines[0] == "nothing was found wrong", "\(lines)")
        #expect(lines[1] == "→ opviz critical-path trace.optrace   opviz whatif trace.optrace")
    }

    @Test("the end of a summary is left out of a trace without operations")
    func empty() {
        #expect(Self.ending(RunSummary(TraceAnalysis(trace {})).text(width: 80, path: "t.json")).isEmpty)
    }

    @Test("the end of a summary is only a command if the first line says what never finished")
    func unfinished() {
        let hung = trace(lastAlive: 5_000_000_000) {
            op("store").after("page")
            op("page", ready: 0, start: 0)
        }
        let text = RunSummary(TraceAnalysis(hung)).text(width: 140, path: "trace.json")
        #expect(text.components(separatedBy: "page is still executing").count == 2, "\(text)")
        #expect(Self.ending(text) == ["→ opviz lint trace.json finding:1   opviz explain trace.json 0x2"])
        #expect(Self.ending(RunSummary(TraceAnalysis(hung)).text()).isEmpty)
    }

    @Test("the end of a summary is about all processes of a merged trace")
    func merged() throws {
        let logs = [Int32(1), 2].map { pid in
            var log = MadeUpLog("app", pid: pid, host: "box")
            log.run(1, "work \(pid)", from: 0, to: 10)
            return (path: "\(pid)", contents: log.contents)
        }
        let trace = Trace(try TraceMerge(logs).contents)
        let lines = Self.ending(RunSummary(TraceAnalysis(trace)).text(width: 80, path: "both.json"))
        #expect(lines[0] == "nothing was found wrong", "\(lines)")
        #expect(lines[1] == "→ opviz critical-path both.json   opviz whatif both.json")
    }

    @Test("the end of a summary does not repeat a task that never ended, nor says that nothing was wrong")
    func tasks() {
        let header = LogHeader(
            process: "x", processID: 1, host: "h", start: 5, isClosed: false, lastAlive: 5_000_000_000)
        let (group, child) = (OperationID(1 << 40 + 1), OperationID(1 << 40 + 2))
        func created(_ task: OperationID, in parent: OperationID?) -> LogEvent.Body {
            .taskCreated(
                .init(
                    task: task, kind: parent == nil ? "all()" : "load()",
                    creation: parent == nil ? .unstructured : .groupChild, parent: parent, priority: 21,
                    isQueued: true))
        }
        func text(_ events: [LogEvent.Body]) -> String {
            let events = events.map { LogEvent(time: 0, thread: 1, $0) }
            let trace = Trace(EventLogContents(header: header, events: events))
            return RunSummary(TraceAnalysis(trace)).text(width: 140, path: "trace.json")
        }
        let awaited = text([
            created(group, in: nil), .runBegan(group, executor: nil, name: nil),
            created(child, in: group), .runEnded(group, .init(awaits: .group)),
            .runBegan(child, executor: nil, name: nil),
            .runEnded(child, .init(awaits: .continuation, place: "fetch(_:)")),
        ])
        #expect(awaited.components(separatedBy: "has awaited its continuation").count == 2, "\(awaited)")
        let command = "→ opviz lint trace.json finding:1   opviz explain trace.json \(child)"
        #expect(Self.ending(awaited) == [command], "\(awaited)")
        // Too little for a finding, because nothing waits for it.
        let alone = text([
            created(group, in: nil), .runBegan(group, executor: nil, name: nil),
            .runEnded(group, .init(awaits: .continuation, place: "fetch(_:)")),
        ])
        #expect(alone.hasPrefix("never finished  all() ") && Self.ending(alone).isEmpty, "\(alone)")
    }

    @Test(
        "the end of a summary is within the columns of the terminal, except for commands",
        arguments: [60, 80, 140])
    func width(columns: Int) throws {
        for (name, _) in WhyCommandTests.faults {
            let folder = try Self.folder(with: name, as: "trace.optrace")
            let trace = try TraceReader(path: folder.path("trace.optrace")).read()
            let text = RunSummary(TraceAnalysis(trace)).text(width: columns, path: "trace.optrace")
            for line in text.split(separator: "\n") where !line.contains("opviz ") {
                #expect(TextWidth.columns(of: line) <= columns, "\(line)")
            }
        }
    }
}
