import EventLog
import InspectorHazards
import InspectorTraces

@testable import InspectorAnalysis
@testable import InspectorComparison
@testable import InspectorExport
@testable import InspectorRegression
@testable import InspectorReports

/// The figures of a run in each output for programs.
extension FigureLedger {
    mutating func readForPrograms(_ analysis: TraceAnalysis, _ hazards: HazardReport, _ turn: Int?) throws {
        try readTable(by: .kind, analysis, hasCSV: Self.isRead(0, turn))
        try readHazards(hazards)
        if Self.isRead(0, turn) {
            for grouping in OperationGrouping.allCases where grouping != .kind {
                try readTable(by: grouping, analysis, hasCSV: turn == nil)
            }
        }
        if Self.isRead(1, turn) {
            try readOperations(analysis)
            try readExport(analysis)
            try readPaths(analysis)
        }
        if Self.isRead(2, turn) { try readGraph(analysis) }
        if Self.isRead(3, turn) { try readComparisons(analysis) }
    }

    /// Whether outputs are read in this turn: without turns, all are.
    static func isRead(_ place: Int, _ turn: Int?) -> Bool { turn.map { $0 % 4 == place } ?? true }

    private mutating func readTable(
        by grouping: OperationGrouping, _ analysis: TraceAnalysis, hasCSV: Bool
    ) throws {
        let output = "table --by \(grouping).json"
        let table = TimingTable(analysis.timings, by: .groups(grouping))
        let json = try ReadObject(table.json())
        let rows = json.list("rows")
        add("makespan", nanoseconds: json.number("makespanNs"), in: output)
        add("operations", rows.count("count"), in: output)
        for ending in Self.endings { add(ending, rows.count(ending), in: output) }
        for part in LifetimeParts.Part.allCases {
            let total = rows.map { $0["\(part)"] }.sum("totalNs")
            add("\(part) of all", nanoseconds: total, in: output)
        }
        let lines = hasCSV ? CSVRows(String(decoding: table.csv(), as: UTF8.self)).rows : []
        for (index, row) in rows.enumerated() {
            let subject = "\(grouping) \(row.text(grouping.rawValue) ?? "missing")"
            add("\(subject): operations", row.count("count"), in: output)
            for ending in Self.endings {
                add("\(subject): \(ending)", row.count(ending), in: output)
                guard hasCSV else { continue }
                add("\(subject): \(ending)", lines[index][ending].flatMap { Int($0) }, in: "its .csv")
            }
            for part in LifetimeParts.Part.allCases {
                for statistic in ["total", "mean", "min", "p50", "p90", "p95", "p99", "max"] {
                    let name = "\(subject): \(statistic) \(part)"
                    add(name, nanoseconds: row["\(part)"].number(statistic + "Ns"), in: output)
                    guard hasCSV else { continue }
                    let cell = lines[index]["\(part)_\(statistic)_ns"]
                    add(name, nanoseconds: cell.flatMap { Int64($0) }, in: "its .csv")
                }
            }
        }
    }

    static let endings = ["succeeded", "failed", "cancelled", "unfinished"]

    private mutating func readOperations(_ analysis: TraceAnalysis) throws {
        let table = TimingTable(analysis.timings, by: .operations)
        let rows = try ReadObject(table.json()).list("rows")
        let lines = CSVRows(String(decoding: table.csv(), as: UTF8.self))
        add("operations", rows.count, in: "table --by operation.json")
        for ending in Self.endings {
            add(ending, rows.count { $0.text("outcome") == ending }, in: "table --by operation.json")
        }
        for (row, cells) in zip(rows, lines.rows) {
            let subject = "operation \(row.text("operation") ?? "missing")"
            for name in ["enqueued", "started", "finished", "lifetime"] + Self.parts {
                let figure = "\(subject): \(name)"
                add(figure, nanoseconds: row.number("\(name)Ns"), in: "table --by operation.json")
                add(figure, nanoseconds: cells["\(name)_ns"].flatMap { Int64($0) }, in: "its .csv")
            }
        }
    }

