/// The text above the picture: what was run, the important figures, and the meaning of the colours and lines.
struct DOTTitle {
    /// Graphviz distributes the remaining width of a table evenly over its columns. These empty columns take
    /// nearly the whole remainder.
    private static let slackColumns = 60
    /// The width at which sentences wrap, so that a long title does not widen a small picture.
    private static let lineColumns = 100

    private let graph: DrawnGraph
    private let palette: GraphPalette
    /// The pieces that are drawn by time; nil for bars in the nodes.
    private let drawn: Set<GraphBar.Piece>?

    private var theme: PictureTheme { graph.options.theme }

    /// - Parameter drawn: the pieces that are drawn by time; nil for a picture by ranks, whose nodes have
    ///   bars.
    init(_ graph: DrawnGraph, _ palette: GraphPalette, drawn: Set<GraphBar.Piece>? = nil) {
        self.graph = graph
        self.palette = palette
        self.drawn = drawn
    }

    /// An HTML-like label, including its brackets, and about how many points high Graphviz draws it.
    var label: (markup: String, height: Double) {
        let heading = PictureHeading(graph.analysis)
        var rows = [
            "<font point-size=\"15\"><b>\(DOTText.markup(heading.process))</b></font>",
            DOTText.markup(heading.figures.joined(separator: " · ")),
        ]
        rows += heading.verdict(columns: Self.lineColumns).map { "<b>\(DOTText.markup($0))</b>" }
        rows += graph.statements.map { muted(DOTText.markup($0)) }
        let texts = rows.count
        for legend in [nodes, lines, bars] where !legend.isEmpty {
            rows.append(
                "<table border=\"0\" cellborder=\"0\" cellspacing=\"4\" "
                    + "cellpadding=\"3\"><tr>\(legend.joined())"
                    + "<td colspan=\"\(Self.slackColumns)\"></td></tr></table>"
            )
        }
        let cells = rows.map { "<tr><td align=\"left\">\($0)</td></tr>" }.joined()
        return (
            "<<table border=\"0\" cellborder=\"0\" cellspacing=\"2\" cellpadding=\"1\">\(cells)</table>>",
            20 + 13.5 * Double(texts - 1) + 29 * Double(rows.count - texts)
        )
    }

    // MARK: The legend, limited to what occurs in the picture

    private var nodes: [String] {
        var cells = (palette.legend + palette.endings).map { entry in
            let style = entry.isDashed ? " style=\"dashed\"" : ""
            let border = entry.isBold || entry.isDouble ? 2 : 1
            return "<td border=\"\(border)\" color=\"\(entry.border)\" bgcolor=\"\(entry.fill)\"\(style)>"
                + "<font point-size=\"9\"> \(DOTText.markup(entry.label)) </font></td>"
        }
        if graph.nodes.contains(where: \.isCritical) || graph.edges.contains(where: palette.isCritical) {
            cells.append(
                "<td border=\"\(DOTGraph.criticalWidth)\" color=\"\(theme.critical)\"><font point-size=\"9\" "
                    + "color=\"\(theme.critical)\"><b> critical path </b></font></td>")
        }
        if graph.nodes.contains(where: { $0.focused > 0 }) {
            cells.append("<td>\(muted("\(GraphNodeText.focusMark) asked for"))</td>")
        }
        if graph.options.coloring == .outcome, graph.nodes.contains(where: { palette.shade($0) > 0 }) {
            cells.append("<td>\(muted("\(theme == .light ? "darker" : "brighter"): executed longer"))</td>")
        }
        return cells
    }

    private var lines: [String] {
        var texts: [String] = []
        if graph.edges.contains(where: { $0.relation == .dependency && !$0.isAcrossProcesses }) {
            texts.append("A → B: \(EdgeMeaning.dependency.rawValue)")
        }
        if graph.collapse == .none, graph.edges.contains(where: { $0.last > 0 }),
            graph.edges.contains(where: { $0.relation == .dependency && $0.last == 0 })
        {
            texts.append("bold: \(EdgeMeaning.lastDependency.rawValue)")
        }
        if graph.edges.contains(where: { $0.relation == .spawn && !$0.isAcrossProcesses }) {
            texts.append("⇢ \(EdgeMeaning.added.rawValue)")
        }
        if graph.layout == .ranks, graph.nodes.contains(where: { DOTTimeline.task($0, graph) != nil }) {
            texts.append("ellipse: task")
        }
        if graph.edges.contains(where: \.isAcrossProcesses) { texts.append("○→ caused, in another process") }
        if graph.layout == .ranks {
            if graph.edges.contains(where: { $0.count > 1 }) { texts.append("numbers: edges per arrow") }
            let arrows = DOTArrows(graph, palette)
            if arrows.hasMutual { texts.append("A ↔ B: in both directions") }
            if arrows.hasFaint { texts.append("faint: few edges, counted in a tooltip") }
        }
        var cells = texts.isEmpty ? [] : ["<td>\(muted(texts.joined(separator: " &#160; ")))</td>"]
        if graph.edges.contains(where: \.relation.isWake) {
            let words = "A → B, violet: \(EdgeMeaning.wake.rawValue)"
            cells.append("<td>\(small(words, theme.wake))</td>")
        }
        if graph.edges.contains(where: \.relation.isUnfinished) {
            let words = "A ⇢ B, bold: \(EdgeMeaning.unfinished.rawValue)"
            cells.append("<td>\(small(words, theme.blocked))</td>")
        }
        return cells
    }

    private var bars: [String] {
        pieces.map { piece in
            let label =
                switch piece {
                case .lifetime(let part): part.label
                case .execution(let part): part.label
                case .task(let part): part.row.label
                }
            let cells = GraphBarCells(theme: theme, height: 6).cells(piece, width: 10)
            return "<td><table border=\"0\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"0\" "
                + "fixedsize=\"true\" width=\"10\" height=\"6\"><tr>\(cells.joined())</tr></table></td><td>"
                + "\(muted(label))</td>"
        }
    }

    /// The pieces of bars that occur.
    private var pieces: [GraphBar.Piece] {
        var seen = drawn ?? []
        if drawn == nil {
            for node in graph.nodes { seen.formUnion(DOTNode.bar(of: node).pieces.map { $0.piece }) }
        }
        return GraphBar.all.filter(seen.contains)
    }

    private func muted(_ markup: String) -> String { small(markup, theme.mutedText) }

    private func small(_ markup: String, _ color: String) -> String {
        "<font point-size=\"9\" color=\"\(color)\">\(markup)</font>"
    }
}
