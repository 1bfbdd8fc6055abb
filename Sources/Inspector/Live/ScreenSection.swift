/// A part of the screen under a heading: a list, which is shown as far as its lines allow.
struct ScreenSection {
    /// The subject of an entry, to find it again when the list has changed.
    enum Item: Hashable, Sendable {
        case operation(UInt64)
        /// In the order in which the log names them.
        case queue(Int)
        /// By its number in the log.
        case executor(UInt64)
        case text(String)
    }

    struct Entry {
        let item: Item
        /// How many lines it takes.
        let height: Int
    }

    let part: LiveScreen.View.Part
    let entries: [Entry]
    /// The smallest useful number of lines, including the heading; 0 for a section that is not shown at all.
    let least: Int
    /// The largest number of lines beside other sections.
    var most = Int.max
    /// Creates the heading, and the lines of these entries.
    let make: (Range<Int>) -> (heading: ScreenLine, entries: [[ScreenLine]])

    /// From this many lines on, sections are always a line apart.
    private static let spacious = 32

    /// How many lines would show everything, or the maximum beside others.
    private var wanted: Int { min(most, entries.reduce(1) { $0 + $1.height }) }

    /// Distributes the lines of the screen over the sections: first what each needs, in their order, then in
    /// turn up to what each wants. Sections are a line apart if there is room for that and for everything
    /// that they want. The section with the cursor comes first.
    static func lines(_ sections: [ScreenSection], cursor: LiveScreen.View.Cursor?, room: Int) -> [ScreenLine]
    {
        let shown = sections.filter { $0.least > 0 }
        let isSpaced = room >= spacious || shown.reduce(0) { $0 + $1.wanted + 1 } <= room + 1
        var given = Array(repeating: 0, count: shown.count)
        var left = room
        let first = shown.indices.filter { shown[$0].part == cursor?.part }
        for index in first + shown.indices where given[index] == 0 {
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
            let selected = shown[index].part == cursor?.part ? cursor?.index : nil
            lines += shown[index].lines(given[index], selected: selected)
        }
        return lines
    }

    /// At most this many lines, including the heading, with the selected entry as close to the middle as the
    /// ends of the list allow.
    private func lines(_ count: Int, selected: Int?) -> [ScreenLine] {
        let window = window(count - 1, around: selected)
        let made = make(window)
        var lines = [made.heading]
        for (index, entry) in zip(window, made.entries) {
            lines += entry.map { line in
                var line = line
                line.isSelected = index == selected
                return line
            }
        }
        return Array(lines.prefix(count))
    }

    /// The entries that fit into this many lines; the last one partly, if it is the only one.
    private func window(_ room: Int, around selected: Int?) -> Range<Int> {
        guard !entries.isEmpty else { return 0..<0 }
        let center = min(max(selected ?? 0, 0), entries.count - 1)
        var (start, end) = (center, center + 1)
        var left = room - entries[center].height
        var isGrown = true
        while isGrown {
            isGrown = false
            if end < entries.count, entries[end].height <= left {
                left -= entries[end].height
                end += 1
                isGrown = true
            }
            if start > 0, entries[start - 1].height <= left {
                start -= 1
                left -= entries[start].height
                isGrown = true
            }
        }
        // The first sentence of a list may lose some of its lines, which is better than leaving room empty.
        if left > 0, end < entries.count { end += 1 }
        return start..<end
    }
}

extension ScreenSection {
    /// Sentences under a heading, each on as few lines as possible.
    ///
    /// - Parameter least: this many lines of them come before other sections get more than they need.
    static func sentences(
        _ part: LiveScreen.View.Part, _ heading: String,
        _ sentences: [(item: Item, text: String, style: ScreenLine.Style)], least: Int = 1, width: Int
    ) -> ScreenSection {
        let indent = 2
        let made = sentences.map { sentence in
            Prose.wrapped(sentence.text, to: max(1, width - indent)).split(separator: "\n").map {
                ScreenLine(String(repeating: " ", count: indent) + $0, sentence.style)
            }
        }
        let height = made.reduce(0) { $0 + $1.count }
        return ScreenSection(
            part: part, entries: zip(sentences, made).map { Entry(item: $0.item, height: $1.count) },
            least: made.isEmpty ? 0 : min(height, least) + 1
        ) { (ScreenLine(heading, .heading), Array(made[$0])) }
    }

    /// Rows in columns; a column with only empty cells is left out.
    ///
    /// - Parameters:
    ///   - count: the total number, which may exceed the number of rows.
    ///   - heading: the heading of the first column, which includes the total number.
    static func table(
        _ part: LiveScreen.View.Part, _ count: Int, _ heading: String, _ columns: [TextTable.Column],
        _ rows: [(item: Item, cells: [String], style: ScreenLine.Style)], width: Int
    ) -> ScreenSection {
        let used = columns.indices.filter { column in
            column == 0 || rows.contains { !$0.cells[column].isEmpty }
        }
        return ScreenSection(
            part: part, entries: rows.map { Entry(item: $0.item, height: 1) }, least: rows.isEmpty ? 0 : 2
        ) { window in
            let shown = rows[window]
            var heading = heading
            if window.lowerBound > 0 {
                heading += ", \(Prose.grouped(window.lowerBound + 1)) to \(Prose.grouped(window.upperBound))"
            } else if shown.count < count {
                heading += ", \(Prose.grouped(shown.count)) shown"
            }
            var columns = used.map { columns[$0] }
            columns[0].heading = heading
            columns[0].shortHeading = heading
            var table = TextTable(title: "", columns: columns)
            // Less important columns are left out before names become indistinguishable.
            table.narrowestName = 14
            table.rows = shown.map { row in used.map { row.cells[$0] } }
            // The first two lines are the title and the line below it.
            let text = table.text(width: width).split(separator: "\n", omittingEmptySubsequences: false)
                .dropFirst(2).map(String.init)
            return (
                ScreenLine(text[0], .heading),
                zip(text.dropFirst(), shown).map { [ScreenLine($0, $1.style)] }
            )
        }
    }
}
