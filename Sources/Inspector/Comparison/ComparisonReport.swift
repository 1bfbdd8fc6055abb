/// Two runs compared, as text and as Markdown: the figures of the runs, of each kind, and of the operations
/// with the largest changes.
public struct ComparisonReport: Sendable {
    /// Of each table.
    package static let mostRows = 20
    private static let caution =
        "\(ChangeText.caution) opviz check runs both versions several times, and decides."

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
    public func text(width: Int = 80) -> String { text(WritingStyle(width: width)) }

    package func text(_ style: WritingStyle) -> String {
        let (sections, figures, structure) = (sections, figures(), structure)
        return style.fitting(rows: Self.mostRows) { style, rows in
            text(sections, figures, structure, rows, width: style.width ?? 80)
        }
    }

    private func text(
        _ sections: [Section], _ figures: TextTable, _ structure: String, _ rows: Int, width: Int
    ) -> String {
        let heading =
            TerminalText.shortened(names.before, toColumns: width) + " → "
            + TerminalText.shortened(names.after, toColumns: width)
        var text = Prose.wrapped(heading, to: width) + "\n"
        text += Prose.wrapped(Self.caution, to: width) + "\n\n"
        if let words = comparison.incompleteness { text += Prose.wrapped(words, to: width) + "\n\n" }
        text += figures.text(width: width) + "\n" + Prose.wrapped(structure, to: width) + "\n"
        for section in sections {
            text += "\n" + section.table(rows).text(width: width) + section.lastLine(after: rows)
        }
        return text
    }

    /// For a comment on a pull request.
    public func markdown() -> String { markdown(WritingStyle()) }

    package func markdown(_ style: WritingStyle) -> String {
        let (sections, figures, structure) = (sections, figures(), structure)
        return style.fitting(rows: Self.mostRows) { _, rows in markdown(sections, figures, structure, rows) }
    }

    private func markdown(
        _ sections: [Section], _ figures: TextTable, _ structure: String, _ rows: Int
    ) -> String {
        var text = "## \(MarkdownText.escaped(names.before)) → \(MarkdownText.escaped(names.after))\n\n"
        text += "> \(Self.caution)\n\n"
        if let words = comparison.incompleteness { text += "**\(words)**\n\n" }
        text += figures.markdown() + "\n" + structure + "\n"
        for section in sections {
            text += "\n" + section.table(rows).markdown() + section.lastLine(after: rows)
        }
        return text
    }

    /// A table of kinds or operations.
    private struct Section {
        /// The table with that many of its rows.
        let table: (_ rows: Int) -> TextTable
        let count: Int
        let noun: String

        /// How many others there are after these rows.
        func lastLine(after rows: Int) -> String {
            count > rows
                ? "\n\(Prose.counted(count - rows, "more \(noun)"))\(WritingStyle.howToSeeAll)\n" : ""
        }
    }

    private var sections: [Section] { [endings, kinds, changed].compactMap { $0 } }

    /// - Parameter hasMeans: whether the mean waits of all operations are there, too.
    package func figures(hasMeans: Bool = true) -> TextTable {
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
        let (totals, tasks) = (comparison.totals, comparison.tasks)
        let operations = (totals.before.count - tasks.before, totals.after.count - tasks.after)
        if operations != (0, 0) || tasks.before + tasks.after == 0 {
            add("operations", counts: operations.0, operations.1)
        }
        if tasks.before + tasks.after > 0 { add("tasks", counts: tasks.before, tasks.after) }
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
        for part in LifetimeParts.Part.allCases where hasMeans && part != .execution {
            add("mean \(part.label)", totals.before.mean[part], totals.after.mean[part])
        }
        return table
    }

    /// What the runs have in common.
    package var structure: String {
        let both = comparison.rows.count - comparison.count(of: .new) - comparison.count(of: .gone)
        let tasks = comparison.tasks.both
        var parts = ["\(Prose.counted(operations: both - tasks, tasks: tasks)) in both"]
        if comparison.moved > 0 {
            parts.append(
                "\(Prose.grouped(comparison.moved)) of them elsewhere in the graph, "
                    + "or with other dependencies"
            )
        }
        for change in TraceComparison.Change.allCases where change != .same {
            let count = comparison.count(of: change)
            if count > 0 { parts.append("\(Prose.grouped(count)) \(change.label)") }
        }
        if both == 0, !comparison.rows.isEmpty {
            let noun = comparison.totals.before.count > comparison.tasks.before ? "operation" : "task"
            return "No \(noun) is in both runs: none has the same kind and name."
        }
        return parts.joined(separator: ", ") + "."
    }

    private var kinds: Section? {
        guard !comparison.kinds.isEmpty else { return nil }
        return Section(table: kindTable, count: comparison.kinds.count, noun: "kind")
    }

    private func kindTable(_ rows: Int) -> TextTable {
        var table = TextTable(
            title: "By kind, on average",
            columns: [
                .name("kind"), .number("count"), .number("executed", or: "exec."), .number("after"),
                .number("change"),
                .number("waited"), .number("after"), .number("change"),
            ])
        for kind in comparison.kinds.prefix(rows) {
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
        return table
    }

    private var endings: Section? {
        let changed = comparison.changed.filter(comparison.isAboutEnding)
        guard !changed.isEmpty else { return nil }
        return Section(
            table: { endingTable(changed.prefix($0)) }, count: changed.count, noun: "operation")
    }

    private func endingTable(_ rows: some Sequence<TraceComparison.Row>) -> TextTable {
        var table = TextTable(
            title: "Operations that ended differently, or never",
            columns: [.word(""), .name("name"), .detail("kind"), .word("before"), .word("after")])
        for row in rows {
            let operation = comparison.operation(row)
            let words = comparison.endingWords(row)
            table.rows.append([
                row.change.mark, operation.displayName, operation.kind, words.before ?? "new",
                words.after ?? "gone",
            ])
        }
        return table
    }

    private var changed: Section? {
        let changed = comparison.changed.filter { !comparison.isAboutEnding($0) }
        guard !changed.isEmpty else { return nil }
        return Section(
            table: { operationTable(changed.prefix($0)) }, count: changed.count, noun: "operation")
    }

    private func operationTable(_ rows: some Sequence<TraceComparison.Row>) -> TextTable {
        var table = TextTable(
            title: "Operations that changed most (waits for dependencies not counted)",
            columns: [
                .word(""), .name("name"), .detail("kind"), .number("took"), .number("after"),
                .number("change"), .number("executed", or: "exec."), .number("waited"),
            ])
        for row in rows {
            let (first, second) = comparison.times(row)
            let operation = comparison.operation(row)
            table.rows.append([
                row.change.mark, operation.displayName, operation.kind,
                comparison.endings(row).before?.isUnfinished == true
                    ? ExactEnding.neverFinished.label
                    : row.before == nil ? "new" : DurationFormat.text(nanoseconds: first.took),
                row.after == nil ? "gone" : DurationFormat.text(nanoseconds: second.took),
                row.difference.map { ChangeText.duration($0) } ?? "",
                ChangeText.duration(from: first.executed, to: second.executed),
                ChangeText.duration(
                    from: first.took - first.executed, to: second.took - second.executed),
            ])
        }
        return table
    }

    private static func change(_ before: Int64, _ after: Int64, _ isComparable: Bool) -> [String] {
        [
            before == 0 ? "-" : DurationFormat.text(nanoseconds: before),
            after == 0 ? "-" : DurationFormat.text(nanoseconds: after),
            isComparable ? ChangeText.duration(from: before, to: after) : "",
        ]
    }
}
