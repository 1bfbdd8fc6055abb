import Foundation

/// What a check says, in sentences that every output has. They are safe for a terminal: each other output escapes them once
/// more, for what it is.
struct CheckWords {
    private static let longestName = 40
    /// Delays that the sentence names, and the least share of the change that is worth a name.
    private static let namedDelays = 3
    private static let leastNamedShare = 0.1

    let check: RegressionCheck

    /// Of each primary metric one sentence that begins with its verdict, the worst first; where something stands in the way of
    /// the whole check, that is first.
    var headlines: [String] {
        let metrics = check.primary.enumerated().sorted {
            (rank(check.verdict(of: $0.element)), $0.offset) < (
                rank(check.verdict(of: $1.element)), $1.offset
            )
        }.map(\.element)
        guard let obstacle = check.obstacle else {
            return metrics.isEmpty ? ["inconclusive: there is nothing to compare"] : metrics.map(headline)
        }
        return ["inconclusive: \(obstacle)"] + metrics.map { "\(change($0)); no verdict" }
    }

    /// `regressed: makespan 412 ms → 498 ms, +20.9 % pair by pair (95 % interval +17.2 % to +24.1 %), threshold 5 %`.
    func headline(_ comparison: MetricComparison) -> String {
        let sentence =
            "\(check.verdict(of: comparison).rawValue): \(change(comparison)), threshold \(threshold)"
        guard check.obstacle == nil, let reason = comparison.reason else { return sentence }
        return "\(sentence): \(TerminalText.escaped(reason.description))"
    }

    private func change(_ comparison: MetricComparison) -> String {
        "\(label(comparison.metric)) \(DurationFormat.text(nanoseconds: comparison.baselineMedian)) → "
            + "\(DurationFormat.text(nanoseconds: comparison.currentMedian)), "
            + ChangeText.percent(ratio: comparison.ratio) + (comparison.isPaired ? " pair by pair" : "")
            + (comparison.isIntervalSound
                ? " (\(Self.percent(comparison.confidence)) interval \(interval(comparison)))" : "")
    }

    func label(_ metric: TimingMetric) -> String {
        TerminalText.shortened(metric.label, toColumns: Self.longestName + 20)
    }

    /// `+17.2 % to +24.1 %`, or `-` where there is none that holds what it promises.
    func interval(_ comparison: MetricComparison) -> String {
        guard comparison.isIntervalSound else { return "-" }
        return interval(comparison.interval)
    }

    private func interval(_ interval: ClosedRange<Double>) -> String {
        "\(ChangeText.percent(ratio: interval.lowerBound)) to "
            + ChangeText.percent(ratio: interval.upperBound)
    }

    private var threshold: String {
        let relative = Self.percent(check.policy.relativeThreshold)
        guard check.policy.absoluteThreshold > 0 else { return relative }
        let absolute = DurationFormat.text(nanoseconds: check.policy.absoluteThreshold)
        return "\(relative) and \(absolute)"
    }

    /// `5 %`, `2.5 %`: no more decimals than there are.
    static func percent(_ share: Double) -> String {
        let text = String(format: "%.3f", share * 100)
        let trimmed = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
        return String(trimmed.reversed()) + " %"
    }

    private func rank(_ verdict: RegressionVerdict) -> Int {
        switch verdict {
        case .regressed: 0
        case .inconclusive: 1
        case .improved: 2
        case .unchanged: 3
        }
    }

    /// What was compared with what.
    var sides: String {
        "\(side(check.baseline, check.sessions.baseline, "Baseline")) "
            + side(check.current, check.sessions.current, "Current")
            + (check.policy.isInterleaved ? " Both were run in turn\(pairs)." : "")
    }

    private var pairs: String {
        (check.primary + check.others).contains(where: \.isPaired)
            ? "; where that is closer, changes are of neighbouring runs, pair by pair" : ""
    }

    private func side(_ side: CheckSide, _ sessions: Int, _ name: String) -> String {
        let label = side.label.map { " " + TerminalText.shortened($0, toColumns: 60) } ?? ""
        guard !side.runs.isEmpty else { return "\(name)\(label): no runs." }
        return "\(name)\(label): \(Prose.counted(side.runs.count, "run")) in "
            + "\(Prose.counted(sessions, "session")) on \(RunSelection.named(side.hosts))."
    }

    /// What made the makespan longer, in the mean of the runs; nil where nothing is compared.
    var whereTheTimeWent: String? {
        guard !check.baseline.runs.isEmpty, !check.current.runs.isEmpty else { return nil }
        let change = check.delays.makespan.current - check.delays.makespan.baseline
        let isProven = [.regressed, .improved].contains(check.verdict)
        let lead = isProven ? "Where the time went" : "Where the runs differ, proven or not"
        guard abs(change) >= 1 else { return "\(lead): in the mean the makespan is the same." }
        let rest = check.delays.rest.current - check.delays.rest.baseline
        let parts =
            check.delays.rows.map { (label($0), $0.difference) } + [
                ("before the chain of what delayed it", rest)
            ]
        let named = parts.enumerated().filter { _, part in
            part.1 * change > 0 && abs(part.1) >= abs(change) * Self.leastNamedShare
        }.sorted {
            (abs($1.element.1), $0.offset) < (abs($0.element.1), $1.offset)
        }.prefix(Self.namedDelays).map { "\($0.element.0) \(signed($0.element.1))" }
        return "\(lead): makespan \(signed(change)) in the mean; "
            + (named.isEmpty ? "many small parts." : "\(named.joined(separator: ", ")).")
    }

    func label(_ row: DelayShift.Row) -> String {
        TerminalText.shortened(row.label, toColumns: Self.longestName + 20)
    }

    /// `+81.0 ms`, or `-` where there is none.
    func signed(_ nanoseconds: Double) -> String {
        ChangeText.duration(Int64(exactly: nanoseconds.rounded()) ?? (nanoseconds < 0 ? .min : .max))
    }

    /// The critical path, and whether it is another one; nil where nothing is compared.
    var path: String? {
        guard let before = check.path.baseline, let after = check.path.current else { return nil }
        guard check.path.isChange else {
            return "The critical path is as it was: \(kinds(before))."
        }
        return "The critical path changed: it was \(kinds(before))\(share(before, check.baseline)), and is "
            + "\(kinds(after))\(share(after, check.current))."
    }

    private func kinds(_ path: PathChange.Path) -> String {
        path.kinds.isEmpty
            ? "empty"
            : path.kinds.map { TerminalText.shortened($0, toColumns: Self.longestName) }.joined(
                separator: " → ")
    }

    private func share(_ path: PathChange.Path, _ side: CheckSide) -> String {
        path.runs == side.runs.count ? "" : " (in \(path.runs) of \(Prose.counted(side.runs.count, "run")))"
    }
}
