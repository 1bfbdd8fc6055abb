/// Arranges unconnected nodes and clusters as blocks that fit a screen. A layout by ranks would put all of
/// them into one column, however long that gets.
///
/// Graphviz and Mermaid get invisible arrows, each of which puts its second node a rank after its first.
struct GraphBlocks {
    struct Link {
        /// Indices into the graph's nodes.
        let from: Int
        let to: Int
    }

    /// Up to this many nodes stay in one line, as they would without this.
    static let mostInLine = 8
    /// Up to this many clusters stay in one line.
    private static let mostClusters = 4

    private(set) var links: [Link] = []
    private let outline: GraphOutline
    private let isAlone: [Bool]
    private let direction: GraphOptions.Direction

    /// Linear in nodes and arrows.
    init(_ graph: DrawnGraph, _ outline: GraphOutline) {
        var isAlone = [Bool](repeating: true, count: graph.nodes.count)
        for edge in graph.edges where edge.from != edge.to {
            isAlone[edge.from] = false
            isAlone[edge.to] = false
        }
        self.isAlone = isAlone
        self.outline = outline
        direction = graph.options.direction
        _ = arrange(outline.outside, outline.roots)
    }

    /// A node, or a cluster, without arrows into or out of it.
    private struct Part {
        let first: Int
        let last: Int
        let nodes: Int
    }

    /// Arranges the contents of a cluster. `nil` if arrows lead to some of it, or if it is empty.
    private mutating func arrange(_ nodes: [Int], _ clusters: [Int]) -> Part? {
        let alone = nodes.filter { isAlone[$0] }.map { Part(first: $0, last: $0, nodes: 1) }
        if alone.count > Self.mostInLine { link(alone, ranks: direction == .right ? 0.58 : 1) }
        var free: [Part] = []
        for cluster in clusters {
            if let part = arrange(outline.nodes[cluster], outline.inner[cluster]) { free.append(part) }
        }
        let count = free.reduce(alone.count) { $0 + $1.nodes }
        if free.count > Self.mostClusters, count > Self.mostInLine { link(free, ranks: 0.87) }
        guard alone.count == nodes.count, free.count == clusters.count,
            let first = alone.first ?? free.first, let last = free.last ?? alone.last
        else { return nil }
        return Part(first: first.first, last: last.last, nodes: count)
    }

    /// Fills rank after rank.
    ///
    /// - Parameter ranks: the number of ranks for each node in a rank, so that the block has about the shape
    ///   of a screen. A node takes 2.0 × 0.7 inches including its margins if arrows point right, and 1.7 ×
    ///   1.05 if they point down.
    private mutating func link(_ parts: [Part], ranks: Double) {
        let count = max(1, Int((Double(parts.count) * ranks).squareRoot().rounded()))
        let inRank = (parts.count + count - 1) / count
        for (part, next) in zip(parts, parts.dropFirst(inRank)) {
            links.append(Link(from: part.last, to: next.first))
        }
    }
}
