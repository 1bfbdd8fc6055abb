import EventLog
import Foundation
import TestTraces
import Testing

@testable import InspectorExport
@testable import InspectorTraces

@Suite("The tasks of a trace in exports")
struct TaskExportTests {
    private let run = ExportedTrace(dated(MixedTrace.untouched))

    private func events() throws -> [[String: Any]] {
        let text = exported(ChromeExport(run).write)
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return try #require(object?["traceEvents"] as? [[String: Any]])
    }

    @Test("exported runs have tracks by executor, arrows from what created and woke tasks, and counters")
    func chrome() throws {
        try Golden("mixed.chrome.json").expect(exported(ChromeExport(run).write))
        let events = try events()
        let runs = events.filter { $0["cat"] as? String == "run" }
        // `load` has three runs; `other` goes on on an actor.
        #expect(runs.count == 5)
        func number(_ event: [String: Any], _ key: String) -> Double {
            (event[key] as? NSNumber)?.doubleValue ?? .nan
        }
        func slice(around end: [String: Any]) -> [String: Any]? {
            events.first { event in
                event["ph"] as? String == "X" && number(event, "pid") == number(end, "pid")
                    && number(event, "tid") == number(end, "tid")
                    && number(event, "ts") <= number(end, "ts")
                    && number(end, "ts") < number(event, "ts") + number(event, "dur")
            }
        }
        let arrows = events.filter { ["wake", "creation"].contains($0["cat"] as? String) }
        #expect(arrows.count == 4)
        for arrow in arrows { #expect(slice(around: arrow) != nil) }
        let wake = arrows.filter { $0["cat"] as? String == "wake" }
        #expect(wake.compactMap { slice(around: $0)?["name"] as? String } == ["Fetch", "load()"])
    }

    @Test("counters of executors begin and end at 0")
    func counters() throws {
        var last: [Double: [String: Int]] = [:]
        for event in try events() where event["name"] as? String == "tasks" {
            let values = try #require(event["args"] as? [String: Int])
            #expect(values.values.allSatisfy { (0...2).contains($0) })
            last[(event["pid"] as? NSNumber)?.doubleValue ?? 0] = values
        }
        #expect(last.count == 2 && last.values.allSatisfy { $0 == ["running": 0, "waiting": 0] })
    }

    @Test("a task is a span of OpenTelemetry, with links to what resumed it")
    func otlp() throws {
        let text = exported(OTLPExport(run).write)
        try Golden("mixed.otlp.json").expect(text)
        // Links of a task are not dependencies, and operations get numbers of their own.
        let trace = try imported(text)
        #expect(trace.operations.map(\.kind) == ["Request", "load()", "Fetch", "other()"])
        #expect(trace.operations.allSatisfy { !$0.id.isTask } && trace.edges.isEmpty)
        #expect(trace.operations[1].parent == 0 && trace.operations[2].parent == 1)
    }

    @Test("a Chrome trace that was read back says that its tasks are not in it")
    func readBack() throws {
        let trace = try imported(exported(ChromeExport(run).write))
        #expect(trace.operations.map(\.kind) == ["Request", "Fetch"])
        #expect(trace.notes.contains { $0.contains("tasks, marks and causes in other processes") })
    }

    @Test("runs are profiles by executor in speedscope")
    func speedscope() throws {
        try Golden("mixed.speedscope.json").expect(exported(SpeedscopeExport(run).write))
    }

    @Test("tasks and their runs are exported as tables", arguments: [TraceTable.tasks, .taskRuns])
    func tables(table: TraceTable) throws {
        for form in TraceTable.Form.allCases {
            let text = exported { table.write(run, as: form, $0) }
            try Golden("mixed-\(table.rawValue).\(form.rawValue)").expect(text.replacing("\r\n", with: "\n"))
        }
    }

    @Test("critical operations and tasks are those on the critical path of both")
    func critical() {
        #expect(run.whole.criticalPath.operations.contains { run.whole.trace.task($0) != nil })
        let row = exported { TraceTable.runs.write(run, as: .jsonLines, $0) }
        #expect(row.contains(#""critical_path_ns":\#(run.whole.criticalPath.length),"#))
        #expect(row.contains(#""tasks":2}"#))
    }
}