    static let parts = LifetimeParts.Part.allCases.map(\.name)

    private mutating func readExport(_ analysis: TraceAnalysis) throws {
        let exported = ExportedTrace(analysis, run: "run")
        func rows(_ table: TraceTable) throws -> [ReadObject] {
            var bytes: [UInt8] = []
            table.write(exported, as: .jsonLines) { bytes += $0 }
            return try ReadObject.lines(bytes)
        }
        let run = try rows(.runs)[0]
        for name in ["operations", "edges"] + Self.endings { add(name, run.count(name), in: "runs.jsonl") }
        add("critical operations", run.count("critical_path_operations"), in: "runs.jsonl")
        add("makespan", nanoseconds: run.number("makespan_ns"), in: "runs.jsonl")
        add("critical path", nanoseconds: run.number("critical_path_ns"), in: "runs.jsonl")
        add("work", nanoseconds: run.number("work_ns"), in: "runs.jsonl")
        add("execution of all", nanoseconds: run.number("execution_ns"), in: "runs.jsonl")

        let operations = try rows(.operations)
        let enqueued = operations.filter { $0.text("outcome") != "unobserved" }
        add("operations", enqueued.count, in: "operations.jsonl")
        add("not observed", operations.count - enqueued.count, in: "operations.jsonl")
        for ending in Self.endings {
            add(ending, operations.count { $0.text("outcome") == ending }, in: "operations.jsonl")
        }
        for part in Self.parts {
            let column = Self.column(part)
            add("\(part) of all", nanoseconds: operations.sum(column), in: "operations.jsonl")
        }
        add("critical operations", operations.count("is_critical"), in: "operations.jsonl")
        for row in enqueued {
            let subject = "operation \(row.text("operation") ?? "missing")"
            let columns = [
                ("enqueued", "enqueued_ns"), ("started", "started_ns"), ("finished", "finished_ns"),
            ]
            for (name, column) in columns {
                add("\(subject): \(name)", nanoseconds: row.number(column), in: "operations.jsonl")
            }
            for part in Self.parts {
                let time = row.number(Self.column(part))
                add("\(subject): \(part)", nanoseconds: time, in: "operations.jsonl")
            }
            add("\(subject): lifetime", nanoseconds: row.number("lifetime_ns"), in: "operations.jsonl")
            add("\(subject): slack", nanoseconds: row.number("slack_ns"), in: "operations.jsonl")
        }
        add("edges", try rows(.edges).count, in: "edges.jsonl")
        for severity in HazardSeverity.allCases {
            let findings = try rows(.hazards).filter { $0.text("severity") == severity.rawValue }
            add("\(severity) findings", findings.count("count"), in: "hazards.jsonl")
        }
    }

    private static func column(_ part: String) -> String {
        "\(part)_ns"
    }

    private mutating func readGraph(_ analysis: TraceAnalysis) throws {
        for collapse in [GraphOptions.Collapse.none, .kind, .queue, .group] {
            var options = GraphOptions()
            options.collapse = collapse
            let output = "graph --collapse \(collapse).json"
            let json = try ReadObject(GraphJSON(DrawnGraph(analysis, options)).bytes)
            let nodes = json.list("nodes")
            let unobserved = nodes.count("unobserved")
            add("not observed", unobserved, in: output)
            add("operations", (json.count("operations") ?? 0) - unobserved, in: output)
            add("operations", nodes.count("count") - unobserved, in: output)
            add("edges", json.count("edges"), in: output)
            for ending in Self.endings { add(ending, nodes.count(ending), in: output) }
            add("critical operations", nodes.count("critical"), in: output)
            add("makespan", nanoseconds: json.number("makespanNs"), in: output)
            add("work", nanoseconds: json.number("workNs"), in: output)
            add("critical path", nanoseconds: json.number("criticalPathNs"), in: output)
            for part in Self.parts {
                add("\(part) of all", nanoseconds: nodes.sum("\(part)Ns"), in: output)
            }
            let arrows = json.list("arrows").filter { $0.text("relation") == "dependency" }
            add("edges", arrows.count("count"), in: output)
        }
    }

