import InspectorColumns
import InspectorTraces

/// The nanoseconds of an operation's execution, by where its thread was meanwhile.
///
/// The parts add up exactly to the execution (``Waits/execution``). None is negative.
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

    package init(
        onCPU: Int64 = 0, waitingForCPU: Int64 = 0, blocked: Int64 = 0, offThread: Int64 = 0,
        unmeasured: Int64 = 0, isExact: Bool = true
    ) {
        self.onCPU = onCPU
        self.waitingForCPU = waitingForCPU
        self.blocked = blocked
        self.offThread = offThread
        self.unmeasured = unmeasured
        self.isExact = isExact
    }

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
    public enum Part: CaseIterable, Hashable, Sendable {
        /// In the order in which they are printed; `unmeasured` comes last.
        case onCPU, waitingForCPU, blocked, offThread, unmeasured

        /// The printed name.
        public var label: String {
            switch self {
            case .onCPU: "on CPU"
            case .waitingForCPU: "waiting for a CPU"
            case .blocked: "blocked"
            case .offThread: "off thread"
            case .unmeasured: "unmeasured"
            }
        }

        /// The name in narrow columns, no wider than a duration.
        package var abbreviation: String {
            switch self {
            case .onCPU: "on CPU"
            case .waitingForCPU: "for CPU"
            case .blocked: "blocked"
            case .offThread: "off"
            case .unmeasured: "unmeas."
            }
        }

        /// The name in tables for programs, without the unit.
        package var column: String {
            switch self {
            case .onCPU: "on_cpu"
            case .waitingForCPU: "waiting_for_cpu"
            case .blocked: "blocked"
            case .offThread: "off_thread"
            case .unmeasured: "unmeasured"
            }
        }

        /// The name in JSON, without the unit.
        package var key: String {
            switch self {
            case .onCPU: "onCPU"
            case .waitingForCPU: "waitingForCPU"
            case .blocked: "blocked"
            case .offThread: "offThread"
            case .unmeasured: "unmeasured"
            }
        }
    }

    /// The nanoseconds of one part.
    public subscript(part: Part) -> Int64 {
        switch part {
        case .onCPU: onCPU
        case .waitingForCPU: waitingForCPU
        case .blocked: blocked
        case .offThread: offThread
        case .unmeasured: unmeasured
        }
    }

    /// The sum of all parts. Clamped to the largest number.
    public var total: Int64 { Part.allCases.reduce(0) { $0.saturatingAdd(self[$1]) } }

    /// Adds part by part. A sum is clamped to the largest number, and exact if both are.
    public static func + (lhs: ExecutionParts, rhs: ExecutionParts) -> ExecutionParts {
        ExecutionParts(
            onCPU: lhs.onCPU.saturatingAdd(rhs.onCPU),
            waitingForCPU: lhs.waitingForCPU.saturatingAdd(rhs.waitingForCPU),
            blocked: lhs.blocked.saturatingAdd(rhs.blocked),
            offThread: lhs.offThread.saturatingAdd(rhs.offThread),
            unmeasured: lhs.unmeasured.saturatingAdd(rhs.unmeasured),
            isExact: lhs.isExact && rhs.isExact)
    }
}
