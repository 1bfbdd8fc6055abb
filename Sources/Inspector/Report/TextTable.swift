/// A table of text, laid out for a terminal or as Markdown.
struct TextTable {
    struct Column {
        var heading: String
        var isNumber: Bool
        /// May be shortened to this many columns when the table is too wide; `nil` for never.
        var narrowest: Int?

        /// A name out of a trace. It is shortened where the table would not fit.
        static func name(_ heading: String) -> Column {
            Column(heading: heading, isNumber: false, narrowest: max(8, heading.count))
        }
        static func word(_ heading: String) -> Column { Column(heading: heading, isNumber: false) }
        static func number(_ heading: String) -> Column { Column(heading: heading, isNumber: true) }
    }

    /// A name is never printed longer, however wide the table may be.
    private static let longestName = 200
    private static let gap = 2

    let title: String
    let columns: [Column]
    /// Unsafe text, as it is in the trace. A row has as many cells as there are columns.
    var rows: [[String]] = []

    init(title: String, columns: [Column]) {
        self.title = title
        self.columns = columns
    }

    /// Lines of at most so many columns, as far as names can be shortened; `nil` for as wide as it gets.
    func text(width: Int?) -> String {
        let cells = rows.map { row in
            row.map { TerminalText.shortened($0, toColumns: Self.longestName) }
        }
        var widths = columns.indices.map { column in
            cells.reduce(columns[column].heading.count) { max($0, TextWidth.columns(of: $1[column])) }
        }
        if let width { shrink(&widths, to: width) }
        var text = title + "\n\n"
        text += line(columns.map(\.heading), widths)
        for row in cells { text += line(row, widths) }
        return text
    }

    func markdown() -> String {
        var text = "### " + title + "\n\n"
        text += "| " + columns.map(\.heading).joined(separator: " | ") + " |\n"
        text += "|" + columns.map { $0.isNumber ? " ---: |" : " --- |" }.joined() + "\n"
        for row in rows {
            let cells = row.map {
                MarkdownText.escaped(TerminalText.shortened($0, toColumns: Self.longestName))
            }
            text += "| " + cells.joined(separator: " | ") + " |\n"
        }
        return text
    }

    /// Takes columns from the widest name first, until the table fits or no name can give any more.
    private func shrink(_ widths: inout [Int], to width: Int) {
        var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - width
        while excess > 0 {
            let candidates = columns.indices.filter { column in
                columns[column].narrowest.map { widths[column] > $0 } ?? false
            }
            guard let widest = candidates.max(by: { (widths[$0], $1) < (widths[$1], $0) }) else { return }
            widths[widest] -= 1
            excess -= 1
        }
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let cell =
                TextWidth.columns(of: cell) > widths[index]
                ? TerminalText.shortened(cell, toColumns: widths[index]) : cell
            let padding = String(repeating: " ", count: max(0, widths[index] - TextWidth.columns(of: cell)))
            if index > 0 { line += String(repeating: " ", count: Self.gap) }
            line += columns[index].isNumber ? padding + cell : cell + padding
        }
        while line.last == " " { line.removeLast() }
        return line + "\n"
    }
}
