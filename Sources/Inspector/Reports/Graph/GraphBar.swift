import InspectorColumns

/// The parts of lifetimes as widths that add up to the whole bar.
struct GraphBar {
    /// A part of the bar with a look of its own.
    enum Piece: Hashable {
        case lifetime(LifetimeParts.Part)
        case execution(ExecutionParts.Part)
        case task(TaskPart)
    }

    /// All of them, in the order of a legend.
    static let all: [Piece] =
        LifetimeParts.Part.allCases.map { .lifetime($0) }
        + ExecutionParts.Part.allCases.map { .execution($0) }
        + TaskPart.allCases.map { .task($0) }

    static let order: [LifetimeParts.Part] =
        LifetimeParts.Part.allCases.filter { $0 != .execution } + [.execution]

    /// Waits in the order of time, then the execution or its parts; leaves out what is less than a hundredth.
    let pieces: [(piece: Piece, width: Int)]

    /// - Parameters:
    ///   - execution: the parts of the execution, if they are known.
    ///   - tasks: the parts of tasks, which `waits` does not contain.
    init(_ waits: LifetimeParts, _ execution: ExecutionParts?, tasks: TaskParts = TaskParts(), width: Int) {
        let times =
            Self.times(waits, execution) + TaskPart.allCases.map { (piece: .task($0), time: tasks[$0]) }
        let total = Double(waits.total) + Double(tasks.total)
        let shown = times.filter { Double($0.time) >= total / 100 && $0.time > 0 }
        let sum = shown.reduce(0.0) { $0 + Double($1.time) }
        var pieces: [(piece: Piece, width: Int)] = []
        var used = 0
        var passed = 0.0
        for (piece, time) in shown {
            passed += Double(time)
            // Each part is visible, and together they are as wide as the bar.
            let left = width - 2 * (shown.count - pieces.count - 1)
            let end = max(used + 2, min(left, Int((passed / sum * Double(width)).rounded())))
            pieces.append((piece, end - used))
            used = end
        }
        self.pieces = pieces
    }

    private static func times(_ waits: LifetimeParts, _ execution: ExecutionParts?) -> [(
        piece: Piece, time: Int64
    )] {
        let lifetime = order.map { (piece: Piece.lifetime($0), time: waits[$0]) }
        guard let execution else { return lifetime }
        return lifetime.dropLast()
            + ExecutionParts.Part.allCases.map { (piece: .execution($0), time: execution[$0]) }
    }
}

/// The cells of a bar in Graphviz's HTML-like tables.
struct GraphBarCells {
    /// In points. Tables have no patterns, so a hatch is made of cells.
    private static let stripe = 2

    let theme: PictureTheme
    let height: Int

    func cells(_ piece: GraphBar.Piece, width: Int) -> [String] {
        switch piece {
        case .lifetime(let part): [cell(theme.color(part), width)]
        case .task(let part): [cell(theme.color(part), width)]
        case .execution(let part):
            switch part.row.pattern {
            case .plain: [cell(theme.color(part), width)]
            case .outlined:
                [cell(theme.color(part), width, " border=\"1\" color=\"\(theme.executionHatch)\"")]
            case .hatched:
                stride(from: 0, to: width, by: Self.stripe).enumerated().map { number, from in
                    let color = number % 2 == 0 ? theme.executionHatch : theme.color(part)
                    return cell(color, min(Self.stripe, width - from))
                }
            }
        }
    }

    private func cell(_ color: String, _ width: Int, _ attributes: String = "") -> String {
        "<td width=\"\(width)\" height=\"\(height)\" fixedsize=\"true\" "
            + "bgcolor=\"\(color)\"\(attributes)></td>"
    }
}
