/// The ticks of a time axis: round times (1, 2 or 5 times a power of ten; for minutes and hours, the steps of
/// a clock), as close together as their labels allow.
package struct TimeAxis {
    /// Nanoseconds.
    package let start: Int64
    package let end: Int64
    package let ticks: [(time: Int64, label: String)]

    private struct Unit {
        let name: String
        let nanoseconds: Int64
    }

    private static let units = [
        Unit(name: "ns", nanoseconds: 1), Unit(name: "µs", nanoseconds: 1000),
        Unit(name: "ms", nanoseconds: 1_000_000), Unit(name: "s", nanoseconds: 1_000_000_000),
        Unit(name: "min", nanoseconds: 60_000_000_000), Unit(name: "h", nanoseconds: 3_600_000_000_000),
    ]

    /// - Parameters:
    ///   - end: after `start`. Both must be within the limits of ``OrderedTransitions``.
    ///   - room: how many characters of labels fit side by side.
    package init(from start: Int64, to end: Int64, room: Int) {
        self.start = start
        self.end = max(end, start + 1)
        for step in Self.steps(atLeast: max(1, (self.end - start) / 40)) {
            let ticks = Self.ticks(start, self.end, step)
            let longest = ticks.map { $0.label.count }.max() ?? 0
            if ticks.count * (longest + 3) <= room || ticks.count <= 1 {
                self.ticks = ticks
                return
            }
        }
        ticks = []
    }

    private static func ticks(_ start: Int64, _ end: Int64, _ step: Int64) -> [(time: Int64, label: String)] {
        let unit = unit(for: max(start.magnitude, end.magnitude), step)
        var time = start / step * step
        if time < start { time += step }
        var ticks: [(time: Int64, label: String)] = []
        while time <= end {
            ticks.append((time, label(time, unit, step)))
            time += step
        }
        return ticks
    }

    /// All round steps from `least` on, ascending. Decimal up to a minute. The longest are about as long as
    /// any trace.
    private static func steps(atLeast least: Int64) -> [Int64] {
        var steps: [Int64] = []
        var power: Int64 = 1
        while power <= 10_000_000_000 {
            steps += [power, power * 2, power * 5]
            power *= 10
        }
        let minute: Int64 = 60_000_000_000
        steps = steps.filter { $0 < minute }
        steps += [1, 2, 5, 10, 20, 30].map { $0 * minute }
        power = 60 * minute
        while power < 1 << 59 {
            steps += [power, power * 2, power * 5]
            power *= 10
        }
        return steps.filter { $0 >= least }
    }

    /// The largest unit in which the longest time is at least 1. Minutes and hours only if the steps are
    /// whole ones.
    private static func unit(for longest: UInt64, _ step: Int64) -> Unit {
        units.last { unit in
            longest >= unit.nanoseconds.magnitude
                && (unit.nanoseconds <= 1_000_000_000 || step % unit.nanoseconds == 0)
        } ?? units[0]
    }

    /// With exactly as many decimals as the step has.
    private static func label(_ time: Int64, _ unit: Unit, _ step: Int64) -> String {
        if time == 0 { return "0" }
        var decimals = 0
        var scale = unit.nanoseconds
        while step % scale != 0, scale % 10 == 0 {
            scale /= 10
            decimals += 1
        }
        let count = time.magnitude / scale.magnitude
        let sign = time < 0 ? "-" : ""
        if decimals == 0 { return "\(sign)\(count) \(unit.name)" }
        let digits = String(count)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals)) \(unit.name)"
    }
}
