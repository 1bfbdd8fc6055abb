/// Two runs compared, as text and as Markdown: the figures of the runs, of each kind, and of the operations
/// with the largest changes.
public struct ComparisonReport: Sendable {
    private static let mostKinds = 20
    private static let mostOperations = 20
    package static let caution =
        "Two single runs prove nothing: runs of the same program differ, too. opviz check runs both versions "
        + "several times, and decides."

    private let comparison: TraceComparison
    private let names: (before: String, after: String)

    /// - Parameters:
    ///   - before: the name of the earlier run, for example its file.
    ///   - after: the name of the later run.
    public init(_ comparison: TraceComparison, before: String, after: String) {
        self.comparison = comparison
        names = (before, after)
    }

    /// Safe for a terminal with this many columns.
    public func text(width: Int = 80) -> String {
        let heading =
            TerminalText.shortened(names.before, toColumns: width) + " → "
            + TerminalText.shortened(names.after, toColumns: width)
        var text = Prose.wrapped(heading, to: width) + "\n"
        text += Prose.wrapped(Self.caution, to: width) + "\n\n"
        if let words = comparison.incompleteness { text += Prose.wrapped(words, to: width) + "\n\n" }
        text += figures.text(width: width) + "\n" + Prose.wrapped(structure, to: width) + "\n"
        for section in sections { text += "\n" + section.table.text(width: width) + section.lastLine }
        return text
    }

    /// For a comment on a pull request.
    public func markdown() -> String {
        var text = "## \(MarkdownText.escaped(names.before)) → \(MarkdownText.escaped(names.after))\n\n"
        text += "> \(Self.caution)\n\n"
        if let words = comparison.incompleteness { text += "**\(words)**\n\n" }
        text += figures.markdown() + "\n" + structure + "\n"
        for section in sections { text += "\n" + section.table.markdown() + section.lastLine }
        return text
    }

    /// A table of kinds or operations.
    package struct Section {
        package let table: TextTable
        /// Of operations: those of the table.
        package let rows: [TraceComparison.Row]
        /// How many others there are; empty for none.
        package let rest: String

        fileprivate init(
            _ table: TextTable, _ rows: ArraySlice<TraceComparison.Row>, _ count: Int, _ noun: String
        ) {
            self.table = table
            self.rows = Array(rows)
            let more = count - table.rows.count
            rest = more > 0 ? Prose.counted(more, "more \(noun)") : ""
        }

        fileprivate var lastLine: String { rest.isEmpty ? "" : "\n\(rest)\n" }
    }

    private var sections: [Section] { [endings, kinds, changed].compactMap { $0 } }

    package var figures: TextTable {
        let (before, after) = (comparison.before, comparison.after)
        let isComparable = comparison.incompleteness == nil
        var table = TextTable(
            title: "The runs",
            columns: [
                .word("figure"), .number("before"), .number("after"), .number("change"), .number(""),
            ])
        func add(_ name: String, _ first: Int64, _ second: Int64) {
            if first == 0 && second == 0 { return }
            table.rows.append([
                name, DurationFormat.text(nanoseconds: first), DurationFormat.text(nanoseconds: second),
                isComparable ? ChangeText.duration(from: first, to: second) : "",
                isComparable ? ChangeText.percent(from: first, to: second) : "",
            ])
        }
        func add(_ name: String, counts first: Int, _ second: Int) {
            table.rows.append([
                name, Prose.grouped(first), Prose.grouped(second),
                ChangeText.count(from: first, to: second), "",
            ])
        }
        let totals = comparison.totals
        add("operations", counts: totals.before.count, totals.after.count)
        for change in EndingCounts.changes(from: totals.before.endings, to: totals.after.endings) {
            add(change.label, counts: change.before, change.after)
        }
        add("makespan", before.makespan, after.makespan)
        add("critical path", before.criticalPath.length, after.criticalPath.length)
        add("work", before.work, after.work)
        if let first = before.parallelism, let second = after.parallelism {
            table.rows.append([
                "parallelism", Prose.twoDecimals(first), Prose.twoDecimals(second),
                isComparable ? ChangeText.decimal(from: first, to: second) : "", "",
            ])
        }
        for part in LifetimeParts.Part.allCases where part != .execution {
            add("mean \(part.label)", totals.before.mean[part], totals.after.mean[part])
        }
        return table
    }

