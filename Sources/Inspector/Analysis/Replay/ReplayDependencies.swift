import InspectorColumns

/// The dependencies that a replay keeps: those that do not contradict the recorded times.
struct ReplayDependencies {
    /// By predecessor.
    let dependents: Grouping
    /// By successor.
    private(set) var counts: [Int32]
    /// For each operation, when its last dependency finished; without dependencies, when it was added.
    private(set) var released: [Int64]

    /// Linear in operations and edges.
    init(_ trace: Trace, _ transitions: TraceTransitions, _ takesPart: [Bool]) {
        var counts = [Int32](repeating: 0, count: transitions.count)
        var released = [Int64](repeating: 0, count: transitions.count)
        // Computed once for each operation, because it is read for each edge.
        var ready = [Int64](repeating: .max, count: transitions.count)
        var finished = released
        for (index, line) in transitions.enumerated() {
            guard let line else { continue }
            released[index] = line.enqueued
            if let moment = line.ready?.notAfter { ready[index] = moment }
            finished[index] = line.finished.notBefore
        }
        var predecessors = [Int32](repeating: -1, count: trace.edges.count)
        for (position, edge) in trace.edges.enumerated() where edge.isPossible(transitions) {
            let (predecessor, successor) = (edge.predecessor, edge.successor)
            // A cancelled operation is ready before its dependencies have finished.
            guard takesPart[predecessor], takesPart[successor], finished[predecessor] <= ready[successor],
                let end = transitions.end(of: predecessor)
            else { continue }
            predecessors[position] = Int32(truncatingIfNeeded: predecessor)
            counts[successor] += 1
            released[successor] = max(released[successor], end)
        }
        var dependents = Grouping(predecessors.lazy.map { Int($0) }, groups: transitions.count)
        dependents.renumber { Int32(truncatingIfNeeded: trace.edges[Int($0)].successor) }
        self.dependents = dependents
        self.counts = counts
        self.released = released
    }
}
