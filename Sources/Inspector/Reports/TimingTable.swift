/// Where the time went, as tables: a row for each kind, queue or thread, or for each operation.
///
/// Parts of the lifetime that are 0 everywhere are left out; all others are shown, including `unknown`. The
/// same analysis gives the same bytes. Cost: linear in operations, plus sorting.
public struct TimingTable: Sendable {
    /// What a row is about.
    public enum Rows: Hashable, Sendable {
        /// One row per group.
        case groups(OperationGrouping)
        /// One row per operation.
        case operations
        /// One row per group of Swift tasks.
        case taskGroups(TaskGrouping)
        /// One row per Swift task.
        case tasks
    }

    let timings: TraceTimings
    private(set) var content: Content
    /// Nil if the trace does not say when threads were on processors.
    let samples: ExecutionSamples?
    let processorUse: ProcessorUse?
    /// How many rows there would be without a limit.
    public let total: Int
    /// Whether it is of some operations only, and not of tasks.
    private let isSelection: Bool

    enum Content: Sendable {
        case groups(OperationGrouping, [GroupTiming])
        /// The indices of the operations.
        case operations([Int], TableOrder)
        case tasks(TaskTables)
    }

    /// - Parameters:
    ///   - order: an order that does not apply to such rows counts as `execution`.
    ///   - limit: the largest number of rows; nil for all.
    public init(
        _ timings: TraceTimings, by rows: Rows = .groups(.kind), order: TableOrder = .execution,
        limit: Int? = nil
    ) {
        self.init(timings, by: rows, order: order, limit: limit, only: nil)
    }

    /// - Parameter isSelected: whether to count an operation; nil to count all, and Swift tasks too.
    package init(
        _ timings: TraceTimings, by rows: Rows, order: TableOrder, limit: Int?,
        only isSelected: ((Int) -> Bool)?
    ) {
        self.timings = timings
        isSelection = isSelected != nil
        switch rows {
        case .groups(let grouping):
            let groups = order.sorted(timings.groups(by: grouping, only: isSelected))
            total = groups.count
            content = .groups(grouping, Array(groups.prefix(limit ?? .max)))
            samples = ExecutionSamples(timings, by: grouping, only: isSelected)
            processorUse = nil
        case .operations:
            let operations = order.sorted(operationsOf: timings, only: isSelected)
            total = operations.count
            content = .operations(Array(operations.prefix(limit ?? .max)), order)
            samples = nil
            processorUse = ProcessorUse(timings)
        case .taskGroups, .tasks:
            let grouping: TaskGrouping? = if case .taskGroups(let grouping) = rows { grouping } else { nil }
            let tables = TaskTables(timings, by: grouping, limit: limit)
            total = tables.total
            content = .tasks(tables)
            samples = nil
            processorUse = nil
        }
    }

    /// Fewer rows than there may be, so that people read them, and how to get more.
    private static let (fewGroups, fewRows) = (10, 40)
    /// How many groups are shown; nil if the table is not shortened.
    private var shownGroups: Int?
    /// Follows how much was left out.
    private var howToSee = ""

    /// The same with its first rows: up to 10 groups, and up to that number of operations or tasks.
    ///
    /// - Parameter howToSee: follows how much was left out.
    func shortened(to rows: Int, _ howToSee: String = WritingStyle.howToSeeAll) -> TimingTable {
        if rows == .max { return self }
        var table = self
        let groups = min(Self.fewGroups, rows)
        table.shownGroups = groups
        table.howToSee = howToSee
        switch content {
        case .groups(let grouping, let all): table.content = .groups(grouping, Array(all.prefix(groups)))
        case .operations(let operations, let order):
            table.content = .operations(Array(operations.prefix(rows)), order)
        case .tasks(let tables): table.content = .tasks(tables.shortened(to: groups, rows))
        }
        return table
    }

    /// For people, who read few rows.
    func text(_ style: WritingStyle) -> String {
        style.fitting(rows: Self.fewRows) { style, rows in
            shortened(to: rows).text(width: style.width ?? 80)
        }
    }

    /// The same in Markdown.
    func markdown(_ style: WritingStyle) -> String {
        style.fitting(rows: Self.fewRows) { _, rows in shortened(to: rows).markdown() }
    }

    /// For a terminal with `width` columns; names are shortened to fit. `nil` to use as many as the names
    /// need.
    public func text(width: Int? = 80) -> String {
        let tables = tables
        if tables.isEmpty { return absence }
        return tables.map { Self.text($0, width) }.joined(separator: "\n") + omission
    }

