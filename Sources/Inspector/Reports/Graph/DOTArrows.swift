/// The arrows of a layout by ranks, in DOT.
struct DOTArrows {
    private static let blockedWidth = 2
    /// Of arrows with a small part of the edges, between many.
    private static let faintness = 0.5
    /// With at least this many arrows, those with a small part of the edges are faint, and not counted.
    private static let manyArrows = 30

    private let graph: DrawnGraph
    private let palette: GraphPalette
    private let arrows: [MutualEdges.Arrow]
    private let isDense: Bool

    private var theme: PictureTheme { graph.options.theme }

    /// Linear in edges.
    init(_ graph: DrawnGraph, _ palette: GraphPalette) {
        self.graph = graph
        self.palette = palette
        let isFolded = graph.collapse != .none
        arrows = MutualEdges(graph.edges, palette, isFolded: isFolded).arrows
        isDense = isFolded && arrows.count >= Self.manyArrows
    }

    var statements: [String] {
        arrows.map { "\(identifier($0.edge.from)) -> \(identifier($0.edge.to))" + attributes($0) }
    }

    /// Whether an arrow has two heads.
    var hasMutual: Bool { arrows.contains { $0.back != nil } }

    var hasFaint: Bool { arrows.contains(where: isFaint) }

    private func identifier(_ node: Int) -> String { graph.identifier(of: node) }

    private func attributes(_ arrow: MutualEdges.Arrow) -> String {
        let attributes = (form(arrow) + lines(arrow) + words(arrow)).joined(separator: ", ")
        return attributes.isEmpty ? "" : " [\(attributes)]"
    }

    private func form(_ arrow: MutualEdges.Arrow) -> [String] {
        let edge = arrow.edge
        // A ring at its start shows both ends, each in its frame.
        if edge.isAcrossProcesses { return ["dir=both, arrowtail=odot, arrowsize=1.1"] }
        if edge.relation == .spawn {
            return ["style=dashed, arrowhead=open" + (arrow.back == nil ? "" : ", dir=both, arrowtail=open")]
        }
        // It does not decide the ranks: what wakes a task comes after its creation.
        if edge.relation.isWake { return ["color=\"\(theme.wake)\", arrowhead=vee, constraint=false"] }
        if edge.relation.isUnfinished {
            let color = theme.blocked
            return [
                "style=dashed, color=\"\(color)\", fontcolor=\"\(color)\", penwidth=\(Self.blockedWidth)"
            ]
        }
        return arrow.back == nil ? [] : ["dir=both"]
    }

    /// Their colour and width, as far as the form does not decide it.
    private func lines(_ arrow: MutualEdges.Arrow) -> [String] {
        let edge = arrow.edge
        if palette.isCritical(edge) {
            return ["color=\"\(theme.critical)\", penwidth=\(palette.criticalWidth(edge)), weight=4"]
        }
        if isInCircle(arrow) {
            return ["color=\"\(theme.blocked)\", penwidth=\(Self.blockedWidth)"]
        }
        if edge.isAcrossProcesses { return ["color=\"\(theme.remote)\", penwidth=2"] }
        if edge.relation.isUnfinished || edge.relation.isWake { return [] }
        let color = edge.relation == .spawn ? theme.spawn : theme.edge
        if isFaint(arrow) {
            return ["color=\"\(HexColor.mixed(color, theme.background, Self.faintness))\", arrowsize=0.5"]
        }
        return (edge.relation == .spawn ? ["color=\"\(color)\""] : [])
            + (palette.width(edge, and: arrow.back).map { ["penwidth=\($0)"] } ?? [])
    }

    private func words(_ arrow: MutualEdges.Arrow) -> [String] {
        guard let back = arrow.back else {
            return graph.label(of: arrow.edge).map {
                [(isFaint(arrow) ? "tooltip=" : "label=") + DOTText.quoted($0)]
            } ?? []
        }
        // The number at each head is that of the edges that end there. Both need room between the nodes.
        let numbers =
            "headlabel=\"\(Prose.grouped(arrow.edge.count))\", taillabel=\"\(Prose.grouped(back.count))\", "
            + "labeldistance=1.8, minlen=2"
        return ["tooltip=\(tooltip(arrow.edge, back))"] + (isFaint(arrow) ? [] : [numbers])
    }

    private func isInCircle(_ arrow: MutualEdges.Arrow) -> Bool {
        arrow.edge.isInCircle || arrow.back?.isInCircle == true
    }

    private func isFaint(_ arrow: MutualEdges.Arrow) -> Bool {
        let edge = arrow.edge
        return isDense && !isInCircle(arrow) && (edge.relation == .dependency || edge.relation == .spawn)
            && !edge.isAcrossProcesses
            && !palette.isCritical(edge)
            && (palette.width(edge, and: arrow.back) ?? palette.thinnest) == palette.thinnest
    }

    private func tooltip(_ edge: DrawnGraph.Edge, _ back: DrawnGraph.Edge) -> String {
        func name(_ node: Int) -> String {
            TerminalText.shortened(GraphNodeText(graph, node).title, toColumns: DOTNode.longestName)
        }
        return DOTText.quoted(
            "\(name(edge.from)) → \(name(edge.to)): \(Prose.grouped(edge.count)); "
                + "\(name(back.from)) → \(name(back.to)): \(Prose.grouped(back.count))")
    }
}
