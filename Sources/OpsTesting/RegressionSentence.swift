import Inspector

/// What a check found, for the message of a test: the metric that decides with its numbers, what is to be known of the runs,
/// and where the time went.
struct RegressionSentence {
    private static let shownDelays = 3

    let text: String

    init(_ check: RegressionCheck) {
        var lines: [String] = []
        if let obstacle = check.obstacle {
            lines.append("inconclusive: \(obstacle)")
        } else {
            // The worst first.
            let decisive = check.primary.filter { check.verdict(of: $0) == check.verdict }
            lines += (decisive.isEmpty ? check.primary : decisive).map { Self.line($0, check) }
        }
        lines += check.notes
        if check.verdict == .regressed {
            let slower = check.delays.rows.filter { $0.difference > 0 }.prefix(Self.shownDelays).map {
                "\(TerminalText.escaped($0.label)) +\(DurationFormat.text(nanoseconds: $0.difference))"
            }
            if !slower.isEmpty { lines.append("where the time went: \(slower.joined(separator: ", "))") }
        }
        text = lines.joined(separator: "\n")
    }

    private static func line(_ comparison: MetricComparison, _ check: RegressionCheck) -> String {
        let before = DurationFormat.text(nanoseconds: comparison.baselineMedian)
        let after = DurationFormat.text(nanoseconds: comparison.currentMedian)
        let numbers =
            "\(TerminalText.escaped(comparison.metric.label)) \(check.verdict(of: comparison).rawValue): "
            + "\(before) → \(after), ×\(decimal(comparison.ratio)) "
            + "(95 % \(decimal(comparison.interval.lowerBound)) … \(decimal(comparison.interval.upperBound))), "
            + "\(check.baseline.runs.count) and \(check.current.runs.count) runs, "
            + "threshold \(decimal(check.policy.relativeThreshold * 100)) %"
        return comparison.reason.map { "\(numbers); \($0)" } ?? numbers
    }

    /// Three decimals, without a locale.
    private static func decimal(_ number: Double) -> String {
        guard let thousandths = Int64(exactly: (number * 1000).rounded()) else {
            return number > 0 ? "∞" : "0"
        }
        let digits = String(thousandths.magnitude)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        var text = "\(padded.dropLast(3)).\(padded.suffix(3))"
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return (thousandths < 0 ? "-" : "") + text
    }
}
