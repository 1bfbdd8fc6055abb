/// Where the time went, as tables: by kind of operation, or one row an operation.
///
/// Parts of the lifetime that are 0 everywhere are left out; one that is not, above all `unknown`, never is.
/// The same analysis gives the same bytes.
public struct TimingTable: Sendable {
    /// What a row is about.
    public enum Grouping: Sendable {
        case kind
        case operation
    }

    private let analysis: TraceAnalysis
    private let grouping: Grouping

    public init(_ analysis: TraceAnalysis, by grouping: Grouping = .kind) {
        self.analysis = analysis
        self.grouping = grouping
    }

    /// For a terminal of so many columns; names are shortened to fit. `nil` for as wide as the names make it.
    public func text(width: Int? = 80) -> String {
        let tables = tables
        if tables.isEmpty { return "No operations.\n" }
        return tables.map { $0.text(width: width) }.joined(separator: "\n")
    }

    /// Tables of GitHub's Markdown, each under a heading of the third level.
    public func markdown() -> String {
        let tables = tables
        if tables.isEmpty { return "No operations.\n" }
        return tables.map { $0.markdown() }.joined(separator: "\n")
    }

    private var tables: [TextTable] {
        if analysis.kinds.isEmpty { return [] }
        return switch grouping {
        case .kind: [executions, waits, outcomes].compactMap { $0 }
        case .operation: [operations]
        }
    }

    private static let statistics: [TextTable.Column] = [
        .number("total"), .number("mean"), .number("p50"), .number("p95"), .number("max"),
    ]

    private static func statistics(_ distribution: Distribution) -> [String] {
        [
            DurationFormat.text(nanoseconds: distribution.total),
            DurationFormat.text(nanoseconds: distribution.mean),
            DurationFormat.text(nanoseconds: distribution.p50),
            DurationFormat.text(nanoseconds: distribution.p95),
            DurationFormat.text(nanoseconds: distribution.max),
        ]
    }

    private var executions: TextTable {
        var table = TextTable(
            title: "Execution time by kind", columns: [.name("kind"), .number("count")] + Self.statistics)
        for kind in analysis.kinds {
            table.rows.append([kind.kind, String(kind.count)] + Self.statistics(kind[.execution]))
        }
        return table
    }

    private var waits: TextTable? {
        var table = TextTable(
            title: "Waits by kind", columns: [.group("kind"), .word("wait")] + Self.statistics)
        for kind in analysis.kinds {
            for part in Waits.Part.allCases where part != .execution && kind[part].max > 0 {
                table.rows.append([kind.kind, part.shortLabel] + Self.statistics(kind[part]))
            }
        }
        return table.rows.isEmpty ? nil : table
    }

    /// The kinds with operations that did not succeed, where there are any.
    private var outcomes: TextTable? {
        let troubled = analysis.kinds.filter { $0.failed + $0.cancelled + $0.unfinished > 0 }
        let counts: [(heading: String, count: (KindTiming) -> Int)] = [
            ("failed", { $0.failed }), ("cancelled", { $0.cancelled }), ("never finished", { $0.unfinished }),
        ]
        let shown = counts.filter { column in troubled.contains { column.count($0) > 0 } }
        if shown.isEmpty { return nil }
        var table = TextTable(
            title: "Failed, cancelled or never finished, by kind",
            columns: [.name("kind"), .number("count")] + shown.map { .number($0.heading) })
        for kind in troubled {
            table.rows.append(
                [kind.kind, String(kind.count)] + shown.map { String($0.count(kind)) })
        }
        return table
    }

    private var operations: TextTable {
        let trace = analysis.trace
        var rows: [(index: Int, waits: Waits)] = []
        var sum = Waits()
        for (index, waits) in analysis.waits.enumerated() {
            guard let waits else { continue }
            rows.append((index, waits))
            sum += waits
        }
        rows.sort {
            ($1.waits.execution, $1.waits.total, $0.index) < ($0.waits.execution, $0.waits.total, $1.index)
        }
        let parts = Waits.Part.allCases.filter { $0 == .execution || sum[$0] > 0 }
        let hasNames = rows.contains { trace.operations[$0.index].name != nil }
        let hasTrouble = rows.contains { Self.trouble(trace.operations[$0.index]) != "" }
        var table = TextTable(
            title: "Operations, the longest execution first",
            columns: (hasNames ? [.name("name"), .detail("kind")] : [.name("kind")])
                + (hasTrouble ? [.name("outcome")] : [])
                + parts.map { .number($0.shortLabel, or: $0.abbreviation) } + [
                    .number("lifetime", or: "life")
                ])
        for (index, waits) in rows {
            let operation = trace.operations[index]
            table.rows.append(
                (hasNames ? [operation.name ?? "", operation.kind] : [operation.kind])
                    + (hasTrouble ? [Self.trouble(operation)] : [])
                    + parts.map { waits[$0] == 0 ? "-" : DurationFormat.text(nanoseconds: waits[$0]) }
                    + [DurationFormat.text(nanoseconds: waits.total)])
        }
        return table
    }

    /// How an operation finished or, where it did not, how far it came; nothing when it succeeded.
    private static func trouble(_ operation: TracedOperation) -> String {
        if operation.finished == nil {
            if operation.executing != nil { return "executing" }
            return operation.ready != nil ? "ready" : "pending"
        }
        return switch operation.outcome {
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .succeeded, nil: ""
        }
    }
}

extension Waits.Part {
    /// The label's first word, for a table whose heading says that these are waits.
    fileprivate var shortLabel: String {
        switch self {
        case .dependency: "dependency"
        case .suspended: "suspended"
        case .slot: "slot"
        case .dispatch: "dispatch"
        case .execution: "execution"
        case .unknown: "unknown"
        }
    }

    /// No wider than a duration, for a terminal that has no more room.
    fileprivate var abbreviation: String {
        switch self {
        case .dependency: "depend."
        case .suspended: "suspend"
        case .slot: "slot"
        case .dispatch: "disp."
        case .execution: "exec."
        case .unknown: "unknown"
        }
    }
}
