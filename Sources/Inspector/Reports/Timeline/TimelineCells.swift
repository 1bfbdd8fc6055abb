/// A row of a timeline on a terminal: a character for each column of time.
struct TimelineCells {
    struct Cell {
        var character: Character = " "
        var color: TerminalColor?
    }

    private static let levels = Array("▁▂▃▄▅▆▇█")
    private static let ends = Array("▏▎▍▌▋▊▉█")

    private(set) var cells: [Cell]

    init(columns: Int) { cells = Array(repeating: Cell(), count: columns) }

    /// A curve with heights from 0 to 1. Values above 0 are always visible.
    init(heights: [Double], color: (Int) -> TerminalColor?) {
        cells = heights.enumerated().map { column, height in
            if height <= 0 { return Cell() }
            let level = min(Self.levels.count - 1, max(0, Int(height * Double(Self.levels.count))))
            return Cell(character: Self.levels[level], color: color(column))
        }
    }

    /// The part that each column shows; `nil` for none.
    init(_ parts: [LifetimeParts.Part?]) {
        cells = parts.map { part in
            part.map { Cell(character: $0.row.glyph, color: TerminalColor($0)) } ?? Cell()
        }
    }

    /// The parts of a task, those of which fill whole columns.
    init(_ stretches: [TaskStretch], from start: Int64, to end: Int64, columns: Int) {
        self.init(columns: columns)
        let perNanosecond = Double(columns) / Double(end - start)
        for stretch in stretches {
            let low = max(0, Int((Double(stretch.start - start) * perNanosecond).rounded(.down)))
            let high = min(columns, Int((Double(stretch.end - start) * perNanosecond).rounded(.up)))
            for column in low..<max(low, high) {
                cells[column] = Cell(
                    character: stretch.part.row.glyph, color: TerminalColor(stretch.part))
            }
        }
    }

    /// The lifetime of one operation. Each column shows its longest part, with finer edges for the execution.
    init(
        _ stretches: LifetimeStretches, instant: Int64, executed: Bool, from start: Int64, to end: Int64,
        columns: Int
    ) {
        self.init(columns: columns)
        let perNanosecond = Double(columns) / Double(end - start)
        var shares = Array(repeating: 0.0, count: columns)
        stretches.visit { part, from, to in
            let low = max(0, Double(from - start) * perNanosecond)
            let high = min(Double(columns), Double(to - start) * perNanosecond)
            guard low < high else { return }
            for column in Int(low)...min(columns - 1, Int(high)) {
                let share = min(high, Double(column + 1)) - max(low, Double(column))
                if part == .execution {
                    draw(share: share, of: column, isBeginning: low > Double(column))
                } else if share > shares[column] {
                    shares[column] = share
                    cells[column] = Cell(character: part.row.glyph, color: TerminalColor(part))
                }
            }
        }
        // An operation that took no time is visible nevertheless.
        let place = Double(instant - start) * perNanosecond
        let isSeen = cells.contains { $0.color == TerminalColor(.execution) }
        if executed, !isSeen, place >= 0, place <= Double(columns) {
            let column = min(columns - 1, Int(place))
            cells[column] = Cell(character: Self.ends[0], color: TerminalColor(.execution))
        }
    }

    /// Shows the parts of the execution in the columns that show the execution.
    mutating func show(_ stretches: [ExecutionStretch], from start: Int64, to end: Int64) {
        let perNanosecond = Double(cells.count) / Double(end - start)
        for stretch in stretches where stretch.part != .onCPU {
            let low = max(0, Int((Double(stretch.start - start) * perNanosecond).rounded(.down)))
            let high = min(cells.count, Int((Double(stretch.end - start) * perNanosecond).rounded(.up)))
            for column in low..<max(low, high) where cells[column].color == TerminalColor(.execution) {
                cells[column] = Cell(
                    character: stretch.part.row.glyph, color: TerminalColor(stretch.part))
            }
        }
    }

    private mutating func draw(share: Double, of column: Int, isBeginning: Bool) {
        guard share > 0 else { return }
        let character: Character
        if isBeginning {
            // The only block character that fills from the right is the half block.
            if share < 0.3, cells[column].character != " " { return }
            character = share < 0.75 ? "▐" : "█"
        } else {
            character = Self.ends[min(Self.ends.count - 1, max(0, Int(share * 8 + 0.5) - 1))]
        }
        cells[column] = Cell(character: character, color: TerminalColor(.execution))
    }

    /// One column for each cell.
    func text(isColored: Bool) -> String {
        guard isColored else { return String(cells.map(\.character)) }
        var text = ""
        var first = 0
        while first < cells.count {
            var end = first
            var run = ""
            while end < cells.count, cells[end].color == cells[first].color {
                run.append(cells[end].character)
                end += 1
            }
            text += cells[first].color.map { $0.around(run) } ?? run
            first = end
        }
        return text
    }
}
