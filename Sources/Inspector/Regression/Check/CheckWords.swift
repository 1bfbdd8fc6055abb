import Foundation

/// The sentences of a check, for all outputs. They are safe for a terminal; other outputs also escape them as
/// needed.
struct CheckWords {
    /// How many other metrics, and delays in each direction, are named in sentences.
    static let mostNamed = 3
    /// The smallest fraction of the largest difference that is still named.
    private static let leastNamedShare = 0.1

    let check: RegressionCheck

    /// A sentence for each result, which begins with its verdict: proven primary metrics, the worst first;
    /// proven other metrics; and last the primary metrics without proof. An obstacle to the whole check comes
    /// first.
    var headlines: [String] {
        let metrics = check.primary.enumerated().sorted {
            (rank(check.verdict(of: $0.element)), $0.offset) < (
                rank(check.verdict(of: $1.element)), $1.offset
            )
        }.map(\.element)
        guard let obstacle = check.obstacle else {
            let open = metrics.filter { check.verdict(of: $0) == .inconclusive }
            return metrics.isEmpty
                ? ["inconclusive: there is nothing to compare"]
                : metrics.dropLast(open.count).map(headline) + alsoProven + open.map(headline)
        }
        return ["inconclusive: \(obstacle)"] + metrics.map { "\(change($0)); no verdict" }
    }

    /// Proven changes of other metrics that the primary metrics do not already show.
    var alsoProven: [String] { also.map(headline) }

    var also: [MetricComparison] {
        let named =
            switch check.verdict {
            case .regressed: [] as [MetricComparison]
            case .improved, .unchanged: check.proven(.regressed)
            case .inconclusive: check.proven(.regressed) + check.proven(.improved)
            }
        return Array(named.prefix(Self.mostNamed))
    }

    /// `inconclusive`, `inconclusive, execution of Resize regressed`.
    var title: String {
        check.verdict.rawValue
            + also.map { ", \(label($0.metric)) \(check.verdict(of: $0).rawValue)" }.joined()
    }

    /// `regressed: makespan 412 ms → 498 ms, +20.9 % (95 % interval +17.2 % to +24.1 %), threshold 5 %`.
    func headline(_ comparison: MetricComparison) -> String {
        let isPrimary = check.primary.contains { $0.metric == comparison.metric }
        let sentence =
            "\(check.verdict(of: comparison).rawValue)\(isPrimary ? "" : ", not primary"): "
            + "\(change(comparison)), threshold \(threshold)"
        guard check.obstacle == nil, let reason = comparison.reason else { return sentence }
        return "\(sentence): \(TerminalText.escaped(reason.description))"
    }

    private func change(_ comparison: MetricComparison) -> String {
        "\(label(comparison.metric)) \(DurationFormat.text(nanoseconds: comparison.baselineTime)) → "
            + "\(DurationFormat.text(nanoseconds: comparison.currentTime)), "
            + ChangeText.percent(ratio: comparison.ratio)
            + (comparison.isIntervalSound
                ? " (\(Self.percent(comparison.confidence)) interval \(interval(comparison)))" : "")
    }

    func label(_ metric: TimingMetric) -> String {
        TerminalText.shortened(metric.label, toColumns: TerminalText.longestName + 20)
    }

    /// `+17.2 % to +24.1 %`, or `-` without a sound interval.
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

    /// `5 %`, `2.5 %`: without superfluous decimals.
    static func percent(_ share: Double) -> String {
        let text = String(format: "%.3f", share * 100)
        let trimmed = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
        return String(trimmed.reversed()) + " %"
    }

    private func rank(_ verdict: RegressionVerdict) -> Int {
        switch verdict {
        case .regressed: 0
        case .improved: 1
        case .unchanged: 2
        case .inconclusive: 3
        }
    }

    /// Where the time went, and whether the critical path changed: a sentence each.
    var explanations: [String] { whereTheTimeWent + [path].compactMap { $0 } }

