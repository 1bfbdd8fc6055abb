import EventLog
import Foundation
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorExport
@testable import InspectorHazards
@testable import InspectorTraces

@Suite("The tables of a trace")
struct TraceTableTests {
    private let run = ExportedTrace(dated(quotes()))
    private static let stuck = ExportedTrace(
        dated(
            quotes().with("store 1") { ($0.finished, $0.outcome) = (nil, nil) }
                .with { $0.header.lastAlive = ms(600) }))

    @Test(
        "the tables are as recorded, in both forms", arguments: TraceTable.allCases, TraceTable.Form.allCases)
    func goldens(table: TraceTable, form: TraceTable.Form) throws {
        // In the others nothing went wrong.
        let run = table == .hazards ? Self.stuck : run
        let text = exported { table.write(run, as: form, $0) }
        try Golden("quotes-\(table.rawValue).\(form.rawValue)").expect(text.replacing("\r\n", with: "\n"))
        if form == .csv { #expect(text.count { $0 == "\r\n" } == text.split(separator: "\r\n").count) }
    }

    @Test("the tables say the same in both forms")
    func same() throws {
        for table in TraceTable.allCases {
            let csv = exported { table.write(run, as: .csv, $0) }.split(separator: "\r\n")
            let rows = exported { table.write(run, as: .jsonLines, $0) }.split(separator: "\n")
            #expect(csv.count == rows.count + 1)
            let columns = csv[0].split(separator: ",").map(String.init)
            for (line, row) in zip(csv.dropFirst(), rows) {
                let cells = cells(String(line))
                let object = try #require(
                    try JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any])
                #expect(Set(object.keys) == Set(columns) && cells.count == columns.count)
                for (column, cell) in zip(columns, cells) where !(object[column] is NSNull) {
                    #expect(
                        row.contains("\"\(column)\":\(cell)") || row.contains("\"\(column)\":\"\(cell)\""))
                }
            }
        }
    }

    @Test("the tables have null for an unknown program, process number, machine and last moment")
    func unknownHeader() throws {
        let unknown = ExportedTrace(
            quotes().with { $0.header = LogHeader(process: "", processID: 0, host: "", start: 0) })
        let row = exported { TraceTable.runs.write(unknown, as: .jsonLines, $0) }
        for column in ["process", "pid", "host", "last_alive_ns", "trace_start_utc_ns"] {
            #expect(row.contains("\"\(column)\":null"), "\(column)")
        }
    }

    /// Of a line of CSV, without their quotes.
    private func cells(_ line: String) -> [String] {
        var cells = [""]
        for (index, part) in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            if index % 2 == 1 {
                cells[cells.count - 1] += part
            } else {
                let pieces = part.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                cells[cells.count - 1] += pieces[0]
                cells += pieces.dropFirst()
            }
        }
        return cells
    }

    @Test("the tables have the parts of each lifetime, which sum to it")
    func lifetimes() throws {
        for row in exported({ TraceTable.operations.write(run, as: .jsonLines, $0) }).split(separator: "\n") {
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any])
            let parts = [
                "dependency_ns", "suspended_ns", "slot_ns", "dispatch_ns", "execution_ns",
                "unknown_ns",
            ].compactMap { object[$0] as? Int }
            #expect(parts.count == 6 && parts.reduce(0, +) == object["lifetime_ns"] as? Int)
        }
    }

    @Test("the tables have what was never enqueued, without times, and no formulas for spreadsheets")
    func unknown() {
        let exported = ExportedTrace(
            trace {
                op("=1+1", ready: 0).after("unseen")
                op("unseen", enqueued: nil)
            })
        let csv = TestTraces.exported { TraceTable.operations.write(exported, as: .csv, $0) }
        #expect(csv.contains(",'=1+1,") && csv.contains(",unseen,,,,,0,unobserved,,,,,,"))
        let rows = TestTraces.exported { TraceTable.operations.write(exported, as: .jsonLines, $0) }
        #expect(rows.contains(#""name":"=1+1""#))
        #expect(rows.contains(#""outcome":"unfinished""#) && rows.contains(#""outcome":"unobserved""#))
        #expect(
            TestTraces.exported { TraceTable.edges.write(exported, as: .csv, $0) }.contains("0x2,0x1"))
    }

    @Test("the tables have what queues and threads did as events")
    func events() {
        var run = quotes()
        run.marks = [TraceMark(time: 5, thread: 12, text: "half, way", operation: 0)]
        run.blockingWaits = [BlockingWait(target: .queue(0), thread: 1, start: 7, end: 9)]
        let events = exported { TraceTable.events.write(ExportedTrace(run), as: .csv, $0) }
        #expect(events.contains("run,,5,5,,mark,0x1,,12,,\"half, way\"\r\n"))
        #expect(events.contains("run,,7,7,,wait_began,,,1,0x1,\r\n"))
        #expect(events.contains("run,,9,9,,wait_ended,,,1,0x1,\r\n"))
        #expect(events.contains("run,,2000000,2000000,,suspended,,0x1,,,\r\n"))
        #expect(events.contains(",limit,,0x1,,,2\r\n"))
    }

    @Test("the tables have the run itself: its times, its counts, what was lost, and its labels")
    func runs() throws {
        var lossy = quotes()
        lossy.header.droppedEvents = 3
        lossy.losses = ["the recorder could not write 3 events"]
        lossy.header.host = "web-1"
        let labelled = ExportedTrace(
            TraceAnalysis(lossy), run: "r", labels: ["version": "1.4.2", "quoted": "a \"b\", c"])
        let text = exported { TraceTable.runs.write(labelled, as: .jsonLines, $0) }
        let row = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(row["run"] as? String == labelled.identifier && row["trace"] as? String == "r")
        #expect(row["labels"] as? [String: String] == ["version": "1.4.2", "quoted": "a \"b\", c"])
        #expect(row["is_complete"] as? Bool == false && row["dropped_events"] as? Int == 3)
        #expect(row["losses"] as? String == "the recorder could not write 3 events")
        #expect(row["makespan_ns"] as? Int64 == labelled.analysis.makespan)
        #expect(row["critical_path_ns"] as? Int64 == labelled.analysis.criticalPath.length)
        let counts = ["succeeded", "failed", "cancelled", "unfinished"].compactMap { row[$0] as? Int }
        #expect(counts.count == 4 && counts.reduce(0, +) == row["operations"] as? Int)
        let csv = exported { TraceTable.runs.write(labelled, as: .csv, hasHeadings: false, $0) }
        #expect(csv.hasPrefix(labelled.identifier + ",r,"))
        #expect(csv.contains(#","{""quoted"": ""a \""b\"", c"", ""version"": ""1.4.2""}",false,"#))
    }

    @Test("the tables count a run as complete only if nothing was lost, whichever program wrote its trace")
    func completeness() {
        func isComplete(_ change: (inout Trace) -> Void) -> Bool {
            var run = quotes()
            (run.header.isClosed, run.header.host) = (true, "web-1")
            change(&run)
            return ExportedTrace(run).isComplete
        }
        #expect(isComplete { _ in })
        #expect(!isComplete { $0.header.isClosed = false })
        #expect(!isComplete { $0.header.droppedEvents = 1 })
        #expect(!isComplete { $0.losses = ["the file is cut off"] })
        #expect(
            isComplete {
                $0.header.host = ""
                $0.notes = ["not used: 2 counters (C)"]
            })
        #expect(
            !isComplete {
                $0.header.host = ""
                $0.losses = ["left out: 2,000 events without a time"]
            })
    }

    @Test("the tables have what executed beside the work, which counts nothing twice")
    func work() throws {
        let row = try runs(
            trace {
                op("parent", ready: 0, start: 0, finish: 100)
                op("child", enqueued: 10, ready: 20, start: 20, finish: 90).inside("parent")
            })
        #expect(row["work_ns"] as? Int == 90 && row["execution_ns"] as? Int == 170)
    }

    @Test("the tables have OpenTelemetry's trace, which is the run's unless another process began it")
    func traceIdentifiers() throws {
        var run = dated(quotes())
        func row() throws -> (run: String, trace: String) {
            let row = try runs(run)
            return (row["run"] as? String ?? "", row["trace_id"] as? String ?? "")
        }
        let alone = try row()
        #expect(alone.run == alone.trace && alone.run.count == 32)
        let cause = try #require(
            TraceContext(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
        run.receivedContexts = [ReceivedContext(time: 0, process: 0, operation: nil, context: cause)]
        let started = try row()
        #expect(started.run == alone.run && started.trace == "4bf92f3577b34da6a3ce929d0e0e4736")
        let spans = exported(OTLPExport(ExportedTrace(run)).write)
        #expect(spans.contains(#""traceId":"4bf92f3577b34da6a3ce929d0e0e4736""#))
        #expect(spans.contains(#"{"key":"opviz.run","value":{"stringValue":"\#(alone.run)"}}"#))
        // Without a machine, other traces may have the same process, number and start.
        run.receivedContexts = []
        run.header.host = ""
        let unnamed = try row()
        #expect(unnamed.run == unnamed.trace && unnamed.run != alone.run)
    }

    private func runs(_ trace: Trace) throws -> [String: Any] {
        let text = exported { TraceTable.runs.write(ExportedTrace(trace), as: .jsonLines, $0) }
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("the tables tell runs apart by machine, program, number and start, or by name and content")
    func identifiers() {
        var run = quotes()
        run.header.host = "web-1"
        func identifier(_ name: String) -> String { ExportedTrace(TraceAnalysis(run), run: name).identifier }
        let first = identifier("a")
        #expect(first.count == 32 && first == identifier("b"))
        let inOTLP = exported { OTLPExport(ExportedTrace(run)).write($0) }
        #expect(inOTLP.contains(first))
        run.header.start += 1
        #expect(identifier("a") != first)
        run.header.host = ""
        #expect(identifier("a") != identifier("b") && identifier("a") == identifier("a"))
        func unnamed(_ run: Trace) -> String {
            var run = run
            run.header.host = ""
            return ExportedTrace(TraceAnalysis(run), run: "trace").identifier
        }
        let one = unnamed(trace { op("a", ready: 0, start: 10, finish: 20) })
        #expect(one == unnamed(trace { op("a", ready: 0, start: 10, finish: 20) }))
        #expect(one != unnamed(trace { op("a", ready: 0, start: 10, finish: 21) }))
    }

    @Test("the tables have each hazard with rule, count, cost and sentence, and what cannot be decided")
    func hazards() throws {
        var stuck = trace(lastAlive: 5_000_000_000) {
            op("a", ready: 0, start: 10)
            op("b", ready: 0, start: 10)
        }
        stuck.header.isClosed = true
        let text = exported { TraceTable.hazards.write(ExportedTrace(stuck), as: .jsonLines, $0) }
        let rows = try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let first = try #require(rows.first)
        #expect(first["rule"] as? String == "never-finished" && first["severity"] as? String == "error")
        #expect(first["count"] as? Int == 2 && first["operation"] as? String == "0x1")
        #expect((first["summary"] as? String)?.contains("a ") == true && first["change"] is String)
        let report = HazardReport(stuck)
        #expect(rows.count == report.groups.count + report.undecided.count)
        for row in rows where row["severity"] as? String == "undecided" {
            #expect(row["count"] as? Int == 0 && row["summary"] is String && row["time_ns"] is NSNull)
        }
    }
}
