/// A part of the screen under a heading, of as many lines as it is given.
struct ScreenSection {
    /// Lines of it, the heading among them, for a number of lines that is no more than `wanted`; fewer are possible.
    let make: (_ lines: Int) -> [ScreenLine]
    /// How many lines would show all.
    let wanted: Int
    /// The fewest that are of use; 0 for a section that is not shown at all.
    let least: Int

    /// Gives each section lines of the screen: first those that it needs, in their order, then in turn up to what each wants.
    /// Sections are a line apart where there is room for that.
    static func lines(_ sections: [ScreenSection], room: Int) -> [ScreenLine] {
        let shown = sections.filter { $0.least > 0 }
        var given = Array(repeating: 0, count: shown.count)
        var left = room
        for index in shown.indices {
            let gap = given.contains { $0 > 0 } ? 1 : 0
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
            if !lines.isEmpty { lines.append(ScreenLine()) }
            lines += shown[index].make(given[index])
        }
        return lines
    }
}

extension ScreenSection {
    /// Sentences under a heading, each on as few lines as its words take.
    static func sentences(
        _ heading: String, _ sentences: [(text: String, style: ScreenLine.Style)], width: Int
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
            least: all.isEmpty ? 0 : 2)
    }

    /// Rows in columns. The heading of the first column says how many there are.
    ///
    /// - Parameters:
    ///   - count: how many there are in all, which may be more than rows.
    ///   - noun: `queue`, of which the plural has an s; or a word that has none, such as `executing`.
    static func table(
        _ count: Int, _ noun: String, isCounted: Bool, _ columns: [TextTable.Column],
        _ rows: [(cells: [String], style: ScreenLine.Style)], width: Int
    ) -> ScreenSection {
        ScreenSection(
            make: { lines in
                let shown = rows.prefix(lines - 1)
                var heading = isCounted ? Prose.counted(count, noun) : "\(Prose.grouped(count)) \(noun)"
                if shown.count < count { heading += ", \(shown.count) shown" }
                var columns = columns
                columns[0].heading = heading
                columns[0].shortHeading = heading
                var table = TextTable(title: "", columns: columns)
                table.rows = shown.map(\.cells)
                // The first lines are the title and what follows it.
                let text = table.text(width: width).split(separator: "\n", omittingEmptySubsequences: false)
                    .dropFirst(2)
                return zip(text, [.heading] + shown.map(\.style)).map { ScreenLine(String($0), $1) }
            },
            wanted: rows.count + 1, least: rows.isEmpty ? 0 : 2)
    }
}