    /// Says which columns did not fit.
    private static func text(_ table: TextTable, _ width: Int?) -> String {
        let (text, omitted) = table.fitted(to: width)
        if omitted.isEmpty { return text }
        let sentence =
            "Not shown for lack of space: \(Prose.list(omitted)). Use a wider terminal, or --format csv."
        return text + "\n" + Prose.wrapped(sentence, to: width) + "\n"
    }

    /// Tables in GitHub's Markdown, each under a heading of level three.
    public func markdown() -> String {
        let tables = tables
        if tables.isEmpty { return absence }
        return tables.map { $0.markdown() }.joined(separator: "\n") + omission
    }

    private var absence: String {
        if case .tasks = content {
            "No tasks: record them with opviz record --tasks.\n"
        } else {
            "No operations.\n"
        }
    }

    /// Says what the limit left out, also of the tables beside.
    private var omission: String {
        let (shown, noun) =
            switch content {
            case .groups(let grouping, let groups): (groups.count, grouping.rawValue)
            case .operations(let operations, _): (operations.count, "operation")
            case .tasks(let tables): (tables.shown, tables.noun)
            }
        let beside = tasksBeside
        let rest = [(total - shown, noun)] + (beside.map { [($0.total - $0.shown, $0.noun)] } ?? [])
        let words = rest.filter { $0.0 > 0 }.map { Prose.counted($0.0, "more \($0.1)") }
        if words.isEmpty { return "" }
        return "\n\(Prose.list(words))\(howToSee)\n"
    }

    private var tables: [TextTable] {
        if case .tasks(let tables) = content { return tables.tables }
        return operationTables + (tasksBeside?.tables ?? [])
    }

    /// Those of tasks, beside those of the kinds of operations.
    private var tasksBeside: TaskTables? {
        guard case .groups(.kind, let groups) = content, !isSelection, !timings.trace.tasks.isEmpty else {
            return nil
        }
        return TaskTables(
            timings, by: .kind, limit: shownGroups ?? (total > groups.count ? groups.count : nil))
    }

    private var operationTables: [TextTable] {
        if !timings.transitions.indices.contains(where: timings.transitions.has) { return [] }
        return switch content {
        case .groups(let grouping, let groups):
            [
                executions(grouping, groups), parts(grouping, groups), waits(grouping, groups),
                outcomes(grouping, groups),
            ].compactMap { $0 }
        case .operations(let operations, let order): [self.operations(operations, order)]
        case .tasks: []
        }
    }

    static let statistics: [TextTable.Column] = [
        .number("mean"), .number("p50"), .number("p95"), .number("max"),
    ]

    static func statistics(_ distribution: Distribution) -> [String] {
        [
            DurationFormat.text(nanoseconds: distribution.mean),
            DurationFormat.text(nanoseconds: distribution.p50),
            DurationFormat.text(nanoseconds: distribution.p95),
            DurationFormat.text(nanoseconds: distribution.max),
        ]
    }

    private func executions(_ grouping: OperationGrouping, _ groups: [GroupTiming]) -> TextTable {
        var table = TextTable(
            title: "Executions by \(grouping), and how many operations were executing on average",
            columns: [.name("\(grouping)"), .number("count"), .number("executing")] + Self.statistics)
        for group in groups {
            table.rows.append(
                [group.name, Prose.grouped(group.count), average(group[.execution])]
                    + Self.statistics(group[.execution]))
        }
        return table
    }

    /// Where the time of executions went, if the trace has it.
    private func parts(_ grouping: OperationGrouping, _ groups: [GroupTiming]) -> TextTable? {
        guard let samples else { return nil }
        let hasEstimates = groups.contains { !samples.isExact($0.number) }
        var table = TextTable(
            title: "Where executions by \(grouping) spent their time"
                + (hasEstimates ? " (≈ estimated)" : ""),
            columns: [.group("\(grouping)"), .word("part"), .number("operations")] + Self.statistics)
        for group in groups {
            for part in ExecutionParts.Part.allCases {
                let distribution = samples.distribution(part, of: group.number)
                guard distribution.max > 0 else { continue }
                let isEstimate = part.row.isEstimated && !samples.isExact(group.number)
                table.rows.append(
                    [group.name, (isEstimate ? "≈ " : "") + part.label, average(distribution)]
                        + Self.statistics(distribution))
            }
        }
        return table.rows.isEmpty ? nil : table
    }

    private func waits(_ grouping: OperationGrouping, _ groups: [GroupTiming]) -> TextTable? {
        var table = TextTable(
            title: "Waits by \(grouping), and how many operations were waiting on average",
            columns: [.group("\(grouping)"), .word("wait"), .number("waiting")] + Self.statistics)
        for group in groups {
            for part in LifetimeParts.Part.allCases where part != .execution && group[part].max > 0 {
                table.rows.append(
                    [group.name, part.name, average(group[part])] + Self.statistics(group[part]))
            }
        }
        return table.rows.isEmpty ? nil : table
    }

