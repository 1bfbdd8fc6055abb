import EventLog

/// How large a log may become, and what gives way when it is.
public struct LogLimit: Hashable, Sendable {
    /// What is lost when a log has reached its limit. Both are counted in the log.
    public enum Policy: Hashable, Sendable {
        /// What comes after is not recorded.
        case dropNewest
        /// The log holds the latest events, and those before them are overwritten, some thousands at a time,
        /// with their names. An event of a thread that records little may outlast its name, which is then
        /// shown as `?`, and counted. Each thread that records has 64 KiB of the log to itself: more threads
        /// than that leaves room for drop events.
        case keepLatest
    }

    /// Of the binary log. At least 1 MiB; a smaller number counts as that.
    public var bytes: UInt64
    /// What is lost when the limit is reached.
    public var policy: Policy

    /// A limit of less than 1 MiB becomes 1 MiB.
    public init(bytes: UInt64, policy: Policy = .dropNewest) {
        self.bytes = max(bytes, LogLimitText.smallest)
        self.policy = policy
    }

    /// As the environment gives it.
    init?(_ text: String) {
        guard let limit = LogLimitText(text) else { return nil }
        self.init(bytes: limit.bytes, policy: limit.keepsLatest ? .keepLatest : .dropNewest)
    }
}
