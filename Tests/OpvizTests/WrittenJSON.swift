import EventLog
import Foundation
import Inspector
import InspectorAnalysis
import InspectorReports
import InspectorTraces
import TestTraces

/// A document that a command writes of a trace, written without starting the command.
struct WrittenJSON {
    let name: String
    let bytes: [UInt8]

    private init(_ name: String, _ bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }

    /// What each command that takes one trace writes of it.
    ///
    /// - Parameter mostExplained: of how many operations there are explanations.
    static func all(of trace: Trace, mostExplained: Int = 3) throws -> [WrittenJSON] {
        let analysis = TraceAnalysis(trace)
        let whole = analysis.withTasks
        let report = HazardReport(whole.trace)
        var documents = [
            WrittenJSON("why", Array(WhyReport(analysis).json(path: "a trace.json").utf8)),
            WrittenJSON("lint", Array(HazardJSON(report).text.utf8)),
            WrittenJSON("lint-error", Array(HazardJSON(report.only(atLeast: .error)).text.utf8)),
            WrittenJSON("critical-path", CriticalPathReport(whole).json),
            WrittenJSON("baseline", Baseline(runs: [RunTimings(analysis)], label: "v1").bytes),
            WrittenJSON("history", HistoryEntry(run: RunTimings(analysis), label: "v1").line),
            WrittenJSON("diff", ComparisonJSON(TraceComparison(before: analysis, after: analysis)).bytes),
        ]
        // Many replays, which take seconds of a large trace without optimization.
        if whole.trace.operations.count <= 60 {
            documents.append(WrittenJSON("whatif", WhatIfReport(analysis).json))
        }
        for collapse in GraphOptions.Collapse.allCases {
            var options = GraphOptions()
            options.collapse = collapse
            let graph = try DrawnGraph(whole, options)
            documents.append(WrittenJSON("graph-\(collapse)", GraphJSON(graph).bytes))
        }
        let rows: [TimingTable.Rows] =
            OperationGrouping.allCases.map { .groups($0) }
            + [.operations, .tasks, .taskGroups(.kind), .taskGroups(.executor)]
        for (index, rows) in rows.enumerated() {
            documents.append(
                WrittenJSON("table-\(index)", TimingTable(analysis.timings, by: rows).json()))
        }
        for index in whole.trace.operations.indices.prefix(mostExplained) {
            documents.append(WrittenJSON("explain-\(index)", Explanation(of: index, in: whole).json))
        }
        return documents
    }
}

/// The traces that goldens are made of, and others.
enum SchemaTraces {
    /// In the folder of traces.
    private static let baselines = ["old.json", "new.json"]

    /// By name.
    static func all() throws -> [String: Trace] {
        var traces = [
            "quotes": quotes(), "mixed": MixedTrace.untouched, "switched": switched(),
            "awaits": AwaitsInTurn.trace, "senseless": senseless(), "empty": trace {},
        ]
        // Tasks that fail, and that have not finished.
        for count in [MixedTrace.events.count, MixedTrace.events.count / 2] {
            let events = MixedTrace.events.prefix(count).map { event in
                var event = event
                if case .finished(let task, _) = event.body, task.isTask {
                    event.body = .finished(task, .failed(message: "Refused"))
                }
                return event
            }
            let contents = EventLogContents(header: MixedTrace.header, events: events)
            traces["mixed-\(count)"] = Trace(contents)
        }
        // More kinds than whatif replays.
        traces["some kinds"] = trace(limit: 1) {
            for index in 0..<12 {
                let start = ms(Int64(index))
                op("\(index)", kind: "Kind\(index)", enqueued: start, start: start, finish: start + ms(1))
            }
        }
        // More kinds than a graph has nodes.
        traces["kinds"] = trace(limit: 1) {
            for index in 0..<650 {
                op("\(index)", kind: "Kind\(index)", start: ms(Int64(index)), finish: ms(Int64(index) + 1))
            }
        }
        var header = MixedTrace.header
        header.processID += 1
        let processes = [MixedTrace.header, header].map { header in
            (
                path: "\(header.processID).optrace",
                contents: EventLogContents(header: header, events: MixedTrace.events)
            )
        }
        traces["mixed-processes"] = Trace(try TraceMerge(processes).contents)
        let (client, server) = clientAndServer()
        traces["merged"] = Trace(try merged(client, server).contents)
        for seed in 0..<20 {
            var generator = SplitMix64(seed: UInt64(seed))
            traces["random-\(seed)"] = Trace(randomLog("app", pid: 100, &generator).contents)
        }
        for (folder, suffix) in [
            ("Documentation/traces", "json"), ("Documentation/traces/logs", "optrace"),
            ("Documentation/sample", "json"), ("Tests/OpvizTests/Traces", "json"),
            ("Tests/OpvizTests/Traces/faults", "optrace"),
        ] {
            let folder = Repository.url.appending(path: folder)
            for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
            where file.hasSuffix("." + suffix) && !baselines.contains(file) {
                traces[file] = try TraceReader(path: folder.appending(path: file).path).read()
            }
        }
        return traces
    }
}

/// The folder of the package.
enum Repository {
    static let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
}
