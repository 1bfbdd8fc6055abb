/// The dependencies that a replay keeps: those that the recorded times do not contradict.
struct ReplayDependencies {
    /// By predecessor.
    let dependents: Grouping
    /// By successor.
    private(set) var counts: [Int32]
    /// By operation, when the last of them finished; where there is none, when it was added.
    private(set) var released: [Int64]

    /// Linear in operations and edges.
    init(_ trace: Trace, _ lifelines: Lifelines, _ takesPart: [Bool]) {
        var counts = [Int32](repeating: 0, count: lifelines.count)
        var released = lifelines.map { $0?.enqueued ?? 0 }
        var predecessors = [Int32](repeating: -1, count: trace.edges.count)
        for (position, edge) in trace.edges.enumerated() where edge.isPossible(lifelines) {
            guard takesPart[edge.predecessor], takesPart[edge.successor],
                let predecessor = lifelines[edge.predecessor], let successor = lifelines[edge.successor]
            else { continue }
            // One that was cancelled is ready before its dependencies have finished.
            if let ready = successor.ready?.notAfter, predecessor.finished.notBefore > ready { continue }
            predecessors[position] = Int32(truncatingIfNeeded: edge.predecessor)
            counts[edge.successor] += 1
            released[edge.successor] = max(released[edge.successor], predecessor.end)
        }
        var dependents = Grouping(predecessors.lazy.map { Int($0) }, groups: lifelines.count)
        dependents.renumber { Int32(truncatingIfNeeded: trace.edges[Int($0)].successor) }
        self.dependents = dependents
        self.counts = counts
        self.released = released
    }
}
