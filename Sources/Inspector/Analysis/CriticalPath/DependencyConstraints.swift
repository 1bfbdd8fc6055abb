import InspectorColumns

extension ConstraintGraph {
    /// The constraints through dependencies and nesting only, with each operation's own execution: what
    /// remains with any number of slots. ``CriticalPath`` is its longest path.
    ///
    /// Cost: linear in operations and edges.
    static func throughDependencies(
        _ trace: Trace, _ transitions: TraceTransitions, _ nesting: Nesting, _ ownExecution: [Int64]
    ) -> ConstraintGraph {
        var edges: [Edge] = []
        edges.reserveCapacity(transitions.count + trace.edges.count + nesting.children.members.count * 2)
        for index in transitions.indices where transitions.has(index) && trace.task(index) == nil {
            edges.append(Edge(start(index), finish(index), lag: ownExecution[index]))
        }
        for edge in trace.edges where edge.isPossible(transitions) {
            edges.append(Edge(finish(edge.predecessor), start(edge.successor), lag: 0))
        }
        if var runs = RunConstraints(trace, transitions, isRecorded: false) {
            runs.addCreations { _ in 0 }
            edges += runs.edges
        }
        let vertices = RunConstraints.count(in: trace)
        guard !nesting.children.members.isEmpty else {
            return ConstraintGraph(operations: vertices, edges)
        }
        for index in transitions.indices where !nesting.children[index].isEmpty && trace.task(index) == nil {
            guard let parent = transitions[index] else { continue }
            let last = nesting.lastChild(of: index, transitions)
            for child in nesting.children[index] {
                guard let line = transitions[Int(child)] else { continue }
                if line.start >= parent.start {
                    edges.append(Edge(start(index), start(Int(child)), lag: line.enqueued - parent.start))
                }
                if line.end <= parent.end {
                    let lag = Int(child) == last ? parent.end - line.end : 0
                    edges.append(Edge(finish(Int(child)), finish(index), lag: lag))
                }
            }
        }
        return ConstraintGraph(operations: vertices, edges)
    }
}

extension Trace.Edge {
    /// Whether both operations were enqueued, and the times do not show that the successor started first.
    func isPossible(_ transitions: TraceTransitions) -> Bool {
        predecessor != successor && transitions.indices.contains(predecessor)
            && transitions.indices.contains(successor) && transitions.comesBefore(predecessor, successor)
    }
}
