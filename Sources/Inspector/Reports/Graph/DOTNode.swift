/// A node in DOT: lines of text, and below them a bar with the parts of its operations' lifetimes.
struct DOTNode {
    /// Longer names are cut in the picture, in columns; the tooltip shows more of them.
    static let longestName = 32
    private static let longestTooltip = 300
    /// In points.
    private static let barWidth = 96
    private static let barHeight = 5

    private let graph: DrawnGraph
    private let palette: GraphPalette
    private let index: Int
    private let text: GraphNodeText

    private var node: DrawnGraph.Node { graph.nodes[index] }
    private var theme: PictureTheme { graph.options.theme }

    init(_ graph: DrawnGraph, _ palette: GraphPalette, _ index: Int) {
        self.graph = graph
        self.palette = palette
        self.index = index
        text = GraphNodeText(graph, index)
    }

    /// The attributes in brackets.
    var attributes: String {
        let entry = palette.entry(node)
        let isCritical = node.isWhollyCritical
        let color = isCritical ? theme.critical : entry.border
        let width = isCritical ? "\(palette.criticalWidth(node))" : entry.isBold ? "2" : "1"
        var attributes =
            "label=\(label), tooltip=\(tooltip), fillcolor=\"\(palette.fill(node))\", "
            + "color=\"\(color)\", penwidth=\(width)"
        if case .operation = node.content {
            if node.tasks > 0 { attributes += ", shape=ellipse, margin=\"0,0\"" }
            if entry.isDashed { attributes += ", style=\"rounded,filled,dashed\"" }
        } else {
            // Square corners, because it stands for several operations.
            attributes += ", style=\"filled\(entry.isDashed ? ",dashed" : "")\""
        }
        if entry.isDouble { attributes += ", peripheries=2" }
        return "[\(attributes)]"
    }

    private var label: String {
        var rows = ["<b>\(text.mark)\(shortened(text.title))</b>"]
        if let subtitle = text.subtitle { rows.append(muted(shortened(subtitle))) }
        // These contain no text of the trace.
        rows.append(text.figures)
        rows += text.details.map(muted)
        rows += text.unfinished.map { muted(DOTText.markup($0)) }
        let texts = rows.joined(separator: "<br/>")
        let cells = [badge, bar].compactMap(\.self).map { "<tr><td>\($0)</td></tr>" }
        if cells.isEmpty { return "<\(texts)>" }
        return "<<table border=\"0\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"1\"><tr><td>"
            + texts + "</td></tr>" + cells.joined() + "</table>>"
    }

    /// Which part of the operations is on the critical path, framed in its colour if it is not all of them: a
    /// border around the node would claim the rest as well.
    private var badge: String? {
        guard let words = text.critical else { return nil }
        let color = node.isWhollyCritical ? "" : " border=\"1\" color=\"\(theme.critical)\""
        return "<table border=\"0\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"2\"><tr><td\(color)>"
            + "<font point-size=\"9\"> \(words) </font></td></tr></table>"
    }

    static func bar(of node: DrawnGraph.Node) -> GraphBar {
        GraphBar(node.waits, node.parts, tasks: node.taskParts, width: barWidth)
    }

    /// Cells for each part, together as wide as its share. `nil` if no time passed.
    private var bar: String? {
        let pieces = Self.bar(of: node).pieces
        if pieces.isEmpty { return nil }
        let cells = pieces.flatMap { piece, width in
            GraphBarCells(theme: theme, height: Self.barHeight).cells(piece, width: width)
        }
        return "<table border=\"0\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"0\" fixedsize=\"true\" "
            + "width=\"\(Self.barWidth)\" height=\"\(Self.barHeight)\"><tr>\(cells.joined())</tr></table>"
    }

    /// Quoted: the names, and then what it spent its time on.
    var tooltip: String {
        var names: [String]
        if case .operation(let index) = node.content {
            let operation = graph.trace.operations[index]
            names = ["\(operation.displayName) (\(operation.kind), \(operation.id))", node.ending.label]
            if case .failed(let message)? = operation.outcome { names[1] += ": \(message)" }
        } else {
            names = [text.title, text.subtitle ?? ""]
        }
        var quoted = DOTText.quoted(
            names.map { TerminalText.shortened($0, toColumns: Self.longestTooltip) }.joined(separator: "; "))
        quoted.removeLast()
        if let words = node.criticalWords { quoted += "; \(words)" }
        if node.tasks == node.count {
            for part in TaskPart.allCases where node.taskParts[part] > 0 {
                let time = DurationFormat.text(nanoseconds: node.meanTaskParts[part])
                quoted += "; \(node.count == 1 ? "" : "mean ")\(part.row.label) \(time)"
            }
            return quoted + slack + "\""
        }
        let waits = node.meanWaits
        for part in LifetimeParts.Part.allCases where waits[part] > 0 {
            let label = node.count == 1 ? part.label : "mean \(part.label)"
            quoted += "; \(label) \(DurationFormat.text(nanoseconds: waits[part]))"
            if part == .execution, let words = partWords { quoted += " (\(words))" }
        }
        return quoted + slack + "\""
    }

    private var slack: String {
        node.slack.map { "; slack \(DurationFormat.text(nanoseconds: $0))" } ?? ""
    }

    private var partWords: String? {
        guard let parts = node.meanParts, parts.total > 0 else { return nil }
        return ExecutionParts.Part.allCases.filter { parts[$0] > 0 }.map(parts.words).joined(separator: ", ")
    }

    private func shortened(_ text: String) -> String {
        // Graphviz does not accept markup around an empty text.
        guard !text.isEmpty else { return "?" }
        return DOTText.markup(TerminalText.shortened(text, toColumns: Self.longestName))
    }

    private func muted(_ markup: String) -> String {
        "<font point-size=\"9\" color=\"\(theme.mutedText)\">\(markup)</font>"
    }
}
