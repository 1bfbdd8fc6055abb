/// A part of the screen under a heading, of as many lines as it is given.
struct ScreenSection {
    /// Lines of it, the heading among them, for a number of lines that is no more than `wanted`; fewer are possible.
    let make: (_ lines: Int) -> [ScreenLine]
    /// How many lines would show all.
    let wanted: Int
    /// The fewest that are of use; 0 for a section that is not shown at all.
    let least: Int

    /// Lines from which on sections are always a line apart.
    private static let spacious = 32

    /// Gives each section lines of the screen: first those that it needs, in their order, then in turn up to what each wants.
    /// Sections are a line apart where there is room for that and for all that they want.
    static func lines(_ sections: [ScreenSection], room: Int) -> [ScreenLine] {
        let shown = sections.filter { $0.least > 0 }
        let isSpaced = room >= spacious || shown.reduce(0) { $0 + $1.wanted + 1 } <= room + 1
        var given = Array(repeating: 0, count: shown.count)
        var left = room
        for index in shown.indices {
            let gap = isSpaced && given.contains { $0 > 0 } ? 1 : 0
            guard left >= shown[index].least + gap else { continue }
            given[index] = shown[index].least
            left -= shown[index].least + gap
        }
        var isGiven = true
        while left > 0, isGiven {
            isGiven = false
            for index in shown.indices
            where given[index] > 0 && given[index] < shown[index].wanted && left > 0 {
                given[index] += 1
                left -= 1
                isGiven = true
            }
        }
        var lines: [ScreenLine] = []
        for index in shown.indices where given[index] > 0 {
            if isSpaced, !lines.isEmpty { lines.append(ScreenLine()) }
            lines += shown[index].make(given[index])
        }
        return lines
    }
}

extension ScreenSection {
    /// Sentences under a heading, each on as few lines as its words take.
    ///
    /// - Parameter least: so many lines of them are to be there before other sections get more than they need.
    static func sentences(
        _ heading: String, _ sentences: [(text: String, style: ScreenLine.Style)], least: Int = 1, width: Int
    )
        -> ScreenSection
    {
        let indent = 2
        var lines: [ScreenLine] = []
        for (text, style) in sentences {
            let wrapped = Prose.wrapped(text, to: max(1, width - indent)).split(separator: "\n")
            for line in wrapped {
                lines.append(ScreenLine(String(repeating: " ", count: indent) + line, style))
            }
        }
        let all = lines
        return ScreenSection(
            make: { [ScreenLine(heading, .heading)] + all.prefix($0 - 1) }, wanted: all.count + 1,
            least: all.isEmpty ? 0 : min(all.count, least) + 1)
    }

    /// Rows in columns; a column of which every cell is empty is left out. The heading of the first column says how many there are.
    ///
    /// - Parameters:
    ///   - count: how many there are in all, which may be more than rows.
    ///   - noun: `queue`, of which the plural has an s; or a word that has none, such as `executing`.
    static func table(
        _ count: Int, _ noun: String, isCounted: Bool, _ columns: [TextTable.Column],
        _ rows: [(cells: [String], style: ScreenLine.Style)], width: Int
    ) -> ScreenSection {
        let used = columns.indices.filter { column in
            column == 0 || rows.contains { !$0.cells[column].isEmpty }
        }
        return ScreenSection(
            make: { lines in
                let shown = rows.prefix(lines - 1)
                var heading = isCounted ? Prose.counted(count, noun) : "\(Prose.grouped(count)) \(noun)"
                if shown.count < count { heading += ", \(shown.count) shown" }
                var columns = used.map { columns[$0] }
                columns[0].heading = heading
                columns[0].shortHeading = heading
                var table = TextTable(title: "", columns: columns)
                table.rows = shown.map { row in used.map { row.cells[$0] } }
                // The first lines are the title and what follows it.
                let text = table.text(width: width).split(separator: "\n", omittingEmptySubsequences: false)
                    .dropFirst(2)
                return zip(text, [.heading] + shown.map(\.style)).map { ScreenLine(String($0), $1) }
            },
            wanted: rows.count + 1, least: rows.isEmpty ? 0 : 2)
    }
}