    /// What the runs have in common.
    package var structure: String {
        let both = comparison.rows.count - comparison.count(of: .new) - comparison.count(of: .gone)
        var parts = ["\(Prose.counted(both, "operation")) in both"]
        if comparison.moved > 0 {
            parts.append(
                "\(Prose.grouped(comparison.moved)) of them elsewhere in the graph, "
                    + "or with other dependencies"
            )
        }
        let words: [(TraceComparison.Change, String)] = [
            (.endedDifferently, "ended differently"), (.neverFinished, "never finished in either run"),
            (.slower, "took longer"), (.faster, "took less time"), (.new, "new"), (.gone, "gone"),
        ]
        for (change, word) in words where comparison.count(of: change) > 0 {
            parts.append("\(Prose.grouped(comparison.count(of: change))) \(word)")
        }
        if both == 0, !comparison.rows.isEmpty {
            return "No operation is in both runs: none has the same kind and name."
        }
        return parts.joined(separator: ", ") + "."
    }

    package var kinds: Section? {
        guard !comparison.kinds.isEmpty else { return nil }
        var table = TextTable(
            title: "By kind, on average",
            columns: [
                .name("kind"), .number("count"), .number("executed", or: "exec."), .number("after"),
                .number("change"),
                .number("waited"), .number("after"), .number("change"),
            ])
        for kind in comparison.kinds.prefix(Self.mostKinds) {
            let (before, after) = (kind.before, kind.after)
            table.rows.append(
                [
                    kind.name,
                    before.count == after.count
                        ? Prose.grouped(after.count)
                        : "\(Prose.grouped(before.count)) → \(Prose.grouped(after.count))",
                ] + Self.change(before.mean.execution, after.mean.execution, kind.isComparable)
                    + Self.change(before.meanWait, after.meanWait, kind.isComparable))
        }
        return Section(table, [], comparison.kinds.count, "kind")
    }

    package var endings: Section? {
        let changed = comparison.changed.filter(comparison.isAboutEnding)
        guard !changed.isEmpty else { return nil }
        var table = TextTable(
            title: "Operations that ended differently, or never",
            columns: [.word(""), .name("name"), .detail("kind"), .word("before"), .word("after")])
        let rows = changed.prefix(Self.mostOperations)
        for row in rows {
            let operation = comparison.operation(row)
            let words = comparison.endingWords(row)
            table.rows.append([
                row.change.mark, operation.displayName, operation.kind, words.before ?? "new",
                words.after ?? "gone",
            ])
        }
        return Section(table, rows, changed.count, "operation")
    }

    private var changed: Section? {
        operations("Operations that changed most (waits for dependencies not counted)") { _ in true }
    }

    /// What grew and what is new.
    package var longer: Section? {
        operations("Took longer, or are new (waits for dependencies not counted)") {
            $0.change == .slower || $0.change == .new
        }
    }

    /// What shrank and what is gone.
    package var shorter: Section? {
        operations("Took less time, or are gone (waits for dependencies not counted)") {
            $0.change == .faster || $0.change == .gone
        }
    }

    private func operations(
        _ title: String, where isShown: (TraceComparison.Row) -> Bool
    ) -> Section? {
        let changed = comparison.changed.filter { !comparison.isAboutEnding($0) && isShown($0) }
        guard !changed.isEmpty else { return nil }
        var table = TextTable(
            title: title,
            columns: [
                .word(""), .name("name"), .detail("kind"), .number("took"), .number("after"),
                .number("change"), .number("executed", or: "exec."), .number("waited"),
            ])
        let rows = changed.prefix(Self.mostOperations)
        for row in rows {
            let (first, second) = (waits(row.before, comparison.before), waits(row.after, comparison.after))
            let operation = comparison.operation(row)
            let times = [first, second].map { $0.map { $0.total - $0.dependency } }
            let waited = [first, second].map { $0.map { $0.total - $0.dependency - $0.execution } ?? 0 }
            table.rows.append([
                row.change.mark, operation.displayName, operation.kind,
                comparison.endings(row).before?.isUnfinished == true
                    ? ExactEnding.neverFinished.label
                    : times[0].map { DurationFormat.text(nanoseconds: $0) } ?? "new",
                times[1].map { DurationFormat.text(nanoseconds: $0) } ?? "gone",
                row.difference.map { ChangeText.duration($0) } ?? "",
                ChangeText.duration(from: first?.execution ?? 0, to: second?.execution ?? 0),
                ChangeText.duration(from: waited[0], to: waited[1]),
            ])
        }
        return Section(table, rows, changed.count, "operation")
    }

    private func waits(_ index: Int32?, _ analysis: TraceAnalysis) -> LifetimeParts? {
        index.flatMap { analysis.waits[Int($0)] }
    }

    private static func change(_ before: Int64, _ after: Int64, _ isComparable: Bool) -> [String] {
        [
            before == 0 ? "-" : DurationFormat.text(nanoseconds: before),
            after == 0 ? "-" : DurationFormat.text(nanoseconds: after),
            isComparable ? ChangeText.duration(from: before, to: after) : "",
        ]
    }
}
