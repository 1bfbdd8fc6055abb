/// The executed graph in Graphviz's language: one node an operation, queues as clusters, edges as arrows, the critical
/// path drawn heavier than all else.
public struct DOTGraph: Sendable {
    /// From so many nodes on, speed of layout matters more than curved lines.
    private static let largeGraph = 300

    private let analysis: TraceAnalysis
    private let selection: DOTSelection
    private let clusters: DOTClusters

    /// Cost: linear in the trace, with a bound on what is drawn.
    public init(_ analysis: TraceAnalysis) {
        self.analysis = analysis
        selection = DOTSelection(analysis)
        clusters = DOTClusters(analysis.trace, drawn: selection.operations)
    }

    /// What is not in the picture, in one sentence. Nil when everything is.
    public var omission: String? {
        guard selection.omittedOperations > 0 || selection.omittedEdges > 0 else { return nil }
        var parts: [String] = []
        if selection.omittedOperations > 0 {
            parts.append(
                "the \(selection.operations.count) operations that lived longest of "
                    + "\(analysis.trace.operations.count)")
        }
        if selection.omittedEdges > 0 {
            parts.append(
                "\(selection.edges.count) edges of \(selection.edges.count + selection.omittedEdges)")
        }
        return "the picture shows " + parts.joined(separator: " and ")
    }

    /// The DOT text. The same trace gives the same bytes.
    public var text: String {
        var lines = ["digraph opviz {"]
        lines += heading.map { "  " + $0 }
        for cluster in clusters.roots { append(cluster, depth: 1, to: &lines) }
        for index in clusters.outside { lines.append("  " + node(index)) }
        for edge in selection.edges { lines.append("  " + dependency(edge)) }
        for child in spawned { lines.append("  " + child) }
        for placement in placements { lines.append("  " + placement) }
        lines.append("}")
        return lines.joined(separator: "\n") + "\n"
    }

    private var heading: [String] {
        let isLarge = selection.operations.count > Self.largeGraph
        return [
            "graph [rankdir=LR, fontname=\"\(DOTStyle.font)\", fontsize=11, labelloc=t, labeljust=l, nodesep=0.12, "
                + "ranksep=0.45, pad=0.25, bgcolor=\"#FFFFFF\", outputorder=edgesfirst"
                + (isLarge ? ", splines=line, nslimit=1, mclimit=0.5" : "") + "]",
            "node [shape=box, style=\"rounded,filled\", fontname=\"\(DOTStyle.font)\", fontsize=10, margin=\"0.10,0.05\"]",
            "edge [color=\"\(DOTStyle.edgeColor)\", arrowsize=0.7]",
            "label=\(DOTTitle(analysis, omission: omission).markup)",
        ]
    }

    // MARK: Clusters and nodes

    private func append(_ cluster: DOTClusters.Cluster, depth: Int, to lines: inout [String]) {
        let indent = String(repeating: "  ", count: depth)
        let queue = analysis.trace.queues[cluster.queue]
        let fill = DOTStyle.clusterFills[min(depth, DOTStyle.clusterFills.count) - 1]
        lines.append("\(indent)subgraph cluster_\(cluster.queue) {")
        lines.append(
            "\(indent)  graph [label=\(clusterLabel(of: queue)), style=\"rounded,filled\", fillcolor=\"\(fill)\", "
                + "color=\"\(DOTStyle.clusterBorder)\", fontsize=10, margin=8]")
        for index in cluster.operations { lines.append("\(indent)  " + node(index)) }
        for child in cluster.children { append(child, depth: depth + 1, to: &lines) }
        lines.append("\(indent)}")
    }

    private func clusterLabel(of queue: TracedQueue) -> String {
        let slots =
            switch queue.limits.last?.limit ?? -1 {
            case -1: ""
            case 1: "  (1 slot)"
            case let limit: "  (\(limit) slots)"
            }
        return "<<font color=\"\(DOTStyle.mutedText)\">"
            + DOTText.markup(
                TerminalText.shortened(queue.displayName, toColumns: DOTNode.longestName) + slots)
            + "</font>>"
    }

    private func node(_ index: Int) -> String {
        let isCritical = analysis.criticalPath.contains(operation: index)
        return "n\(index) "
            + DOTNode(analysis.trace.operations[index], waits: analysis.waits[index], isCritical: isCritical)
            .attributes
    }

    // MARK: Edges

    private func dependency(_ edge: Trace.Edge) -> String {
        let arrow = "n\(edge.predecessor) -> n\(edge.successor)"
        guard analysis.criticalPath.contains(edge: edge) else { return arrow }
        return arrow + " [color=\"\(DOTStyle.criticalColor)\", penwidth=\(DOTStyle.criticalWidth), weight=4]"
    }

    /// Arrows from parents to those of their children that wait for no sister: the others follow from the edges.
    private var spawned: [String] {
        let operations = analysis.trace.operations
        let drawn = Set(selection.operations)
        var waitingForSister: Set<Int> = []
        for edge in selection.edges
        where operations[edge.successor].parent != nil
            && operations[edge.successor].parent == operations[edge.predecessor].parent
        {
            waitingForSister.insert(edge.successor)
        }
        return selection.operations.compactMap { child in
            guard let parent = operations[child].parent, drawn.contains(parent),
                !waitingForSister.contains(child)
            else { return nil }
            let isCritical =
                analysis.criticalPath.contains(operation: child)
                && analysis.criticalPath.contains(operation: parent)
            let color = isCritical ? DOTStyle.criticalColor : DOTStyle.spawnColor
            let width = isCritical ? ", penwidth=2" : ""
            return "n\(parent) -> n\(child) [style=dashed, color=\"\(color)\", arrowhead=open\(width)]"
        }
    }

    /// Invisible arrows from the last child of an operation to what waits for that operation, which is thereby drawn
    /// after the children.
    private var placements: [String] {
        let operations = analysis.trace.operations
        var lastChild: [Int: Int] = [:]
        for child in selection.operations {
            guard let parent = operations[child].parent else { continue }
            let finish = operations[child].finished?.notAfter ?? .max
            if let last = lastChild[parent], operations[last].finished?.notAfter ?? .max > finish { continue }
            lastChild[parent] = child
        }
        return selection.edges.compactMap { edge in
            guard let child = lastChild[edge.predecessor], child != edge.successor,
                operations[edge.successor].parent != edge.predecessor
            else { return nil }
            return "n\(child) -> n\(edge.successor) [style=invis]"
        }
    }
}
