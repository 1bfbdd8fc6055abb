/// A graph in DOT whose nodes and edges have their places, for Graphviz's `nop2`, which only draws them. Linear.
struct DOTTimeline {
    /// Inches; a larger picture is scaled down to it, so that a bitmap is of bounded size.
    static let largest = "100,100"
    /// Columns of a name, at six points each.
    private static let columnWidth = 6.0

    /// With more, corners and the points of arrows are left out, which Graphviz takes as long to draw as all else.
    private static let mostDetailed = 3_000

    private let graph: DrawnGraph
    private let palette: GraphPalette
    private let layout: NodePlacement

    private var isDetailed: Bool { graph.nodes.count + graph.edges.count <= Self.mostDetailed }
    private var style: String { isDetailed ? "rounded,filled" : "filled" }

    private var theme: PictureTheme { graph.options.theme }
    private var height: Double { Double(layout.lanes) * NodePlacement.laneHeight }

    init(_ graph: DrawnGraph, _ palette: GraphPalette) {
        self.graph = graph
        self.palette = palette
        layout = NodePlacement(graph)
    }

    var text: String {
        var text = "digraph opviz {\n"
        text +=
            "  graph [layout=nop2, bb=\"\(Self.number(-10)),-30,\(Self.number(layout.width + 10)),\(Self.number(height + 110))\", "
            + "fontname=\"\(DOTGraph.font)\", fontsize=11, fontcolor=\"\(theme.text)\", bgcolor=\"\(theme.background)\", "
            + "pad=0.25, outputorder=edgesfirst, size=\"\(Self.largest)\"]\n"
        text +=
            "  node [shape=box, style=\"\(style)\", fontname=\"\(DOTGraph.font)\", fontsize=9, "
            + "fontcolor=\"\(theme.text)\", fixedsize=true, height=\(Self.inches(NodePlacement.boxHeight)), margin=0]\n"
        text +=
            "  edge [color=\"\(theme.edge)\", arrowsize=0.4, penwidth=0.4\(isDetailed ? "" : ", arrowhead=none")]\n"
        text += title
        for line in axis { text += "  \(line)\n" }
        for node in graph.nodes.indices { text += "  \(statement(node))\n" }
        for edge in graph.edges { text += "  \(arrow(edge))\n" }
        return text + "}\n"
    }

    /// As a node without a border, because `nop2` places no label of a graph.
    private var title: String {
        let markup = DOTTitle(graph, palette).markup
        return "  title [shape=plaintext, style=\"\", fixedsize=false, label=\(markup), "
            + "pos=\"\(Self.number(min(280, layout.width / 2))),\(Self.number(height + 60))\", width=0.1, height=0.1]\n"
    }

    /// Times below the lanes.
    private var axis: [String] {
        let steps = 8
        return (0...steps).map { step in
            let x = (layout.width - NodePlacement.leastWidth) * Double(step) / Double(steps)
            let time = layout.start.saturatingAdd(Int64(exactly: (x * layout.scale).rounded()) ?? .max)
            return "time\(step) [shape=plaintext, style=\"\", fontcolor=\"\(theme.mutedText)\", width=1, "
                + "label=\"\(DurationFormat.text(nanoseconds: time))\", pos=\"\(Self.number(x)),-16\"]"
        }
    }

    private func statement(_ node: Int) -> String {
        let box = layout.boxes[node]
        let drawn = graph.nodes[node]
        let entry = palette.entry(drawn)
        let (x, y) = center(node)
        let text = GraphNodeText(graph, node)
        let title = text.title
        let columns = max(3, Int((box.width - 6) / Self.columnWidth))
        let name =
            text.mark + TerminalText.shortened(title.isEmpty ? "?" : title, toColumns: min(columns, 60))
        var attributes =
            "label=\(DOTText.quoted(name)), tooltip=\(DOTNode(graph, palette, node).tooltip), "
            + "pos=\"\(Self.number(x)),\(Self.number(y))\", width=\(Self.inches(box.width)), "
            + "fillcolor=\"\(palette.fill(drawn))\", "
            + "color=\"\(drawn.isCritical ? theme.critical : entry.border)\", "
            + "penwidth=\(drawn.isCritical ? "2.5" : entry.isBold ? "2" : "0.7")"
        if entry.isDashed { attributes += ", style=\"\(style),dashed\"" }
        if entry.isDouble { attributes += ", peripheries=2" }
        return "\(graph.identifier(of: node)) [\(attributes)]"
    }

    /// A straight line from the end of the one, or where the one added the other from its beginning, to the other's beginning.
    private func arrow(_ edge: DrawnGraph.Edge) -> String {
        let (from, to) = (center(edge.from), center(edge.to))
        let isWithin = edge.from == edge.to
        let side = edge.relation == .spawn ? -1.0 : 1
        let start = (x: from.x + side * layout.boxes[edge.from].width / 2, y: from.y)
        let end = (x: to.x - layout.boxes[edge.to].width / 2, y: isWithin ? to.y - 4 : to.y)
        let tip = end
        let base = (x: end.x - 4, y: end.y)
        func third(_ part: Double) -> String {
            Self.point(start.x + (base.x - start.x) * part, start.y + (base.y - start.y) * part)
        }
        let position =
            (isDetailed || edge.critical > 0 ? "e,\(Self.point(tip.x, tip.y)) " : "")
            + "\(Self.point(start.x, start.y)) \(third(1.0 / 3)) \(third(2.0 / 3)) "
            + Self.point(base.x, base.y)
        var attributes = "pos=\"\(position)\""
        if edge.critical > 0, !isDetailed { attributes += ", arrowhead=normal" }
        if edge.relation == .spawn { attributes += ", style=dashed, color=\"\(theme.spawn)\"" }
        if edge.critical > 0 {
            attributes += ", color=\"\(theme.critical)\", penwidth=2"
        } else if edge.last > 0 {
            attributes += ", penwidth=1"
        }
        return "\(graph.identifier(of: edge.from)) -> \(graph.identifier(of: edge.to)) [\(attributes)]"
    }

    private func center(_ node: Int) -> (x: Double, y: Double) {
        let box = layout.boxes[node]
        return (box.x + box.width / 2, height - (Double(box.lane) + 0.5) * NodePlacement.laneHeight)
    }

    private static func point(_ x: Double, _ y: Double) -> String { "\(number(x)),\(number(y))" }

    private static func inches(_ points: Double) -> String {
        let thousandths = Int((points / 72 * 1000).rounded())
        let fraction = String(thousandths % 1000)
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }

    /// With one decimal: a double written in full takes three times the room.
    private static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return (tenths < 0 ? "-" : "") + "\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}
