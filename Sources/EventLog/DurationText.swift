/// Formats durations for people, independent of the locale. Its public name is `DurationFormat`.
package enum DurationText {
    /// Three significant digits below a minute (`850 ns`, `12.3 µs`, `4.56 ms`, `1.23 s`), whole seconds
    /// below an hour (`2 min 3 s`), whole minutes beyond (`1 h 5 min`). Halves are rounded up.
    package static func text(nanoseconds: Int64) -> String {
        (nanoseconds < 0 ? "-" : "") + text(magnitude: nanoseconds.magnitude)
    }

    private static func text(magnitude: UInt64) -> String {
        if magnitude < 1000 { return "\(magnitude) ns" }
        let units: [(unit: String, nanoseconds: UInt64)] = [
            ("µs", 1000), ("ms", 1_000_000), ("s", 1_000_000_000),
        ]
        for (unit, nanoseconds) in units {
            for (decimals, scale) in [(2, 100), (1, 10), (0, 1)] as [(Int, UInt64)] {
                let count = rounded(magnitude, by: nanoseconds / scale)
                // Seconds go up to a whole minute, other units to the next unit.
                if count < 1000 && (unit != "s" || count < 60 * scale) {
                    return decimal(count, decimals: decimals) + " " + unit
                }
            }
        }
        let seconds = rounded(magnitude, by: 1_000_000_000)
        if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
        let minutes = rounded(magnitude, by: 60_000_000_000)
        return "\(Prose.grouped(minutes / 60)) h \(minutes % 60) min"
    }

    private static func rounded(_ value: UInt64, by unit: UInt64) -> UInt64 {
        value / unit + (value % unit >= (unit + 1) / 2 ? 1 : 0)
    }

    /// `count` with a decimal point before its last digits: 123 with two of them is `1.23`.
    private static func decimal(_ count: UInt64, decimals: Int) -> String {
        if decimals == 0 { return "\(count)" }
        let digits = String(count)
        return "\(digits.dropLast(decimals)).\(digits.suffix(decimals))"
    }
}
