/// Parses the thresholds of a check as people write them.
extension CheckPolicy {
    /// Parses `5%`, `2.5 %`: up to 1000 %. `nil` for anything else, including a plain number, because 0.05
    /// and 5 would be ambiguous.
    package static func share(_ text: String) -> Double? {
        let trimmed = text.filter { $0 != " " }
        guard trimmed.hasSuffix("%"), trimmed.utf8.dropLast().allSatisfy("0123456789.".utf8.contains),
            let percent = Double(trimmed.dropLast()), percent <= 1000
        else { return nil }
        return percent / 100
    }

    /// Parses `1ms`, `250 µs` as nanoseconds. `nil` for anything else.
    package static func nanoseconds(_ text: String) -> Int64? { DurationFormat.nanoseconds(text) }
}
