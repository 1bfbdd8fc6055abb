/// The functions with the most time in themselves, by kind, for a terminal.
struct FlameText {
    private static let mostFunctions = 10
    private static let narrowestName = 24

    let report: FlameReport

    func text(_ style: WritingStyle) -> String {
        let groups = report.tree.groups.map {
            FlameFunctions(report.tree, $0, joinsLibraries: report.isBlocked).rows
        }
        return style.fitting(rows: Self.mostFunctions) { style, rows in
            text(groups, rows, width: style.width ?? 80)
        }
    }

    private func text(_ functions: [[FlameFunctions.Row]], _ rows: Int, width: Int) -> String {
        var text = Prose.wrapped(report.title, to: width) + "\n"
        text += Prose.wrapped(report.figures, to: width) + "\n"
        for note in report.notes { text += Prose.wrapped("note: \(note)", to: width, indent: 2) + "\n" }
        guard report.tree.total > 0 else { return text }
        let table = table(functions, rows)
        return text + "\n" + table.table.text(width: width)
            + WritingStyle.omission(table.omitted, "more function")
    }

    /// - Parameters:
    ///   - functions: of each group of the tree.
    ///   - rows: the largest number of functions of a group; of groups, twice as many are shown.
    private func table(
        _ functions: [[FlameFunctions.Row]], _ rows: Int
    ) -> (table: TextTable, omitted: Int) {
        let (tree, words) = (report.tree, FlameWords(tree: report.tree))
        var table = TextTable(
            title: report.isBlocked ? "Functions that block most" : "Hottest functions",
            columns: [
                .group("kind"), .name("function"), .detail("file"), .number("self"), .number(""),
                .number("total"), .number(""),
            ])
        table.narrowestName = Self.narrowestName
        var omitted = 0
        for (position, (group, functions)) in zip(tree.groups, functions).enumerated() {
            let shown = position / 2 < rows ? functions.prefix(rows) : []
            omitted += functions.count - shown.count
            let whole = tree.nodes[group.lowerBound].total
            for row in shown {
                let label = tree.labels[Int(row.label)]
                table.rows.append([
                    tree.label(group.lowerBound).name, row.call.name(in: tree), label.module ?? "",
                    row.own == 0 ? "-" : words.amount(row.own),
                    row.own == 0 ? "" : FlameWords.share(row.own, of: whole), words.amount(row.total),
                    FlameWords.share(row.total, of: whole),
                ])
            }
        }
        return (table, omitted)
    }
}