    /// The two sides of the comparison.
    var sides: String {
        "\(side(check.baseline, check.sessions.baseline, "Baseline")) "
            + side(check.current, check.sessions.current, "Current")
            + (check.policy.isInterleaved ? " They were run alternately\(order)\(pairs)." : "")
    }

    private var order: String {
        check.policy.orderSeed.map { ", in an order shuffled by the seed \($0)" } ?? ""
    }

    private var pairs: String {
        (check.primary + check.others).contains(where: \.isPaired)
            ? "; times and changes compare neighbouring runs in pairs where that is more precise" : ""
    }

    private func side(_ side: CheckSide, _ sessions: Int, _ name: String) -> String {
        let label = side.label.map { " " + TerminalText.shortened($0, toColumns: 60) } ?? ""
        guard !side.runs.isEmpty else { return "\(name)\(label): no runs." }
        return "\(name)\(label): \(Prose.counted(side.runs.count, "run")) in "
            + "\(Prose.counted(sessions, "session")) on \(RunSelection.named(side.hosts))."
    }

    /// The parts of the makespan's change, and what the executions that changed spent the difference on.
    var whereTheTimeWent: [String] {
        [partsOfMakespan].compactMap { $0 }
            + ExecutionWitness.all(of: check).prefix(Self.mostNamed).map { $0.sentence(self) }
    }

    /// Proven parts first. Nil without a difference.
    private var partsOfMakespan: String? {
        guard !check.baseline.runs.isEmpty, !check.current.runs.isEmpty else { return nil }
        let all = check.delays.rows
        let proven = named(all.filter(\.isProven), besides: all.filter(\.isProven))
        let open = named(all.filter { !$0.isProven }, besides: all)
        if proven.isEmpty {
            return open.isEmpty ? nil : "Where the time went, not proven: \(open) on average."
        }
        return "Where the time went: \(proven) on average" + (open.isEmpty ? "." : "; not proven: \(open).")
    }

    /// For a makespan that changed, the parts that changed in the same direction.
    private func named(_ rows: [DelayShift.Row], besides others: [DelayShift.Row]) -> String {
        let direction: Double? =
            switch makespanVerdict {
            case .regressed: 1
            case .improved: -1
            case .unchanged, .inconclusive, nil: nil
            }
        let greatest = others.map { abs($0.difference) }.max() ?? 0
        return rows.filter { row in
            abs(row.difference) >= max(greatest * Self.leastNamedShare, 0.5)
                && (direction.map { row.difference * $0 > 0 } ?? true)
        }.prefix(Self.mostNamed).map { "\(label($0)) \(signed($0.difference))" }.joined(separator: ", ")
    }

    private var makespanVerdict: RegressionVerdict? {
        (check.primary + check.others).first { $0.metric == .makespan }.map(check.verdict(of:))
    }

    func label(_ row: DelayShift.Row) -> String {
        TerminalText.shortened(row.label, toColumns: TerminalText.longestName + 20)
    }

    /// `+81.0 ms`, or `-` for none.
    func signed(_ nanoseconds: Double) -> String {
        ChangeText.duration(Int64(rounding: nanoseconds))
    }

    /// The critical path, and whether it changed; nil if nothing is compared.
    private var path: String? {
        guard let before = check.path.baseline, let after = check.path.current else { return nil }
        guard check.path.isChange else {
            return "The critical path is unchanged: \(kinds(before))."
        }
        return "The critical path changed: it was \(kinds(before))\(share(before, check.baseline)), and is "
            + "\(kinds(after))\(share(after, check.current))."
    }

    private func kinds(_ path: PathChange.Path) -> String {
        path.kinds.isEmpty
            ? "empty"
            : path.kinds.map { TerminalText.shortened($0) }.joined(
                separator: " → ")
    }

    private func share(_ path: PathChange.Path, _ side: CheckSide) -> String {
        let all = Prose.counted(side.runs.count, "run")
        return path.runs == side.runs.count ? "" : " (in \(Prose.grouped(path.runs)) of \(all))"
    }
}