    private mutating func readPaths(_ analysis: TraceAnalysis) throws {
        let path = try ReadObject(CriticalPathReport(analysis).json)
        add("makespan", nanoseconds: path.number("makespanNs"), in: "critical-path.json")
        add("critical path", nanoseconds: path.number("criticalPathNs"), in: "critical-path.json")
        add("critical operations", path.list("criticalPath").count, in: "critical-path.json")
        for operation in path.list("criticalPath") { add(operation, in: "critical-path.json") }
        for index in analysis.trace.operations.indices.prefix(1) where analysis.waits[index] != nil {
            let story = try ReadObject(Explanation(of: index, in: analysis).json)
            let subject = "operation \(analysis.trace.operations[index].id)"
            for part in Self.parts {
                let time = story["waits"].number("\(part)Ns")
                add("\(subject): \(part)", nanoseconds: time, in: "explain.json")
            }
            let cost = story["cost"]
            guard !cost.members.isEmpty else { continue }
            add("makespan", nanoseconds: cost.number("makespanNs"), in: "explain.json")
            if let slack = cost.number("slackNs") {
                add("\(subject): slack", nanoseconds: slack, in: "explain.json")
            }
        }
    }

    private mutating func add(_ operation: ReadObject, in output: String) {
        let subject = "operation \(operation.text("operation") ?? "missing")"
        for part in Self.parts {
            let time = operation["waits"].number("\(part)Ns")
            add("\(subject): \(part)", nanoseconds: time, in: output)
        }
    }

    private mutating func readComparisons(_ analysis: TraceAnalysis) throws {
        let comparison = TraceComparison(before: analysis, after: analysis)
        let json = try ReadObject(ComparisonJSON(comparison).bytes)
        for side in ["before", "after"] {
            add("operations", json[side].count("operations"), in: "diff.json")
            add("makespan", nanoseconds: json[side].number("makespanNs"), in: "diff.json")
            add("critical path", nanoseconds: json[side].number("criticalPathNs"), in: "diff.json")
            add("work", nanoseconds: json[side].number("workNs"), in: "diff.json")
            for part in Self.parts {
                add("\(part) of all", nanoseconds: json[side].number("\(part)Ns"), in: "diff.json")
            }
            let endings = json["endings"][side]
            for ending in ["succeeded", "failed", "cancelled"] {
                add(ending, endings.count(ending), in: "diff.json")
            }
            add("unfinished", endings.count("unfinished"), in: "diff.json")
        }
        let run = try ReadObject(RunTimings(analysis).jsonLine)
        for ending in Self.endings.dropFirst() { add(ending, run.count(ending), in: "baseline.json") }
        add("makespan", nanoseconds: run.number("makespanNs"), in: "baseline.json")
        add("critical path", nanoseconds: run.number("criticalPathNs"), in: "baseline.json")
        for part in Self.parts {
            add("\(part) of all", nanoseconds: run.number("\(part)Ns"), in: "baseline.json")
        }
    }

    private mutating func readHazards(_ report: HazardReport) throws {
        let json = try ReadObject(HazardJSON(report).text.utf8)
        for severity in HazardSeverity.allCases {
            func ofSeverity(_ name: String) -> [ReadObject] {
                json.list(name).filter { $0.text("severity") == severity.rawValue }
            }
            let count = ofSeverity("findings").count + ofSeverity("omitted").count("count")
            add("\(severity) findings", count, in: "lint.json")
        }
        add("findings", json.list("findings").count + json.list("omitted").count("count"), in: "lint.json")
    }
}

/// Comma-separated values without quoted cells, a dictionary for each row.
private struct CSVRows {
    let rows: [[String: String]]

    init(_ text: String) {
        let lines = text.split(separator: "\r\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        rows = lines.dropFirst().map { cells in
            Dictionary(uniqueKeysWithValues: zip(lines[0], cells))
        }
    }
}
