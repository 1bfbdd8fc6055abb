/// What one run is compared by: its times, and what must be known of it before they are compared.
public struct RunTimings: Hashable, Sendable {
    /// The operations of one kind.
    public struct Kind: Hashable, Sendable {
        public let name: String
        /// Those that were enqueued.
        public let count: Int
        /// Parts that took no operation any time are left out.
        public let samples: [Waits.Part: TimingSamples]
    }

    /// A stretch of what the makespan consisted of: what operations of a kind did, or waited for.
    public struct Delay: Hashable, Sendable {
        /// Nil for time outside of operations, before one was added.
        public let kind: String?
        public let part: Waits.Part
        public let nanoseconds: Int64
    }

    /// The longest critical path, in kinds, that is kept.
    static let mostPathSteps = 24

    public let process: String
    public let host: String
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    public let start: Int64
    public let droppedEvents: UInt64
    /// The log was ended by the recorder: the program was not killed, and is not running any more.
    public let isClosed: Bool
    public let failed: Int
    public let cancelled: Int
    public let unfinished: Int
    /// Nanoseconds.
    public let makespan: Int64
    /// Nanoseconds.
    public let criticalPathLength: Int64
    /// Sums over all operations.
    public let totals: Waits
    /// By name.
    public let kinds: [Kind]
    /// What the makespan consisted of, by kind and part, the longest first: the sum is the length of the chain of all that
    /// delayed the run.
    public let delays: [Delay]
    /// The kinds along the critical path, the same one after another once.
    public let path: [String]
}
