/// A metric of a run: of the whole run, or of its operations of one kind.
public struct TimingMetric: Hashable, Sendable, Comparable {
    /// What is measured, in nanoseconds.
    public enum Quantity: Hashable, Sendable {
        /// A quantity of whole runs only.
        case ofRun(RunQuantity)
        /// For a whole run, the sum over its operations; for a kind, the time of each operation.
        case part(LifetimeParts.Part)
        /// The time that each execution of a kind was on a processor.
        ///
        /// It is a second witness of a change: on a busy machine it varies less than the execution. It is
        /// primary only if you ask for it, because nobody waits for CPU time itself: it may grow without
        /// anything taking longer, and other processes, caches and frequencies change it, too. It is
        /// corrected for chance together with the other metrics that are not primary, so that all of them
        /// keep one error rate.
        case onCPU

        /// First enqueue to last finish.
        public static let makespan = Quantity.ofRun(.makespan)
        /// How long the run would take with any number of slots.
        public static let criticalPathLength = Quantity.ofRun(.criticalPathLength)
    }

    /// The kind of operations; nil for the whole run.
    public let kind: String?
    /// What is measured.
    public let quantity: Quantity

    /// A metric of one kind; with nil, of the whole run. Only whole runs have a makespan and a critical path.
    public init(kind: String? = nil, _ quantity: Quantity) {
        self.kind = kind
        self.quantity = quantity
    }

    /// First enqueue to last finish of the whole run.
    public static let makespan = TimingMetric(.makespan)
    /// How long the whole run would take with any number of slots.
    public static let criticalPathLength = TimingMetric(.criticalPathLength)

    /// The printed name: `makespan`, `slot wait of all operations`, `execution of Parse`.
    public var label: String {
        switch quantity {
        case .ofRun(let quantity): quantity.label
        case .part(let part): "\(part.label) of \(ofOperations)"
        case .onCPU: "CPU of \(ofOperations)"
        }
    }

    private var ofOperations: String { kind ?? "all operations" }

    /// Whole runs first, then by kind, and in the order of the parts of a lifetime.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        guard lhs.kind == rhs.kind else {
            guard let left = lhs.kind, let right = rhs.kind else { return lhs.kind == nil }
            return left < right
        }
        return lhs.quantity.rank < rhs.quantity.rank
    }
}

extension TimingMetric.Quantity {
    fileprivate var rank: Int {
        switch self {
        case .ofRun(let quantity): TimingMetric.RunQuantity.allCases.firstIndex(of: quantity) ?? 0
        case .part(let part):
            TimingMetric.RunQuantity.allCases.count + 2 * part.rawValue
        case .onCPU: Self.part(.execution).rank + 1
        }
    }
}
