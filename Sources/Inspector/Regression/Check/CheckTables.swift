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
            title: "Where the time went: what the makespan consisted of, in the mean of the runs",
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
            add("before the first of these", rest.baseline, rest.current)
        }
        add("makespan", check.delays.makespan.baseline, check.delays.makespan.current)
        return table
    }

    /// The primary metrics, then those that changed, then the others; and a line of how many are not shown.
    var metrics: (table: TextTable, rest: String)? {
        let changed = check.others.filter { [.regressed, .improved].contains(check.verdict(of: $0)) }
        let others = check.others.filter { ![.regressed, .improved].contains(check.verdict(of: $0)) }
        let all = check.primary + changed + others
        guard !all.isEmpty else { return nil }
        var table = TextTable(
            title: "Metrics: medians over the runs; the verdict is that of the primary ones",
            columns: [
                .name("metric"), .number("baseline"), .number("current"), .number("change"),
                .number("95 % interval", or: "interval"), .word("verdict"),
            ])
        for (index, comparison) in all.prefix(Self.mostMetrics).enumerated() {
            let verdict = check.verdict(of: comparison).rawValue
            table.rows.append([
                comparison.metric.label, Self.time(comparison.baselineMedian),
                Self.time(comparison.currentMedian), ChangeText.percent(ratio: comparison.ratio),
                words.interval(comparison), verdict + (index < check.primary.count ? ", primary" : ""),
            ])
        }
        let rest = all.count - Self.mostMetrics
        return (table, rest > 0 ? "\(Prose.counted(rest, "more metric")), in the JSON.\n" : "")
    }

    private static func time(_ nanoseconds: Double) -> String {
        abs(nanoseconds) < 0.5 ? "-" : DurationFormat.text(nanoseconds: nanoseconds)
    }
}
