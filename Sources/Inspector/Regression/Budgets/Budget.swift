/// A limit that holds without a baseline: of the whole run, or of its operations of a kind or in a queue.
public struct Budget: Hashable, Sendable {
    /// What is limited.
    package enum Quantity: Hashable, Sendable {
        /// First enqueue → last finish. Of whole runs only.
        case makespan
        /// What the run would take with any number of slots. Of whole runs only.
        case criticalPathLength
        case part(Waits.Part, Statistic)
        /// Enqueued → finished.
        case lifetime(Statistic)
        /// A part of the lifetimes of all operations together.
        case share(Waits.Part)
        /// The most that executed at any one moment.
        case concurrency
        /// Operations that were enqueued.
        case count
        case ended(Ending)
        /// What `lint` finds. Of whole runs only.
        case hazards(HazardChoice)
    }

    /// Of the times of several operations. Percentiles are of the nearest rank, as in `Distribution`.
    package enum Statistic: String, CaseIterable, Hashable, Sendable {
        case total, mean, min, p50, p90, p95, p99, max
    }

    /// Ways in which operations end that are not wanted.
    package enum Ending: String, CaseIterable, Hashable, Sendable {
        case failures, cancellations
        /// That had not finished when the log ended.
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

    /// Nil for operations of all kinds.
    public let kind: String?
    /// The name or the ID of a queue; nil for all.
    public let queue: String?
    package let quantity: Quantity
    package let relation: Relation
    /// The value that the measured one is compared with.
    public let limit: Amount
    /// A run without an operation that the budget is about keeps it.
    package let isOptional: Bool
    /// Where the limit stands in the file, from 1.
    public let line: Int

    package init(
        kind: String? = nil, queue: String? = nil, quantity: Quantity, relation: Relation, limit: Amount,
        isOptional: Bool = false, line: Int = 1
    ) {
        self.kind = kind
        self.queue = queue
        self.quantity = quantity
        self.relation = relation
        self.limit = limit
        self.isOptional = isOptional
        self.line = line
    }
}

extension Budget {
    /// Whether it is about the whole run.
    var isOfRun: Bool { kind == nil && queue == nil }

    /// As it is printed: `makespan`, `p95 execution of Parse`, `concurrency in queue images`. Safe for a
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

    /// `of Parse`, `in queue images`, with a space before; empty for the whole run.
    private var scope: String {
        (kind.map { " of \(Self.shortened($0))" } ?? "")
            + (queue.map { " in queue \(Self.shortened($0))" } ?? "")
    }

    private var ofOperations: String { isOfRun ? " of all operations" : scope }

    private static func shortened(_ name: String) -> String { TerminalText.shortened(name, toColumns: 40) }

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
