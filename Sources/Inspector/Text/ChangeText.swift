/// Formats a difference between two runs, always with its sign.
package enum ChangeText {
    package static let caution = "Two single runs prove nothing: runs of the same program differ, too."

    /// `+12.0 ms`, `-3.00 µs`, or `-` for no difference.
    package static func duration(_ nanoseconds: Int64) -> String {
        if nanoseconds == 0 { return "-" }
        return (nanoseconds > 0 ? "+" : "") + DurationFormat.text(nanoseconds: nanoseconds)
    }

    package static func duration(from before: Int64, to after: Int64) -> String {
        let (difference, overflow) = after.subtractingReportingOverflow(before)
        return duration(overflow ? .max : difference)
    }

    package static func count(from before: Int, to after: Int) -> String {
        after == before ? "-" : (after > before ? "+" : "-") + Prose.grouped(abs(after - before))
    }

    /// `+13 %`. Empty if the value before was 0, or if the percentage is too large to be useful.
    package static func percent(from before: Int64, to after: Int64) -> String {
        guard before > 0, after != before else { return "" }
        let percent = ((Double(after) - Double(before)) / Double(before) * 100).rounded()
        guard abs(percent) < 100_000 else { return "" }
        return (percent > 0 ? "+" : percent < 0 ? "-" : "") + "\(Prose.grouped(Int(abs(percent)))) %"
    }

    /// `+20.9 %` for the ratio 1.209; `12.3 ×` for large ratios; `∞` if the value before was 0.
    package static func percent(ratio: Double) -> String {
        guard ratio.isFinite, ratio < 1e9 else { return "∞" }
        if ratio >= 10 { return "\(oneDecimal(ratio)) ×" }
        let percent = oneDecimal(abs(ratio - 1) * 100)
        return (percent == "0.0" ? "±" : ratio < 1 ? "-" : "+") + percent + " %"
    }

    private static func oneDecimal(_ value: Double) -> String {
        let tenths = Int64((value * 10).rounded())
        return "\(Prose.grouped(tenths / 10)).\(tenths % 10)"
    }

    /// `-0.43`.
    package static func decimal(from before: Double, to after: Double) -> String {
        let difference = after - before
        let text = Prose.twoDecimals(abs(difference))
        return text == "0.00" ? "-" : (difference < 0 ? "-" : "+") + text
    }
}
