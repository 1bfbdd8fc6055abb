/// A limit that needs no baseline: for the whole run, for its operations of a kind or in a queue, or for
/// the Swift tasks on an executor.
public struct Budget: Hashable, Sendable {
    /// The quantity that is limited.
    package enum Quantity: Hashable, Sendable {
        /// First enqueue → last finish. Only for whole runs.
        case makespan
        /// How long the run would take with any number of slots. Only for whole runs.
        case criticalPathLength
        case part(LifetimeParts.Part, Statistic)
        /// Enqueued → finished.
        case lifetime(Statistic)
        /// A fraction of the lifetimes of all operations together.
        case share(LifetimeParts.Part)
        /// The largest number that executed at any moment.
        case concurrency
        /// How many operations were enqueued.
        case count
        case ended(Ending)
        /// The findings of `lint`. Only for whole runs.
        case hazards(HazardChoice)
    }

    /// A statistic of the times of several operations. Percentiles use the nearest rank, as in
    /// `Distribution`.
    package enum Statistic: String, CaseIterable, Hashable, Sendable {
        case total, mean, min, p50, p90, p95, p99, max
    }

    /// Unwanted endings of operations.
    package enum Ending: String, CaseIterable, Hashable, Sendable {
        case failures, cancellations
        /// Operations that had not finished when the log ended.
        case unfinished
    }

    /// Which findings count.
    package struct HazardChoice: Hashable, Sendable {
        /// Nil for all rules.
        package var only: Set<String>?
        package var except: Set<String> = []
        package var least = HazardSeverity.warning
    }

    package enum Relation: String, CaseIterable, Hashable, Sendable {
        case atMost = "at most"
        case atLeast = "at least"
        case exactly
    }

    /// A measured value or a limit. Compare only two of the same case.
    public enum Amount: Hashable, Sendable {
        /// Nanoseconds.
        case time(Int64)
        /// 0.1 is 10 %.
        case share(Double)
        /// A count: of operations, of findings, of slots.
        case number(Int)
    }

    /// Nil for all kinds of operations.
    public let kind: String?
    /// The name or the ID of a queue; nil for all.
    public let queue: String?
    /// The name of an executor, `Cache` or `global executor`; the limit is for the Swift tasks that run
    /// there. Nil for operations.
    public let executor: String?
    package let quantity: Quantity
    package let relation: Relation
    /// The limit for the measured value.
    public let limit: Amount
    /// Whether a run without any of the budget's operations keeps the budget.
    package let isOptional: Bool
    /// The line of the limit in the file, from 1.
    public let line: Int

    package init(
        kind: String? = nil, queue: String? = nil, executor: String? = nil, quantity: Quantity,
        relation: Relation, limit: Amount, isOptional: Bool = false, line: Int = 1
    ) {
        self.kind = kind
        self.queue = queue
        self.executor = executor
        self.quantity = quantity
        self.relation = relation
        self.limit = limit
        self.isOptional = isOptional
        self.line = line
    }
}

extension Budget {
    /// Whether it applies to the whole run.
    var isOfRun: Bool { kind == nil && queue == nil && executor == nil }

    /// The printed name: `makespan`, `p95 execution of Parse`, `concurrency in queue images`. Safe for a
    /// terminal.
    public var label: String {
        switch quantity {
        case .makespan: "makespan"
        case .criticalPathLength: "critical path length"
        case .part(let part, let statistic): "\(statistic.rawValue) \(part.label)\(ofOperations)"
        case .lifetime(let statistic): "\(statistic.rawValue) lifetime\(ofOperations)"
        case .share(let part): "\(part.label)\(ofOperations)"
        case .concurrency: "concurrency" + scope
        case .count: "count" + scope
        case .ended(let ending): ending.rawValue + scope
        case .hazards: "hazards"
        }
    }

    /// `of Parse`, `in queue images`, `on executor Cache`, with a leading space; empty for the whole run.
    private var scope: String {
        (kind.map { " of \(Self.shortened($0))" } ?? "")
            + (queue.map { " in queue \(Self.shortened($0))" } ?? "")
            + (executor.map { " on executor \(Self.shortened($0))" } ?? "")
    }

    private var ofOperations: String { isOfRun ? " of all operations" : scope }

    private static func shortened(_ name: String) -> String { TerminalText.shortened(name) }

    func isKept(by measured: Amount) -> Bool {
        switch relation {
        case .atMost: measured <= limit
        case .atLeast: measured >= limit
        case .exactly: measured == limit
        }
    }
}

extension Budget.Amount: Comparable {
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.value < rhs.value }

    private var value: Double {
        switch self {
        case .time(let nanoseconds): Double(nanoseconds)
        case .share(let share): share
        case .number(let number): Double(number)
        }
    }

    /// For people: `20.0 ms`, `12.3 %`, `1,000`.
    public var text: String {
        switch self {
        case .time(let nanoseconds): DurationFormat.text(nanoseconds: nanoseconds)
        case .share(let share): DurationFormat.percent(share)
        case .number(let number): Prose.grouped(number)
        }
    }
}
