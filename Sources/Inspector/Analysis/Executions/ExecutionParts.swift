import InspectorColumns
import InspectorTraces

/// The nanoseconds of an operation's execution, by where its thread was meanwhile.
///
/// The parts add up exactly to the execution (``LifetimeParts/execution``). None is negative. A literal names
/// the parts that are not zero: `[.onCPU: 40, .blocked: 7]`.
public struct ExecutionParts: Hashable, Sendable {
    /// On a processor: it calculated.
    public var onCPU: Int64 = 0
    /// Ready to run, while other threads had the processors.
    public var waitingForCPU: Int64 = 0
    /// In a system call: it slept, or waited for a lock, a file or the network.
    public var blocked: Int64 = 0
    /// No thread was in its body: before the body begins, or after it has returned.
    public var offThread: Int64 = 0
    /// Time that was not measured.
    public var unmeasured: Int64 = 0
    /// False if the thread's wait for a processor is known only together with the time around the execution.
    /// `waitingForCPU` and `blocked` are then estimates; their sum is exact.
    public var isExact = true

    /// All parts are zero.
    package init() {}

    /// Of a body, as its thread's own clocks say. They and the log's clock are not read at the same moment.
    /// If they were read after the finish, each part is what the thread needs to have spent on it before.
    package init(_ use: Trace.BodyUse, of body: Int64) {
        let measured = body + use.afterFinish
        let calculated = min(use.onCPU, measured)
        onCPU = max(0, calculated - use.afterFinish)
        if let waited = use.waitedForCPU.map({ min($0, measured - calculated) }) {
            waitingForCPU = max(0, waited - use.afterFinish)
            blocked = max(0, body - calculated - waited)
        }
        unmeasured = body - onCPU - waitingForCPU - blocked
    }

    /// One of the places where time of an execution goes.
    public enum Part: Int, CaseIterable, Hashable, Sendable {
        /// In the order in which they are printed; `unmeasured` comes last.
        case onCPU, waitingForCPU, blocked, offThread, unmeasured
    }

    /// The nanoseconds of one part.
    public subscript(part: Part) -> Int64 {
        get {
            switch part {
            case .onCPU: onCPU
            case .waitingForCPU: waitingForCPU
            case .blocked: blocked
            case .offThread: offThread
            case .unmeasured: unmeasured
            }
        }
        set {
            switch part {
            case .onCPU: onCPU = newValue
            case .waitingForCPU: waitingForCPU = newValue
            case .blocked: blocked = newValue
            case .offThread: offThread = newValue
            case .unmeasured: unmeasured = newValue
            }
        }
    }

    /// The sum of all parts. Clamped to the largest number.
    public var total: Int64 { Part.allCases.reduce(0) { $0.saturatingAdd(self[$1]) } }

    /// Divides part by part, rounded down.
    package static func / (parts: ExecutionParts, count: Int64) -> ExecutionParts {
        var quotient = parts
        for part in Part.allCases { quotient[part] /= count }
        return quotient
    }

    /// Adds part by part. A sum is clamped to the largest number, and exact if both are.
    public static func + (lhs: ExecutionParts, rhs: ExecutionParts) -> ExecutionParts {
        var sum = ExecutionParts()
        for part in Part.allCases { sum[part] = lhs[part].saturatingAdd(rhs[part]) }
        sum.isExact = lhs.isExact && rhs.isExact
        return sum
    }
}

extension ExecutionParts: ExpressibleByDictionaryLiteral {
    /// The others are zero, and all are exact.
    public init(dictionaryLiteral parts: (Part, Int64)...) {
        for (part, time) in parts { self[part] = time }
    }
}
