/// Formats durations for people, independent of the locale.
public enum DurationFormat {
    /// Three significant digits below a minute (`850 ns`, `12.3 µs`, `4.56 ms`, `1.23 s`), whole seconds
    /// below an hour (`2 min 3 s`), whole minutes beyond (`1 h 5 min`). Halves are rounded up.
    public static func text(nanoseconds: Int64) -> String {
        DurationText.text(nanoseconds: nanoseconds)
    }

    /// For example, a mean: rounded to whole nanoseconds first. NaN is formatted as 0.
    public static func text(nanoseconds: Double) -> String {
        text(nanoseconds: nanoseconds.isNaN ? 0 : Int64(rounding: nanoseconds))
    }

    /// Parses `1.2s`, `250 ms`, `2min`: a number and its unit (ns, us, µs, ms, s, min, h). `nil` for anything
    /// else, and for durations over 292 years, which nanoseconds cannot count: a limit that nothing can reach
    /// is a mistake.
    package static func nanoseconds(_ text: some StringProtocol) -> Int64? {
        let units: [(String, Double)] = [
            ("ns", 1), ("us", 1e3), ("µs", 1e3), ("μs", 1e3), ("ms", 1e6), ("min", 60e9), ("s", 1e9),
            ("h", 3.6e12),
        ]
        let trimmed = String(text.filter { $0 != " " })
        guard let (unit, scale) = units.first(where: { trimmed.hasSuffix($0.0) }) else { return nil }
        let digits = trimmed.dropLast(unit.count)
        // `Double` would also accept hexadecimal digits.
        guard digits.first?.isNumber == true, digits.utf8.allSatisfy("0123456789.eE+-".utf8.contains),
            let number = Double(digits)
        else { return nil }
        return Int64(exactly: (number * scale).rounded())
    }

    /// A fraction as a percentage, independent of the locale: `12.3 %` for 0.123.
    package static func percent(_ share: Double) -> String {
        let tenths = Int64(rounding: share * 1000)
        let magnitude = tenths.magnitude
        return (tenths < 0 ? "-" : "") + "\(Prose.grouped(magnitude / 10)).\(magnitude % 10) %"
    }
}
