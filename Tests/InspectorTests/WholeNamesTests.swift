import EventLog
import InspectorHazards
import InspectorTraces
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorComparison
@testable import InspectorExport
@testable import InspectorRegression
@testable import InspectorReports

/// A program that reads an output looks names up in others, and in the trace.
@Suite("Names in outputs for programs")
struct WholeNamesTests {
    private static let long = String(repeating: "long\u{7}", count: 60)
    /// The members that hold a name and nothing else.
    private static let members: Set<String> = [
        "name", "kind", "queue", "process", "host", "label", "parent", "group", "message",
    ]

    /// A failure and an operation that never finished, with long names everywhere.
    private static var analysis: TraceAnalysis {
        var run = trace(limit: 1, lastAlive: ms(9_000)) {
            op("first", kind: long + "kind", ready: 0, start: 0, finish: ms(900))
            op(
                "second", kind: long + "kind", ready: ms(900), start: ms(900), finish: ms(950),
                outcome: .failed(message: long + "failure")
            ).after("first")
            op("third", kind: long + "other", ready: ms(950), start: ms(950)).after("second")
            op("fourth", kind: long + "other").after("third")
        }
        run.changeOperations { drafts in
            for index in drafts.indices { drafts[index].name = long + "\(index)" }
        }
        run.queues[0].name = long + "queue"
        run.header.process = long + "process"
        run.header.host = long + "host"
        return TraceAnalysis(run)
    }

    private static func outputs(_ analysis: TraceAnalysis) throws -> [(name: String, object: ReadObject)] {
        let hazards = HazardReport(analysis.trace)
        let comparison = TraceComparison(before: analysis, after: analysis)
        var outputs: [(String, [UInt8])] = [
            ("lint", Array(HazardJSON(hazards).text.utf8)),
            ("critical-path", CriticalPathReport(analysis).json),
            ("diff", ComparisonJSON(comparison).bytes),
            ("baseline", RunTimings(analysis).jsonLine),
            ("table by operation", TimingTable(analysis.timings, by: .operations).json()),
        ]
        for index in analysis.trace.operations.indices {
            outputs.append(("explain \(index)", Explanation(of: index, in: analysis).json))
        }
        for grouping in OperationGrouping.allCases {
            let table = TimingTable(analysis.timings, by: .groups(grouping))
            outputs.append(("table by \(grouping)", table.json()))
        }
        for collapse in [GraphOptions.Collapse.none, .kind, .queue, .group] {
            var options = GraphOptions()
            options.collapse = collapse
            outputs.append(("graph by \(collapse)", GraphJSON(try DrawnGraph(analysis, options)).bytes))
        }
        for table in TraceTable.allCases {
            var bytes: [UInt8] = []
            table.write(ExportedTrace(analysis, run: "run"), as: .jsonLines) { bytes += $0 }
            outputs += bytes.split(separator: UInt8(ascii: "\n")).map { ("\(table).jsonl", Array($0)) }
        }
        return try outputs.map { ($0.0, try ReadObject($0.1)) }
    }

    private static func names(in value: Any, of member: String = "") -> [String] {
        switch value {
        case let object as [String: Any]: object.flatMap { names(in: $0.value, of: $0.key) }
        case let list as [Any]: list.flatMap { names(in: $0, of: member) }
        case let text as String: members.contains(member) ? [text] : []
        default: []
        }
    }

    @Test("names are whole and as in the trace")
    func whole() throws {
        let analysis = Self.analysis
        let trace = analysis.trace
        let operations = trace.operations.map { $0 }
        let known = Set(
            operations.flatMap { [$0.kind, $0.name ?? "", $0.id.description] }
                + [trace.queues[0].name, trace.header.process, trace.header.host, Self.long + "failure"]
                + ["thread 12", "unknown"])
        for (name, object) in try Self.outputs(analysis) {
            let names = Self.names(in: object.members)
            #expect(names.allSatisfy(known.contains), "\(name): \(names.filter { !known.contains($0) })")
            let hasNames = !["events.jsonl", "edges.jsonl"].contains(name)
            #expect(!hasNames || names.contains { $0.hasPrefix(Self.long) }, "\(name)")
        }
    }
}
