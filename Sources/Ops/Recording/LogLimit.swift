import EventLog

/// How large a log may become, and what to drop when it is full.
public struct LogLimit: Hashable, Sendable {
    /// What is lost when a log has reached its limit. The log counts the losses.
    public enum Policy: Hashable, Sendable {
        /// Later events are not recorded.
        case dropNewest
        /// The log keeps the latest events. Older ones are overwritten, some thousands at a time, together
        /// with their names. An event of a thread that records little may outlast its name, which is then
        /// shown as `?`, and counted. Each recording thread takes 64 KiB of the log for itself. If the log is
        /// too small for that many threads, events of further threads are dropped.
        case keepLatest
    }

    /// The size of the binary log, in bytes. At least 1 MiB; smaller numbers count as 1 MiB.
    public var bytes: UInt64
    /// What is lost when the limit is reached.
    public var policy: Policy

    /// A limit of less than 1 MiB becomes 1 MiB.
    public init(bytes: UInt64, policy: Policy = .dropNewest) {
        self.bytes = max(bytes, LogLimitText.smallest)
        self.policy = policy
    }

    /// Parses a limit from the environment.
    init?(_ text: String) {
        guard let limit = LogLimitText(text) else { return nil }
        self.init(bytes: limit.bytes, policy: limit.keepsLatest ? .keepLatest : .dropNewest)
    }
}
