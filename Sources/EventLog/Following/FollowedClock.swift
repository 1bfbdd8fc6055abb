/// The clock of a growing log: what is known of its rate by now.
///
/// `LogClock` looks up the two anchors around a time. Here those after it are not written yet, and those
/// before are not kept: times go on from the last anchor, by the rate since the start.
struct FollowedClock {
    /// 36 years: only a damaged log has times further off, and differences of what is within cannot overflow.
    private static let furthest: Int64 = 1 << 60

    private let countsTicks: Bool
    private let start: LogClock.Anchor
    private var last: LogClock.Anchor
    private var rate = 1.0

    init(_ header: BinaryLogHeader) {
        countsTicks = header.countsTicks
        start = header.start
        last = header.start
    }

    /// What contradicts the anchors before is left out.
    mutating func add(_ anchor: LogClock.Anchor) {
        guard countsTicks, anchor.time > last.time, anchor.monotonic > last.monotonic else { return }
        last = anchor
        rate = Double(anchor.monotonic - start.monotonic) / Double(anchor.time - start.time)
    }

    /// Nanoseconds since the start of the log, 36 years at most in either direction.
    func nanoseconds(_ time: UInt64) -> Int64 {
        guard countsTicks else { return Self.bounded(Int64(bitPattern: time &- start.time)) }
        let furthest = Double(Self.furthest)
        let sinceAnchor = Double(Int64(bitPattern: time &- last.time)) * rate
        let before = Self.bounded(Int64(clamping: last.monotonic - start.monotonic))
        return Self.bounded(before + Int64(min(max(sinceAnchor.rounded(), -furthest), furthest)))
    }

    private static func bounded(_ time: Int64) -> Int64 { min(max(time, -furthest), furthest) }
}
