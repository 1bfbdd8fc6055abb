/// The clock of a growing log, with what is known about its rate so far.
///
/// `LogClock` interpolates between the two anchors around a time. Here the later anchor is not written yet,
/// and earlier ones are not kept. So times are extrapolated from the last anchor, with the rate since the
/// start.
struct FollowedClock {
    /// 36 years. Only a damaged log has times further away, and differences within this range cannot
    /// overflow.
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

    /// Ignores an anchor that contradicts earlier ones.
    mutating func add(_ anchor: LogClock.Anchor) {
        guard countsTicks, anchor.time > last.time, anchor.monotonic > last.monotonic else { return }
        last = anchor
        rate = Double(anchor.monotonic - start.monotonic) / Double(anchor.time - start.time)
    }

    /// Nanoseconds since the start of the log, at most 36 years in either direction.
    func nanoseconds(_ time: UInt64) -> Int64 {
        guard countsTicks else { return Self.bounded(Int64(bitPattern: time &- start.time)) }
        let furthest = Double(Self.furthest)
        let sinceAnchor = Double(Int64(bitPattern: time &- last.time)) * rate
        let before = Self.bounded(Int64(clamping: last.monotonic - start.monotonic))
        return Self.bounded(before + Int64(min(max(sinceAnchor.rounded(), -furthest), furthest)))
    }

    private static func bounded(_ time: Int64) -> Int64 { min(max(time, -furthest), furthest) }
}
