/// The clusters of a graph as a tree, in their order.
struct GraphOutline {
    /// Clusters without a surrounding one.
    private(set) var roots: [Int] = []
    /// For each cluster, the clusters directly inside it.
    private(set) var inner: [[Int]]
    /// For each cluster, the nodes directly inside it.
    private(set) var nodes: [[Int]]
    /// Nodes outside all clusters.
    private(set) var outside: [Int] = []

    init(_ graph: DrawnGraph) {
        inner = Array(repeating: [], count: graph.clusters.count)
        nodes = inner
        for (index, cluster) in graph.clusters.enumerated() {
            if let outer = cluster.outer { inner[outer].append(index) } else { roots.append(index) }
        }
        for (index, node) in graph.nodes.enumerated() {
            if let cluster = node.cluster { nodes[cluster].append(index) } else { outside.append(index) }
        }
    }
}

/// The label of a cluster, of limited length. The caller escapes the names of the trace in it.
struct GraphClusterText {
    let text: String

    init(_ graph: DrawnGraph, _ index: Int) {
        let cluster = graph.clusters[index]
        if let process = cluster.process {
            text = TerminalText.shortened(
                graph.processTitles[process], toColumns: 2 * DOTNode.longestName)
            return
        }
        func shortened(_ name: String) -> String {
            TerminalText.shortened(name.isEmpty ? "?" : name, toColumns: DOTNode.longestName)
        }
        var parts: [String] = []
        let queue = cluster.queue.map { graph.trace.queues[$0] }
        if let group = cluster.group {
            let name = graph.trace.operations[group].displayName
            // Groups are often named like their queue.
            if queue?.ownName.contains(name) != true { parts.append("in " + shortened(name)) }
        }
        if let queue, let index = cluster.queue {
            let isLimited = graph.queueLimits[index].contains { $0 >= 0 }
            let slots = isLimited ? "  (\(graph.queueLimits.text(index)))" : ""
            parts.append(shortened(queue.ownName) + slots)
        }
        text = parts.joined(separator: ": ")
    }
}
