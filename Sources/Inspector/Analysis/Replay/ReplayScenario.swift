/// How many slots the queues of a replay have.
public enum ReplaySlots: Hashable, Sendable {
    /// As many as each queue had at each time.
    case recorded
    /// This many for every queue.
    case limited(Int)
    /// No limit: operations wait only for each other.
    case unlimited

    /// The limit of every queue; `nil` for the recorded one, -1 for no limit.
    var limit: Int? {
        switch self {
        case .recorded: nil
        case .limited(let limit): max(0, limit)
        case .unlimited: -1
        }
    }
}

/// How many processors a replay has, or how many threads libdispatch's pool has.
public enum ReplayProcessors: Hashable, Sendable {
    /// As many as in the recorded run.
    case recorded
    /// This many; at least one.
    case limited(Int)
    /// No limit.
    case unlimited

    /// Nil for no limit.
    func number(recorded: Int?) -> Int? {
        switch self {
        case .recorded: recorded
        case .limited(let limit): max(1, limit)
        case .unlimited: nil
        }
    }
}

/// What a replay changes.
public struct ReplayScenario: Hashable, Sendable {
    /// The slots of every queue.
    public var slots = ReplaySlots.recorded
    /// The slots of single queues, by index in the trace. They take precedence over `slots`.
    public var slotsOfQueues: [Int: ReplaySlots] = [:]
    /// The processors of each machine. Without effect if the trace does not say when threads were on
    /// processors; this applies to all that follows about processors and threads.
    public var processors = ReplayProcessors.recorded
    /// The threads that each process has for operations. An operation needs one while it executes, also
    /// while it is blocked.
    public var pool = ReplayProcessors.recorded
    /// For each kind, the factor for its operations' execution times, from 0 to 1000. It does not apply to
    /// the execution of a parent's children.
    public var scales: [String: Double] = [:]
    /// Whether the replay leaves out the time for which other threads had the processors.
    public var isAlone = false
    /// Whether the recorded processors are there all the time, whatever the quota of CPU time.
    package var isWithoutQuota = false
    /// The queues whose operations never block.
    package var queuesWithoutBlocking: Set<Int> = []

    /// The recorded run with these changes.
    public init(
        slots: ReplaySlots = .recorded, processors: ReplayProcessors = .recorded,
        pool: ReplayProcessors = .recorded, scales: [String: Double] = [:]
    ) {
        self.slots = slots
        self.processors = processors
        self.pool = pool
        self.scales = scales
    }

    /// Whether slots and processors are those of the recorded run.
    var keepsLimits: Bool {
        slots == .recorded && slotsOfQueues.isEmpty && processors == .recorded
    }
}
