/// Two runs compared, as text and as Markdown: the figures of the runs, of each kind, and of the operations
/// with the largest changes.
public struct ComparisonReport: Sendable {
    /// Of each table.
    private static let mostRows = 20
    static let caution =
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
    public func text(width: Int = 80) -> String { text(WritingStyle(width: width)) }

    func text(_ style: WritingStyle) -> String {
        let tables = tables
        return style.fitting(rows: Self.mostRows) { style, rows in
            text(Self.shortened(tables, to: rows), width: style.width ?? 80)
        }
    }

    private func text(_ tables: [(TextTable, rest: String)], width: Int) -> String {
        let heading =
            TerminalText.shortened(names.before, toColumns: width) + " → "
            + TerminalText.shortened(names.after, toColumns: width)
        var text = Prose.wrapped(heading, to: width) + "\n"
        text += Prose.wrapped(Self.caution, to: width) + "\n\n"
        if let words = comparison.incompleteness { text += Prose.wrapped(words, to: width) + "\n\n" }
        text += figures.text(width: width) + "\n" + Prose.wrapped(structure, to: width) + "\n"
        for (table, rest) in tables { text += "\n" + table.text(width: width) + rest }
        return text
    }

    /// For a comment on a pull request.
    public func markdown() -> String { markdown(WritingStyle()) }

    func markdown(_ style: WritingStyle) -> String {
        let tables = tables
        return style.fitting(rows: Self.mostRows) { _, rows in
            markdown(Self.shortened(tables, to: rows))
        }
    }

    private func markdown(_ tables: [(TextTable, rest: String)]) -> String {
        var text = "## \(MarkdownText.escaped(names.before)) → \(MarkdownText.escaped(names.after))\n\n"
        text += "> \(Self.caution)\n\n"
        if let words = comparison.incompleteness { text += "**\(words)**\n\n" }
        text += figures.markdown() + "\n" + structure + "\n"
        for (table, rest) in tables { text += "\n" + table.markdown() + rest }
        return text
    }

    private var tables: [(table: TextTable, noun: String)] {
        [endings, kinds, operations].compactMap { $0 }
    }

    private var figures: TextTable {
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
    private var structure: String {
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

    private var kinds: (TextTable, String)? {
        guard !comparison.kinds.isEmpty else { return nil }
        var table = TextTable(
            title: "By kind, on average",
            columns: [
                .name("kind"), .number("count"), .number("executed", or: "exec."), .number("after"),
                .number("change"),
                .number("waited"), .number("after"), .number("change"),
            ])
        for kind in comparison.kinds {
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
        return (table, "kind")
    }

    private var endings: (TextTable, String)? {
        let changed = comparison.changed.filter(comparison.isAboutEnding)
        guard !changed.isEmpty else { return nil }
        var table = TextTable(
            title: "Operations that ended differently, or never",
            columns: [.word(""), .name("name"), .detail("kind"), .word("before"), .word("after")])
        for row in changed {
            let operation = comparison.operation(row)
            let words = comparison.endingWords(row)
            table.rows.append([
                row.change.mark, operation.displayName, operation.kind, words.before ?? "new",
                words.after ?? "gone",
            ])
        }
        return (table, "operation")
    }

    private var operations: (TextTable, String)? {
        let changed = comparison.changed.filter { !comparison.isAboutEnding($0) }
        guard !changed.isEmpty else { return nil }
        var table = TextTable(
            title: "Operations that changed most (waits for dependencies not counted)",
            columns: [
                .word(""), .name("name"), .detail("kind"), .number("took"), .number("after"),
                .number("change"), .number("executed", or: "exec."), .number("waited"),
            ])
        for row in changed {
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
        return (table, "operation")
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

    private static func shortened(
        _ tables: [(table: TextTable, noun: String)], to rows: Int
    ) -> [(TextTable, rest: String)] {
        tables.map { ($0.table.first(rows), rest($0.table.rows.count - rows, $0.noun)) }
    }

    private static func rest(_ count: Int, _ noun: String) -> String {
        count > 0 ? "\n\(Prose.counted(count, "more \(noun)"))\(WritingStyle.howToSeeAll)\n" : ""
    }
}

/// Two runs compared, as the command `diff` writes it.
package struct ComparisonOutput: Sendable {
    private let comparison: TraceComparison
    private let names: (before: String, after: String)
    private let theme: PictureTheme

    package init(_ comparison: TraceComparison, before: String, after: String, theme: PictureTheme) {
        self.comparison = comparison
        names = (before, after)
        self.theme = theme
    }

    fileprivate var report: ComparisonReport {
        ComparisonReport(comparison, before: names.before, after: names.after)
    }
}

extension ComparisonOutput: Writable {
    package static var renderers: [Renderer<ComparisonOutput>] {
        [
            Renderer(.text, text: { $0.report.text($1) }),
            Renderer(.markdown, text: { $0.report.markdown($1) }),
            Renderer(.json, bytes: { output, _ in ComparisonJSON(output.comparison).bytes }),
            Renderer(
                .svg,
                making: {
                    ComparisonPicture(
                        $0.comparison, before: $0.names.before, after: $0.names.after, theme: $0.theme)
                },
                notes: { [$0.omission].compactMap(\.self) },
                write: { picture, emit in emit(Array(picture.svg.utf8)) }),
        ]
    }
}
