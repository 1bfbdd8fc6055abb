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
        /// Left out on a terminal when the table is too wide with all its names shortened.
        var isDetail = false
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
            column.isDetail = true
            return column
        }

        package static func detailNumber(_ heading: String) -> Column {
            var column = number(heading)
            column.isDetail = true
            return column
        }

        package static func group(_ heading: String) -> Column {
            var column = name(heading)
            column.isGroup = true
            return column
        }
    }

    /// What to give up to fit the width of a terminal.
    private enum Layout: CaseIterable { case full, shortHeadings, withoutDetails }

    /// Names are never longer than this, however wide the table may be.
    private static let longestName = 200
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

    /// Lines of at most `width` columns, as far as headings, names and details can be shortened. `nil` means
    /// no limit.
    package func text(width: Int?) -> String {
        let cells = rows.map { row in
            row.map { TerminalText.shortened($0, toColumns: Self.longestName) }
        }
        let contentWidths = columns.indices.map { column in
            cells.reduce(0) { max($0, TextWidth.columns(of: $1[column])) }
        }
        let (layout, widths) = fit(contentWidths, to: width)

        var text = Prose.wrapped(title, to: width) + "\n\n"
        text += line(columns.map { layout == .full ? $0.heading : $0.shortHeading }, widths)
        for (index, row) in cells.enumerated() {
            let isFirstOfGroup = columns.indices.map { column in
                !columns[column].isGroup || index == 0 || rows[index - 1][column] != rows[index][column]
            }
            text += line(zip(row, isFirstOfGroup).map { $1 ? $0 : "" }, widths)
        }
        return text
    }

    package func markdown() -> String {
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

    /// The first layout that fits, or the last one, and the width of each column; `nil` for a column that is
    /// left out.
    private func fit(_ contentWidths: [Int], to width: Int?) -> (Layout, [Int?]) {
        var result: (Layout, [Int?]) = (.full, [])
        for layout in Layout.allCases {
            var widths = zip(columns, contentWidths).map { column, content -> Int? in
                if layout == .withoutDetails && column.isDetail { return nil }
                let heading = layout == .full ? column.heading : column.shortHeading
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
        for (column, cell) in zip(columns.indices, cells) {
            guard let width = widths[column] else { continue }
            if columns[column].isWhole, TextWidth.columns(of: cell) > width {
                if !line.isEmpty { line += String(repeating: " ", count: Self.gap) }
                let indent = TextWidth.columns(of: line) + width
                line += cell + "\n" + String(repeating: " ", count: indent)
                continue
            }
            let cell =
                TextWidth.columns(of: cell) > width ? TerminalText.shortened(cell, toColumns: width) : cell
            let padding = String(repeating: " ", count: max(0, width - TextWidth.columns(of: cell)))
            if !line.isEmpty { line += String(repeating: " ", count: Self.gap) }
            line += columns[column].isNumber ? padding + cell : cell + padding
        }
        while line.last == " " { line.removeLast() }
        return line + "\n"
    }
}
