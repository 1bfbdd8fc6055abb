/// The tables of a check: where the time went, and every metric.
struct CheckTables {
    private static let mostDelays = 8
    static let mostMetrics = 24

    private let words: CheckWords
    /// The largest number of metrics; of the parts of the makespan, a third is shown, but at most eight.
    private let rows: Int
    private var check: RegressionCheck { words.check }

    init(_ words: CheckWords, rows: Int) {
        self.words = words
        self.rows = rows
    }

    private var shownDelays: Int { min(Self.mostDelays, max(1, rows / 3)) }

    /// The parts of the makespans: proven differences first, then by size. Nil if there is nothing to show.
    var delays: TextTable? {
        guard !check.delays.rows.isEmpty else { return nil }
        var table = TextTable(
            title: "Parts of the makespan, mean of the runs",
            columns: [
                .wholeName("what"), .number("baseline"), .number("current"), .number("change"), .word(""),
            ])
        func add(_ name: String, _ before: Double, _ after: Double, _ isProven: Bool = false) {
            let change = words.signed(after - before)
            table.rows.append([
                name, Self.time(before), Self.time(after), change,
                change == "-" ? "" : isProven ? "proven" : "not proven",
            ])
        }
        let rows = check.delays.rows
        for row in rows.prefix(shownDelays) { add(row.label, row.baseline, row.current, row.isProven) }
        let others = rows.dropFirst(shownDelays)
        if !others.isEmpty {
            add(
                Prose.counted(others.count, "other"), others.reduce(0) { $0 + $1.baseline },
                others.reduce(0) { $0 + $1.current })
        }
        let rest = check.delays.rest
        if max(abs(rest.baseline), abs(rest.current)) >= 1 {
            add(DelayChain.beforeFirst, rest.baseline, rest.current)
        }
        return table
    }

    /// Metrics that changed, those that did not, and last those without proof; primary metrics before the
    /// others. Also a line with the number that is not shown.
    ///
    /// - Parameter inWords: whether to write verdicts as words instead of marks only.
    func metrics(inWords: Bool) -> (table: TextTable, rest: String)? {
        let shown = self.shown
        guard !shown.isEmpty else { return nil }
        var table = TextTable(
            title: inWords
                ? "Metrics (* primary)"
                : "Metrics (▲ regressed ▼ improved = unchanged ? inconclusive * primary)",
            columns: [
                .word(""), .wholeName("metric"), .number("baseline"), .number("current"), .number("change"),
                .number("95 % interval"),
            ])
        for comparison in shown {
            let verdict = check.verdict(of: comparison)
            let isPrimary = check.primary.contains { $0.metric == comparison.metric }
            let mark = Self.mark(verdict) + (isPrimary ? "*" : "")
            table.rows.append([
                mark + (inWords ? " \(verdict.rawValue)" : ""), comparison.metric.label,
                Self.time(comparison.baselineTime), Self.time(comparison.currentTime),
                ChangeText.percent(ratio: comparison.ratio), words.interval(comparison),
            ])
        }
        let rest = check.primary.count + check.others.count - rows
        return (table, rest > 0 ? "\(Prose.counted(rest, "more metric")) in the JSON.\n" : "")
    }

    /// Why metrics of the table are inconclusive, a sentence for each cause. Empty if the headline
    /// already names the obstacle.
    var causes: [String] {
        guard check.obstacle == nil else { return [] }
        var metrics: [(cause: String, names: [String])] = []
        for comparison in shown {
            guard let cause = comparison.reason?.cause else { continue }
            let name = words.label(comparison.metric)
            if let known = metrics.firstIndex(where: { $0.cause == cause }) {
                metrics[known].names.append(name)
            } else {
                metrics.append((cause, [name]))
            }
        }
        return metrics.map { cause, names in
            let more = names.count - CheckWords.mostNamed
            let named =
                more > 1
                ? Array(names.prefix(CheckWords.mostNamed)) + [Prose.counted(more, "more metric")] : names
            return "Inconclusive because \(cause): \(Prose.list(named))."
        }
    }

    /// The metrics of the table.
    var shown: [MetricComparison] {
        ranked(Array((check.primary + ranked(check.others)).prefix(rows)))
    }

    private func ranked(_ comparisons: [MetricComparison]) -> [MetricComparison] {
        (0...2).flatMap { each in comparisons.filter { rank($0) == each } }
    }

    private func rank(_ comparison: MetricComparison) -> Int {
        switch check.verdict(of: comparison) {
        case .regressed, .improved: 0
        case .unchanged: 1
        case .inconclusive: 2
        }
    }

    static func mark(_ verdict: RegressionVerdict) -> String {
        switch verdict {
        case .regressed: "▲"
        case .improved: "▼"
        case .unchanged: "="
        case .inconclusive: "?"
        }
    }

    static func time(_ nanoseconds: Double) -> String {
        abs(nanoseconds) < 0.5 ? "-" : DurationFormat.text(nanoseconds: nanoseconds)
    }
}
