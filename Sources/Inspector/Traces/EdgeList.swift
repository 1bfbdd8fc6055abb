import InspectorColumns

/// The edges of a trace that is being read.
struct EdgeList {
    private var edges: [Trace.Edge] = []
    /// Edges that were removed before their successor started, so it did not wait for them.
    private var removed: Set<Trace.Edge> = []

    /// Adds an edge. Ignores edges from an operation to itself.
    mutating func connect(_ predecessor: Int, _ successor: Int) {
        guard predecessor != successor else { return }
        let edge = Trace.Edge(predecessor: predecessor, successor: successor)
        if !removed.isEmpty { removed.remove(edge) }
        edges.append(edge)
    }

    mutating func remove(_ edge: Trace.Edge) { removed.insert(edge) }

    /// Each edge once, at its first position. Linear in edges and operations.
    func unique(operations: Int) -> [Trace.Edge] {
        let repeated = repeatedEdges(operations)
        if repeated.isEmpty && removed.isEmpty { return edges }
        var next = repeated[...]
        return edges.indices.compactMap { index in
            if next.first == Int32(index) {
                next.removeFirst()
                return nil
            }
            return removed.contains(edges[index]) ? nil : edges[index]
        }
    }

    /// The indices of edges that occurred before, ascending.
    private func repeatedEdges(_ operations: Int) -> [Int32] {
        // For each predecessor, the successor that it was last seen with.
        var last = [Int32](repeating: -1, count: operations)
        var repeated: [Int32] = []
        func take(_ index: Int) {
            let edge = edges[index]
            if last[edge.predecessor] == edge.to { repeated.append(Int32(index)) }
            last[edge.predecessor] = edge.to
        }
        // In most logs, the edges of one successor follow each other.
        if zip(edges, edges.dropFirst()).allSatisfy({ $0.to <= $1.to }) {
            for index in edges.indices { take(index) }
            return repeated
        }
        let bySuccessor = Grouping(edges.lazy.map(\.successor), groups: operations)
        for index in bySuccessor.members { take(Int(index)) }
        return repeated.sorted()
    }
}
