/// The tables of a check: where the time went, and every metric.
struct CheckTables {
    private static let mostDelays = 8
    private static let mostMetrics = 24

    private let words: CheckWords
    private var check: RegressionCheck { words.check }

    init(_ words: CheckWords) { self.words = words }

    /// What the makespans consisted of, the largest difference first; the last row is the sum. Nil where there is nothing.
    var delays: TextTable? {
        guard !check.delays.rows.isEmpty else { return nil }
        var table = TextTable(
            title: "What the makespan consisted of, in the mean of the runs",
            columns: [.name("what"), .number("baseline"), .number("current"), .number("change")])
        func add(_ name: String, _ before: Double, _ after: Double) {
            table.rows.append([name, Self.time(before), Self.time(after), words.signed(after - before)])
        }
        let rows = check.delays.rows
        for row in rows.prefix(Self.mostDelays) { add(row.label, row.baseline, row.current) }
        let others = rows.dropFirst(Self.mostDelays)
        if !others.isEmpty {
            add(
                Prose.counted(others.count, "other"), others.reduce(0) { $0 + $1.baseline },
                others.reduce(0) { $0 + $1.current })
        }
        let rest = check.delays.rest
        if max(abs(rest.baseline), abs(rest.current)) >= 1 {
            add("before the chain of these", rest.baseline, rest.current)
        }
        add("makespan", check.delays.makespan.baseline, check.delays.makespan.current)
        return table
    }

    /// The primary metrics, then those that changed, then the others; and a line of how many are not shown.
    ///
    /// - Parameter inWords: verdicts as words and not only as marks.
    func metrics(inWords: Bool) -> (table: TextTable, rest: String)? {
        let changed = check.others.filter { [.regressed, .improved].contains(check.verdict(of: $0)) }
        let others = check.others.filter { ![.regressed, .improved].contains(check.verdict(of: $0)) }
        let all = check.primary + changed + others
        guard !all.isEmpty else { return nil }
        var table = TextTable(
            title: inWords
                ? "Metrics, medians over the runs (* primary)"
                : "Metrics (▲ regressed ▼ improved = unchanged ? inconclusive * primary)",
            columns: [
                .word(""), .name("metric"), .number("baseline"), .number("current"), .number("change"),
                .number("95 % interval"),
            ])
        for (index, comparison) in all.prefix(Self.mostMetrics).enumerated() {
            let verdict = check.verdict(of: comparison)
            let mark = Self.mark(verdict) + (index < check.primary.count ? "*" : "")
            table.rows.append([
                mark + (inWords ? " \(verdict.rawValue)" : ""), comparison.metric.label,
                Self.time(comparison.baselineMedian), Self.time(comparison.currentMedian),
                ChangeText.percent(ratio: comparison.ratio), words.interval(comparison),
            ])
        }
        let rest = all.count - Self.mostMetrics
        return (table, rest > 0 ? "\(Prose.counted(rest, "more metric")) in the JSON.\n" : "")
    }

    private static func mark(_ verdict: RegressionVerdict) -> String {
        switch verdict {
        case .regressed: "▲"
        case .improved: "▼"
        case .unchanged: "="
        case .inconclusive: "?"
        }
    }

    private static func time(_ nanoseconds: Double) -> String {
        abs(nanoseconds) < 0.5 ? "-" : DurationFormat.text(nanoseconds: nanoseconds)
    }
}