    /// Shown instead of a sum over operations, which is not a meaningful time when thousands execute or wait
    /// at once.
    private func average(_ distribution: Distribution) -> String {
        Prose.average(of: distribution.total, in: timings.makespan)
    }

    /// The groups with operations that did not succeed, if any.
    private func outcomes(_ grouping: OperationGrouping, _ groups: [GroupTiming]) -> TextTable? {
        let troubled = groups.filter { $0.failed + $0.cancelled + $0.unfinished > 0 }
        let counts: [(heading: String, count: (GroupTiming) -> Int)] = [
            ("failed", { $0.failed }), ("cancelled", { $0.cancelled }), ("never finished", { $0.unfinished }),
        ]
        let shown = counts.filter { column in troubled.contains { column.count($0) > 0 } }
        if shown.isEmpty { return nil }
        var table = TextTable(
            title: "Failed, cancelled or never finished, by \(grouping)",
            columns: [.name("\(grouping)"), .number("count")] + shown.map { .number($0.heading) })
        for group in troubled {
            table.rows.append(
                [group.name, Prose.grouped(group.count)] + shown.map { Prose.grouped($0.count(group)) })
        }
        return table
    }

    private func operations(_ indices: [Int], _ order: TableOrder) -> TextTable {
        let trace = timings.trace
        let sum = indices.reduce(into: LifetimeParts()) { $0 += timings.waits[$1] ?? LifetimeParts() }
        let parts = LifetimeParts.Part.allCases.filter { $0 == .execution || sum[$0] > 0 }
        let hasNames = indices.contains { trace.operations[$0].name != nil }
        let hasTrouble = indices.contains { Self.trouble(trace.operations[$0]) != "" }
        let use = indices.map { processorUse?.parts(of: $0) ?? ExecutionParts() }
        let used = use.reduce(ExecutionParts(), +)
        let shown = ExecutionParts.Part.allCases.filter { used[$0] > 0 }
        // The parts of the executions are left out before the waits, each time the shortest first.
        let times = parts.map { sum[$0] } + shown.map { used[$0] }
        let byTime = times.indices.sorted {
            ($0 < parts.count ? 1 : 0, times[$0], $0) < ($1 < parts.count ? 1 : 0, times[$1], $1)
        }
        let timeColumns =
            parts.map { TextTable.Column.number($0.name, or: $0.row.abbreviation) }
            + shown.map { .number($0.label, or: $0.row.abbreviation) }
        var table = TextTable(
            title: "Operations, " + order.title,
            columns: (hasNames ? [.name("name"), .name("kind").detail(times.count + 1)] : [.name("kind")])
                + (hasTrouble ? [.word("outcome")] : [])
                + timeColumns.enumerated().map { position, column in
                    let isKept =
                        position < parts.count && [.execution, .unknown].contains(parts[position])
                    return isKept
                        ? column : column.detail(times.count - (byTime.firstIndex(of: position) ?? 0))
                } + [.number("lifetime", or: "life")])
        table.narrowestName = 12
        for (index, use) in zip(indices, use) {
            let operation = trace.operations[index]
            let waits = timings.waits[index] ?? LifetimeParts()
            table.rows.append(
                (hasNames ? [operation.name ?? "", operation.kind] : [operation.kind])
                    + (hasTrouble ? [Self.trouble(operation)] : [])
                    + (parts.map { waits[$0] } + shown.map { use[$0] })
                    .map { $0 == 0 ? "-" : DurationFormat.text(nanoseconds: $0) }
                    + [DurationFormat.text(nanoseconds: waits.total)])
        }
        return table
    }

    /// How an operation finished, or how far it got if it did not; empty if it succeeded.
    private static func trouble(_ operation: TracedOperation) -> String {
        let ending = OperationEnding(of: operation)
        switch ending {
        case .succeeded: return ""
        case .failed, .cancelled: return ending.word
        case .unfinished, .unobserved:
            if operation.executing != nil { return "executing" }
            return operation.ready != nil ? "ready" : "pending"
        }
    }
}

extension TimingTable: Writable {
    package static var renderers: [Renderer<TimingTable>] {
        [
            Renderer(.text, text: { $0.text($1) }),
            Renderer(.markdown, text: { $0.markdown($1) }),
            Renderer(.csv, pieces: { $0.writeCSV($1) }),
            Renderer(.json, pieces: { $0.writeJSON($1) }),
        ]
    }
}
