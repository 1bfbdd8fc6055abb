/// Converts the times of a binary log into nanoseconds since its start.
struct LogClock {
    /// A time of the log's clock, and the time of the monotonic clock at the same moment, in nanoseconds.
    struct Anchor {
        var time: UInt64
        var monotonic: UInt64
    }

    /// At least two, strictly ascending; empty for a clock that counts nanoseconds itself.
    private let anchors: [Anchor]
    private let start: Anchor
    /// The anchor before the last requested time: times come nearly in order.
    private var last = 0

    /// - Parameters:
    ///   - start: the origin of the log's times.
    ///   - anchors: in any order. Anchors that contradict the others are left out.
    init(countsTicks: Bool, start: Anchor, anchors: [Anchor]) {
        self.start = start
        guard countsTicks else {
            self.anchors = []
            return
        }
        var ascending = [start]
        for anchor in anchors.sorted(by: { $0.time < $1.time }) {
            guard let previous = ascending.last, anchor.time > previous.time,
                anchor.monotonic > previous.monotonic
            else { continue }
            ascending.append(anchor)
        }
        self.anchors = ascending
    }

    /// Nanoseconds since the start. Between anchors exact up to the clocks' own deviation; outside of them by
    /// the rate of the nearest two. Ascends as `time` does.
    mutating func nanoseconds(_ time: UInt64) -> Int64 {
        guard anchors.count > 1 else { return Self.difference(time, start.time) }
        if time < anchors[last].time || (last + 2 < anchors.count && time >= anchors[last + 1].time) {
            last = min(max(0, firstIndex(after: time) - 1), anchors.count - 2)
        }
        let (before, after) = (anchors[last], anchors[last + 1])
        let sinceAnchor = Self.scaled(
            Self.difference(time, before.time), by: after.monotonic - before.monotonic,
            over: after.time - before.time)
        return Self.difference(before.monotonic, start.monotonic).addingSaturated(sinceAnchor)
    }

    /// The index of the first anchor after `time`.
    private func firstIndex(after time: UInt64) -> Int {
        var (low, high) = (0, anchors.count)
        while low < high {
            let middle = (low + high) / 2
            if anchors[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// `first - second` for times that are near each other, on a counter that may wrap.
    private static func difference(_ first: UInt64, _ second: UInt64) -> Int64 {
        Int64(bitPattern: first &- second)
    }

    /// `value · numerator / denominator`, rounded towards zero, without intermediate overflow.
    private static func scaled(_ value: Int64, by numerator: UInt64, over denominator: UInt64) -> Int64 {
        let product = value.magnitude.multipliedFullWidth(by: numerator)
        guard product.high < denominator else { return value < 0 ? -.max : .max }
        let quotient = Int64(clamping: denominator.dividingFullWidth(product).quotient)
        return value < 0 ? -quotient : quotient
    }
}

extension Int64 {
    fileprivate func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
