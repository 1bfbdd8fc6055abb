import InspectorColumns

/// The executed graph in Graphviz's language: a node for each operation or group of operations, queues and
/// groups as clusters, edges as arrows. The critical path has the heaviest lines.
public struct DOTGraph: Sendable {
    static let criticalWidth = 3
    /// Graphviz makes boxes as wide as texts in the first of these fonts that it finds. A viewer may find
    /// another one. The first two are equally wide, and the others narrower.
    static let font = "DejaVu Sans,Verdana,Helvetica,Arial,sans-serif"
    /// With at least this many nodes, a fast layout matters more than curved lines.
    private static let largeGraph = 150

    private let graph: DrawnGraph
    private let palette: GraphPalette

    private var theme: PictureTheme { graph.options.theme }

    /// Linear in the size of the drawing.
    public init(_ graph: DrawnGraph) {
        let graph = graph.asPicture
        self.graph = graph
        palette = GraphPalette(graph)
    }

    /// The DOT text. The same trace gives the same bytes. It includes its layout settings.
    public var text: String {
        if graph.layout == .timeline { return DOTTimeline(graph, palette).text }
        var lines = ["digraph opviz {"]
        lines += heading.map { "  " + $0 }
        let outline = GraphOutline(graph)
        for cluster in outline.roots { append(cluster, outline, to: &lines) }
        for node in outline.outside { lines.append("  " + statement(node)) }
        for edge in DOTArrows(graph, palette).statements { lines.append("  " + edge) }
        for placement in placements { lines.append("  " + placement) }
        for link in GraphBlocks(graph, outline).links {
            lines.append(
                "  \(graph.identifier(of: link.from)) -> \(graph.identifier(of: link.to)) [style=invis]")
        }
        lines.append("}")
        return lines.joined(separator: "\n") + "\n"
    }

    private var heading: [String] {
        let isLarge = graph.nodes.count > Self.largeGraph || graph.edges.count > 2 * Self.largeGraph
        return [
            "graph [rankdir=\(graph.options.direction == .right ? "LR" : "TB"), "
                + "fontname=\"\(Self.font)\", fontsize=11, fontcolor=\"\(theme.text)\", "
                + "labelloc=t, labeljust=l, nodesep=0.12, ranksep=0.45, pad=0.25, "
                + "bgcolor=\"\(theme.background)\", outputorder=edgesfirst, size=\"\(DOTTimeline.largest)\""
                + (isLarge ? ", splines=line, nslimit=1, mclimit=0.5" : "") + "]",
            "node [shape=box, style=\"rounded,filled\", fontname=\"\(Self.font)\", fontsize=10, "
                + "fontcolor=\"\(theme.text)\", margin=\"0.10,0.05\"]",
            "edge [color=\"\(theme.edge)\", arrowsize=0.7, "
                + "penwidth=0.8, fontname=\"\(Self.font)\", fontsize=8, fontcolor=\"\(theme.mutedText)\"]",
            "label=\(DOTTitle(graph, palette).label.markup)",
        ]
    }

    // MARK: Clusters and nodes

    private func append(_ cluster: Int, _ outline: GraphOutline, to lines: inout [String]) {
        let depth = graph.clusters[cluster].depth
        let indent = String(repeating: "  ", count: depth)
        let isProcess = graph.clusters[cluster].process != nil
        let fill =
            isProcess
            ? theme.background
            : theme.clusterFills[(depth - 1 + (graph.trace.isMerged ? 1 : 0)) % theme.clusterFills.count]
        let label = DOTText.markup(GraphClusterText(graph, cluster).text)
        lines.append("\(indent)subgraph cluster_\(cluster) {")
        lines.append(
            isProcess
                ? "\(indent)  graph [label=<<b>\(label)</b>>, "
                    + "style=\"rounded,filled\", fillcolor=\"\(fill)\", "
                    + "color=\"\(theme.mutedText)\", penwidth=1.5, fontsize=12, margin=10]"
                : "\(indent)  graph [label=<<font color=\"\(theme.mutedText)\">\(label)</font>>, "
                    + "style=\"rounded,filled\", "
                    + "fillcolor=\"\(fill)\", color=\"\(theme.clusterBorder)\", fontsize=10, margin=8]")
        for node in outline.nodes[cluster] { lines.append("\(indent)  " + statement(node)) }
        for inner in outline.inner[cluster] { append(inner, outline, to: &lines) }
        lines.append("\(indent)}")
    }

    private func statement(_ node: Int) -> String {
        graph.identifier(of: node) + " " + DOTNode(graph, palette, node).attributes
    }

    /// Invisible arrows from the last child of an operation to whatever waits for that operation. They make
    /// Graphviz draw it after the children.
    private var placements: [String] {
        guard graph.collapse == .none else { return [] }
        let columns = graph.trace.operations.store.columns
        func finish(_ index: Int) -> Int64 {
            columns.finished.has(index) ? columns.finished.notAfter(index) : .max
        }
        var lastChild: [Int: Int] = [:]
        var operations: [Int] = []
        for node in graph.nodes {
            guard case .operation(let child) = node.content else { return [] }
            operations.append(child)
            let parent = Int(columns.parents[child])
            if parent < 0 { continue }
            if let last = lastChild[parent], finish(last) > finish(child) { continue }
            lastChild[parent] = child
        }
        return graph.edges.compactMap { edge in
            let (from, to) = (operations[edge.from], operations[edge.to])
            guard edge.relation == .dependency, let child = lastChild[from], child != to,
                Int(columns.parents[to]) != from
            else { return nil }
            return "n\(child) -> n\(to) [style=invis]"
        }
    }
}
