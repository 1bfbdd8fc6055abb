/// A table of text, laid out for a terminal or as Markdown.
package struct TextTable {
    package struct Column {
        package var heading: String
        /// Used when the table is too wide with the full headings.
        package var shortHeading: String
        var isNumber = false
        /// May be shortened to `narrowestName` columns when the table is too wide.
        var isShortened = false
        /// Not shortened, because readers copy it: a name that does not fit gets a line of its own.
        var isWhole = false
        /// Left out on a terminal when the table is too wide with all its names shortened: those with the
        /// highest number first. Nil to keep it.
        var detail: Int?
        /// Continued on further lines when the table is too wide.
        var isWrapped = false
        /// On a terminal, only the first of several equal cells below each other is printed.
        var isGroup = false

        init(_ heading: String, or shortHeading: String? = nil) {
            self.heading = heading
            self.shortHeading = shortHeading ?? heading
        }

        package static func word(_ heading: String) -> Column { Column(heading) }

        package static func number(_ heading: String, or shortHeading: String? = nil) -> Column {
            var column = Column(heading, or: shortHeading)
            column.isNumber = true
            return column
        }

        package static func name(_ heading: String) -> Column {
            var column = Column(heading)
            column.isShortened = true
            return column
        }

        package static func wholeName(_ heading: String) -> Column {
            var column = name(heading)
            column.isWhole = true
            return column
        }

        package static func detail(_ heading: String) -> Column {
            var column = name(heading)
            column.detail = 0
            return column
        }

        package static func detailNumber(_ heading: String) -> Column {
            var column = number(heading)
            column.detail = 0
            return column
        }

        /// A sentence or a name of which nothing may be lost.
        package static func wrapped(_ heading: String) -> Column {
            var column = name(heading)
            column.isWrapped = true
            return column
        }

        /// The same column, left out when the table is too wide.
        package func detail(_ rank: Int) -> Column {
            var column = self
            column.detail = rank
            return column
        }

        package static func group(_ heading: String) -> Column {
            var column = name(heading)
            column.isGroup = true
            return column
        }
    }

    /// What is given up to fit the width of a terminal.
    private struct Layout {
        var hasShortHeadings = false
        /// Columns of this detail and higher ones are left out.
        var firstOmitted = Int.max
    }

    /// Names are never longer than this, however wide the table may be.
    static let longestName = 200
    private static let gap = 2

    let title: String
    let columns: [Column]
    /// Names are not shortened further than this: details are left out first.
    package var narrowestName = 7
    /// Raw text from the trace, not safe to print. Each row has one cell per column.
    package var rows: [[String]] = []

    package init(title: String, columns: [Column]) {
        self.title = title
        self.columns = columns
    }

    /// Appends a row for each item; of a long list only for the beginning and the end, around a row that
    /// stands for the others.
    ///
    /// - Parameters:
    ///   - most: how many items get a row, but at least two.
    ///   - more: the row for a number of others.
    package mutating func append<Item>(
        _ items: [Item], most: Int, row: (Item) -> [String], more: (Int) -> [String]
    ) {
        let hidden = max(0, items.count - max(2, most))
        let head = (items.count - hidden + 1) / 2
        rows += items.prefix(head).map(row)
        if hidden > 0 { rows.append(more(hidden)) }
        rows += items.dropFirst(head + hidden).map(row)
    }

    /// The same with its first rows.
    package func first(_ count: Int) -> TextTable {
        var table = self
        table.rows = Array(rows.prefix(count))
        return table
    }

    /// Lines of at most `width` columns, as far as headings, names and details can be shortened. `nil` means
    /// no limit.
    package func text(width: Int?) -> String { fitted(to: width).text }

    /// The text, and the headings of the columns that it leaves out.
    package func fitted(to width: Int?) -> (text: String, omittedColumns: [String]) {
        let cells = cells
        let (layout, widths) = fit(cells, to: width)

        var text = Prose.wrapped(title, to: width) + "\n\n"
        text += line(columns.map { layout.hasShortHeadings ? $0.shortHeading : $0.heading }, widths)
        for (index, row) in cells.enumerated() {
            let isFirstOfGroup = columns.indices.map { column in
                !columns[column].isGroup || index == 0 || rows[index - 1][column] != rows[index][column]
            }
            text += line(zip(row, isFirstOfGroup).map { $1 ? $0 : "" }, widths)
        }
        return (text, zip(columns, widths).compactMap { $1 == nil ? $0.heading : nil })
    }

    /// Safe for a terminal.
    private var cells: [[String]] {
        rows.map { row in
            zip(columns, row).map { column, cell in
                column.isWrapped
                    ? TerminalText.escaped(cell) : TerminalText.shortened(cell, toColumns: Self.longestName)
            }
        }
    }

    package func markdown() -> String {
        var text = "### " + title + "\n\n"
        text += "| " + columns.map(\.heading).joined(separator: " | ") + " |\n"
        text += "|" + columns.map { $0.isNumber ? " ---: |" : " --- |" }.joined() + "\n"
        for row in cells {
            text += "| " + row.map { MarkdownText.escaped($0) }.joined(separator: " | ") + " |\n"
        }
        return text
    }

    /// The first layout that fits, or the last one, and the width of each column; `nil` for a column that is
    /// left out.
    private func fit(_ cells: [[String]], to width: Int?) -> (layout: Layout, widths: [Int?]) {
        let contentWidths = columns.indices.map { column in
            cells.reduce(0) { max($0, TextWidth.columns(of: $1[column])) }
        }
        let details = Set(columns.compactMap(\.detail)).sorted(by: >)
        let layouts =
            [Layout(), Layout(hasShortHeadings: true)]
            + details.map { Layout(hasShortHeadings: true, firstOmitted: $0) }
        var result: (Layout, [Int?]) = (Layout(), [])
        for layout in layouts {
            var widths = zip(columns, contentWidths).map { column, content -> Int? in
                if let detail = column.detail, detail >= layout.firstOmitted { return nil }
                let heading = layout.hasShortHeadings ? column.shortHeading : column.heading
                return max(content, TextWidth.columns(of: heading))
            }
            let fits = width.map { shrink(&widths, to: $0) } ?? true
            result = (layout, widths)
            if fits { break }
        }
        return result
    }

    /// Takes columns from the widest name first. Returns whether the table then fits.
    private func shrink(_ widths: inout [Int?], to width: Int) -> Bool {
        let shown = widths.compactMap { $0 }
        var excess = shown.reduce(0, +) + Self.gap * (shown.count - 1) - width
        while excess > 0 {
            var widest: (column: Int, width: Int)?
            for (column, width) in widths.enumerated() where columns[column].isShortened {
                if let width, width > widest?.width ?? narrowestName { widest = (column, width) }
            }
            guard let widest else { return false }
            widths[widest.column] = widest.width - 1
            excess -= 1
        }
        return true
    }

    private func line(_ cells: [String], _ widths: [Int?]) -> String {
        var line = ""
        var continued: [(indent: Int, lines: [String])] = []
        for (column, cell) in zip(columns.indices, cells) {
            guard let width = widths[column] else { continue }
            if columns[column].isWhole, TextWidth.columns(of: cell) > width {
                if !line.isEmpty { line += String(repeating: " ", count: Self.gap) }
                let indent = TextWidth.columns(of: line) + width
                line += cell + "\n" + String(repeating: " ", count: indent)
                continue
            }
            var cell = cell
            if columns[column].isWrapped {
                let lines = Self.lines(of: cell, width)
                cell = lines[0]
                let indent = TextWidth.columns(of: line) + (line.isEmpty ? 0 : Self.gap)
                continued.append((indent, Array(lines.dropFirst())))
            } else if TextWidth.columns(of: cell) > width {
                cell = TerminalText.shortened(cell, toColumns: width)
            }
            let padding = String(repeating: " ", count: max(0, width - TextWidth.columns(of: cell)))
            if !line.isEmpty { line += String(repeating: " ", count: Self.gap) }
            line += columns[column].isNumber ? padding + cell : cell + padding
        }
        var text = Self.ended(line)
        for number in 0..<(continued.map(\.lines.count).max() ?? 0) {
            var line = ""
            for (indent, lines) in continued where number < lines.count {
                line += String(repeating: " ", count: max(0, indent - TextWidth.columns(of: line)))
                line += lines[number]
            }
            text += Self.ended(line)
        }
        return text
    }

    private static func ended(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line + "\n"
    }

    /// Breaks the text at spaces, and words that are wider than a line anywhere. At least one line.
    private static func lines(of text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        for line in Prose.wrapped(text, to: width).split(separator: "\n", omittingEmptySubsequences: false) {
            var rest = ""
            var columns = 0
            for character in line {
                let wide = TextWidth.columns(of: String(character))
                if columns + wide > width, !rest.isEmpty {
                    lines.append(rest)
                    (rest, columns) = ("", 0)
                }
                rest.append(character)
                columns += wide
            }
            lines.append(rest)
        }
        return lines
    }
}
