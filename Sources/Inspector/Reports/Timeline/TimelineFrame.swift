/// The common parts of a terminal timeline: the columns, the axis and the legend.
struct TimelineFrame {
    enum Entry: Hashable {
        case part(LifetimeParts.Part)
        case executionPart(ExecutionParts.Part)
        case taskPart(TaskPart)
        case ending(OperationEnding)
        case critical
    }

    /// The total width: marks, name, time and a figure.
    let width: Int
    /// The columns for the time.
    let columns: Int
    let isColored: Bool
    private let nameWidth: Int
    /// 0 if there is not enough room for it.
    private let figureWidth: Int
    private let start: Int64
    private let end: Int64

    private static let marks = 2
    private static let critical = "»"

    init(width: Int, isColored: Bool, from start: Int64, to end: Int64) {
        self.width = width
        self.isColored = isColored
        self.start = start
        self.end = end
        nameWidth = min(28, max(6, width / 4))
        figureWidth = width >= 60 ? 13 : 0
        columns = max(4, width - Self.marks - nameWidth - 1 - figureWidth)
    }

    /// Ticks with their times, each written to the right of its tick.
    var axis: String {
        let axis = TimeAxis(from: start, to: end, room: columns)
        var cells = Array(repeating: Character(" "), count: columns)
        var next = 0
        for (time, label) in axis.ticks {
            let column = Int(Double(time - start) / Double(end - start) * Double(columns))
            let label = "|" + label
            guard column >= next, column + label.count <= columns else { continue }
            for (offset, character) in label.enumerated() { cells[column + offset] = character }
            next = column + label.count + 1
        }
        let line = trimmed(String(repeating: " ", count: Self.marks + nameWidth + 1) + String(cells))
        return colored(line, .muted) + "\n"
    }

    func row(
        name: String, _ cells: TimelineCells, isCritical: Bool = false, ending: OperationEnding = .succeeded,
        figure: String = ""
    ) -> String {
        var line = isCritical ? colored(Self.critical, .critical) : " "
        line += Self.glyph(ending).map { colored($0, .failed) } ?? " "
        let name = TerminalText.shortened(name, toColumns: nameWidth)
        line += name + String(repeating: " ", count: max(0, nameWidth - TextWidth.columns(of: name)) + 1)
        line += cells.text(isColored: isColored)
        if figureWidth > 0 {
            let figure = TerminalText.shortened(figure, toColumns: figureWidth - 1)
            line += String(repeating: " ", count: max(1, figureWidth - figure.count)) + figure
        }
        return trimmed(line) + "\n"
    }

    /// A line above the rows of a queue.
    func title(_ section: TimelineLayout.Section, _ trace: Trace) -> String {
        let queue = section.queue.map { trace.queues[$0] }
        let name =
            queue?.displayName ?? (section.queues > 1 ? "\(section.queues) more queues" : "without a queue")
        let words = [section.slots.words, Prose.counted(section.operations.count, "operation")].filter {
            !$0.isEmpty
        }
        return title(name, words.joined(separator: ", "))
    }

    /// A line above the rows of tasks: `name: words`.
    func title(_ name: String, _ words: String) -> String {
        let rest = words.isEmpty ? "" : ": " + words
        let room = max(8, width - rest.count)
        return TerminalText.shortened(
            TerminalText.shortened(name, toColumns: room) + rest, toColumns: width) + "\n"
    }

    /// A line below the title of a queue.
    func note(_ words: String) -> String {
        Prose.wrapped(words, to: width - Self.marks).split(separator: "\n")
            .map { String(repeating: " ", count: Self.marks) + $0 + "\n" }.joined()
    }

    /// The meaning of the characters that occur.
    func legend(_ entries: [Entry]) -> String {
        let words = entries.map { entry in
            switch entry {
            // Non-breaking spaces keep an entry together.
            case .part(let part): "\(part.row.glyph)\u{A0}\(part.label)"
            case .executionPart(let part): "\(part.row.glyph)\u{A0}\(part.label)"
            case .taskPart(let part): "\(part.row.glyph)\u{A0}\(part.row.label)"
            case .critical: "\(Self.critical)\u{A0}critical path"
            case .ending(let ending): "\(Self.glyph(ending) ?? " ")\u{A0}\(ending.label)"
            }
        }
        let joined = words.map { $0.replacing(" ", with: "\u{A0}") }.joined(separator: "  ")
        let lines = Prose.wrapped(joined, to: width).replacing("\u{A0}", with: " ")
            .split(separator: "\n").map { trimmed(String($0)) }
        var text = lines.joined(separator: "\n") + "\n"
        guard isColored else { return text }
        for entry in entries {
            switch entry {
            case .part(let part): color(part.row.glyph, part.label, TerminalColor(part), in: &text)
            case .executionPart(let part):
                color(part.row.glyph, part.label, TerminalColor(part), in: &text)
            case .taskPart(let part):
                color(part.row.glyph, part.row.label, TerminalColor(part), in: &text)
            case .ending, .critical: break
            }
        }
        return text
    }

    private func color(_ glyph: Character, _ label: String, _ color: TerminalColor, in text: inout String) {
        text = text.replacing("\(glyph) \(label)", with: "\(color.around(String(glyph))) \(label)")
    }

    private static func glyph(_ ending: OperationEnding) -> String? {
        switch ending {
        case .failed: "✗"
        case .cancelled: "∅"
        case .unfinished: "…"
        case .succeeded, .unobserved: nil
        }
    }

    private func colored(_ text: String, _ color: TerminalColor) -> String {
        isColored ? color.around(text) : text
    }

    private func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}
