/// How large a log may become, and what gives way when it is.
public struct LogLimit: Hashable, Sendable {
    /// What is lost when a log has reached its limit. Both are counted in the log.
    public enum Policy: Hashable, Sendable {
        /// What comes after is not recorded.
        case dropNewest
        /// The log holds the latest events, and those before them are overwritten, some thousands at a time. Names stay.
        /// Each thread that records has 64 KiB of the log to itself: more threads than that leaves room for drop events.
        case keepLatest
    }

    /// Of the binary log. At least 1 MiB; a smaller number counts as that.
    public var bytes: UInt64
    public var policy: Policy

    public init(bytes: UInt64, policy: Policy = .dropNewest) {
        self.bytes = max(bytes, 1 << 20)
        self.policy = policy
    }

    /// `64M`, `2G latest`: a number of bytes, KiB (`K`), MiB (`M`) or GiB (`G`), and which events are kept.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard var digits = words.first, words.count <= 2 else { return nil }
        let shift: UInt64? =
            switch digits.last {
            case "K": 10
            case "M": 20
            case "G": 30
            default: nil
            }
        if shift != nil { digits.removeLast() }
        guard let number = UInt64(digits), number <= UInt64.max >> (shift ?? 0) else { return nil }
        guard words.count == 1 || words[1] == "latest" else { return nil }
        self.init(bytes: number << (shift ?? 0), policy: words.count == 2 ? .keepLatest : .dropNewest)
    }
}
