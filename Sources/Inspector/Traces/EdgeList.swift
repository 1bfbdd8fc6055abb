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
    mutating func unique(operations: Int) -> [Trace.Edge] {
        let bySuccessor = Grouping(edges.lazy.map(\.successor), groups: operations)
        // For each predecessor, the successor that it was last seen with.
        var last = [Int32](repeating: -1, count: operations)
        var isRepeated: [Bool] = []
        for successor in 0..<operations {
            for index in bySuccessor[successor] {
                let predecessor = edges[Int(index)].predecessor
                if last[predecessor] == successor {
                    if isRepeated.isEmpty { isRepeated = Array(repeating: false, count: edges.count) }
                    isRepeated[Int(index)] = true
                }
                last[predecessor] = Int32(successor)
            }
        }
        if isRepeated.isEmpty && removed.isEmpty { return edges }
        return edges.indices.compactMap { index in
            let isLeftOut = !isRepeated.isEmpty && isRepeated[index] || removed.contains(edges[index])
            return isLeftOut ? nil : edges[index]
        }
    }
}
