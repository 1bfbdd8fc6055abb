import InspectorColumns

/// The nanoseconds that an operation spent, by what it spent them on.
///
/// The parts add up exactly to the operation's lifetime (enqueued → finished). None is negative.
public struct Waits: Hashable, Sendable {
    /// Enqueued → ready.
    public var dependency: Int64 = 0
    /// Ready, while the queue was suspended.
    public var suspended: Int64 = 0
    /// Ready, not suspended, and every slot of the queue's limit was taken.
    public var slot: Int64 = 0
    /// Ready, a free slot, not yet started.
    public var dispatch: Int64 = 0
    /// Executing → finished.
    public var execution: Int64 = 0
    /// Time that the log does not account for.
    public var unknown: Int64 = 0

    package init(
        dependency: Int64 = 0, suspended: Int64 = 0, slot: Int64 = 0, dispatch: Int64 = 0,
        execution: Int64 = 0, unknown: Int64 = 0
    ) {
        self.dependency = dependency
        self.suspended = suspended
        self.slot = slot
        self.dispatch = dispatch
        self.execution = execution
        self.unknown = unknown
    }

    /// Sets each part.
    package init(_ nanoseconds: (Part) -> Int64) {
        self.init(
            dependency: nanoseconds(.dependency), suspended: nanoseconds(.suspended),
            slot: nanoseconds(.slot), dispatch: nanoseconds(.dispatch),
            execution: nanoseconds(.execution), unknown: nanoseconds(.unknown))
    }

    /// One of the things that an operation spends its lifetime on.
    public enum Part: CaseIterable, Hashable, Sendable {
        /// In the order in which an operation goes through them; `unknown` comes last.
        case dependency, suspended, slot, dispatch, execution, unknown

        /// The printed name: `dependency wait`, …, `execution`, `unknown`.
        public var label: String {
            switch self {
            case .dependency: "dependency wait"
            case .suspended: "suspended wait"
            case .slot: "slot wait"
            case .dispatch: "dispatch wait"
            case .execution: "execution"
            case .unknown: "unknown"
            }
        }

        /// The label's first word, for a context of waits; also a name in JSON and in pages.
        package var shortLabel: String {
            switch self {
            case .dependency: "dependency"
            case .suspended: "suspended"
            case .slot: "slot"
            case .dispatch: "dispatch"
            case .execution: "execution"
            case .unknown: "unknown"
            }
        }
    }

    /// The nanoseconds of one part.
    public subscript(part: Part) -> Int64 {
        switch part {
        case .dependency: dependency
        case .suspended: suspended
        case .slot: slot
        case .dispatch: dispatch
        case .execution: execution
        case .unknown: unknown
        }
    }

    /// Adds each part in nanoseconds to `object`: `dependencyNs` and so on.
    package func add(to object: inout JSONObject) {
        for part in Part.allCases { object.add("\(part.shortLabel)Ns", self[part]) }
    }

    /// The sum of all parts: for one operation, its lifetime. Clamped to the largest number.
    public var total: Int64 {
        Part.allCases.reduce(0) { $0.saturatingAdd(self[$1]) }
    }

    /// Adds part by part. A sum is clamped to the largest number.
    public static func + (lhs: Waits, rhs: Waits) -> Waits {
        Waits(
            dependency: lhs.dependency.saturatingAdd(rhs.dependency),
            suspended: lhs.suspended.saturatingAdd(rhs.suspended),
            slot: lhs.slot.saturatingAdd(rhs.slot),
            dispatch: lhs.dispatch.saturatingAdd(rhs.dispatch),
            execution: lhs.execution.saturatingAdd(rhs.execution),
            unknown: lhs.unknown.saturatingAdd(rhs.unknown))
    }

    /// Adds part by part, like `+`.
    public static func += (lhs: inout Waits, rhs: Waits) { lhs = lhs + rhs }

    /// The mean for one operation, if these are sums over `count` operations, of which `started` executed. A
    /// sum over operations is not a meaningful time when thousands wait at once.
    package func mean(over count: Int, started: Int) -> Waits {
        Waits { part in
            let operations = Int64(max(1, part == .execution ? started : count))
            let (mean, rest) = self[part].quotientAndRemainder(dividingBy: operations)
            // Rounded, like the means of distributions.
            return mean + (rest >= operations - rest ? 1 : 0)
        }
    }
}
