import InspectorColumns

/// The nanoseconds that an operation spent, by what it spent them on.
///
/// The parts add up exactly to the operation's lifetime (enqueued → finished). None is negative. A literal
/// names the parts that are not zero: `[.slot: 60, .execution: 700]`.
public struct LifetimeParts: Hashable, Sendable {
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

    /// All parts are zero.
    package init() {}

    /// Sets each part.
    package init(_ nanoseconds: (Part) -> Int64) {
        for part in Part.allCases { self[part] = nanoseconds(part) }
    }

    /// One of the things that an operation spends its lifetime on.
    public enum Part: Int, CaseIterable, Hashable, Sendable {
        /// In the order in which an operation goes through them; `unknown` comes last.
        case dependency, suspended, slot, dispatch, execution, unknown
    }

    /// Ready → the moment when it got a slot: the wait for one, and what the queue was suspended meanwhile.
    package var untilSlot: Int64 { slot.saturatingAdd(suspended) }

    /// The part that took longest: the execution if none took longer, otherwise the first of several.
    package var longest: Part {
        Part.allCases.reduce(.execution) { self[$1] > self[$0] ? $1 : $0 }
    }

    // Stored by name and not in an array, which would be an allocation for each operation of a trace.
    /// The nanoseconds of one part.
    public subscript(part: Part) -> Int64 {
        get {
            switch part {
            case .dependency: dependency
            case .suspended: suspended
            case .slot: slot
            case .dispatch: dispatch
            case .execution: execution
            case .unknown: unknown
            }
        }
        set {
            switch part {
            case .dependency: dependency = newValue
            case .suspended: suspended = newValue
            case .slot: slot = newValue
            case .dispatch: dispatch = newValue
            case .execution: execution = newValue
            case .unknown: unknown = newValue
            }
        }
    }

    /// Adds each part in nanoseconds to `object`: `dependencyNs` and so on.
    package func add(to object: inout JSONObject) {
        for part in Part.allCases { object.add("\(part.name)Ns", self[part]) }
    }

    /// The sum of all parts: for one operation, its lifetime. Clamped to the largest number.
    public var total: Int64 {
        Part.allCases.reduce(0) { $0.saturatingAdd(self[$1]) }
    }

    /// Adds part by part. A sum is clamped to the largest number.
    public static func + (lhs: Self, rhs: Self) -> Self {
        LifetimeParts { lhs[$0].saturatingAdd(rhs[$0]) }
    }

    /// Adds part by part, like `+`.
    public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }

    /// The mean for one operation, if these are sums over `count` operations, of which `started` executed. A
    /// sum over operations is not a meaningful time when thousands wait at once.
    package func mean(over count: Int, started: Int) -> LifetimeParts {
        LifetimeParts { part in
            let operations = Int64(max(1, part == .execution ? started : count))
            let (mean, rest) = self[part].quotientAndRemainder(dividingBy: operations)
            // Rounded, like the means of distributions.
            return mean + (rest >= operations - rest ? 1 : 0)
        }
    }
}

extension LifetimeParts: ExpressibleByDictionaryLiteral {
    /// The others are zero.
    public init(dictionaryLiteral parts: (Part, Int64)...) {
        for (part, time) in parts { self[part] = time }
    }
}
