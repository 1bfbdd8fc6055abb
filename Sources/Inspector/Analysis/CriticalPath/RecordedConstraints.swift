import InspectorColumns

/// What actually held operations up, as edges of a ``ConstraintGraph``: dependencies, nesting, handed-over
/// slots, blocked threads, and what the program waited for before it added an operation.
struct RecordedConstraints {
    private(set) var edges: [ConstraintGraph.Edge] = []
    private let analysis: TraceAnalysis
    /// For each operation, its time in a queue without a slot. It shrinks if an earlier event is late.
    private let room: [Int64]
    /// Of tasks among the operations.
    private let tasks: TaskWaits?

    /// Cost: linear in operations and edges, O(n log n) in children and blocking waits that are out of order.
    ///
    /// - Parameters:
    ///   - causes: of the operations' starts.
    ///   - executions: what operations waited for while they executed.
    init(_ analysis: TraceAnalysis, _ causes: StartCauses, _ executions: ExecutionWaits) {
        self.analysis = analysis
        let tasks = TaskWaits(analysis.trace, analysis.timings.transitions)
        self.tasks = tasks
        room = analysis.waits.indices.map { index in
            if let tasks, let task = analysis.trace.task(index) {
                return tasks.actorWait(beforeFirstRunOf: task)
            }
            return analysis.waits[index]?.untilSlot ?? 0
        }
        edges.reserveCapacity(analysis.trace.edges.count + analysis.timings.transitions.count * 2)
        addDependencies(causes)
        addExecutions(causes, executions)
        addChildren()
        if var runs = RunConstraints(analysis.trace, analysis.timings.transitions, isRecorded: true) {
            runs.addCreations(wait)
            edges += runs.edges
        }
    }

    /// How long an operation waited before it started for what may absorb a delay.
    private func wait(_ index: Int) -> Int64 {
        let forDependencies = analysis.trace.task(index) == nil ? analysis.waits[index]?.dependency ?? 0 : 0
        return forDependencies.saturatingAdd(room[index])
    }

    private mutating func addDependencies(_ causes: StartCauses) {
        let transitions = analysis.timings.transitions
        for edge in analysis.trace.edges where edge.isPossible(transitions) {
            guard let start = transitions.start(of: edge.successor),
                let released = causes.lastDependency(of: edge.successor).flatMap(transitions.end)
                    ?? transitions.enqueued(of: edge.successor)
            else { continue }
            edges.append(
                ConstraintGraph.Edge(
                    ConstraintGraph.finish(edge.predecessor), ConstraintGraph.start(edge.successor),
                    lag: start - released - room[edge.successor]))
        }
    }

    private mutating func addExecutions(_ causes: StartCauses, _ executions: ExecutionWaits) {
        // Read once: in a method that changes `edges`, each access would copy the trace.
        let (trace, ownExecution) = (analysis.trace, analysis.ownExecution)
        let transitions = analysis.timings.transitions
        let parents = trace.operations.store.columns.parents
        let processes = trace.operations.store.columns.processes
        for (index, line) in transitions.enumerated() {
            guard let line else { continue }
            if trace.task(index) == nil {
                edges.append(
                    ConstraintGraph.Edge(
                        ConstraintGraph.start(index), ConstraintGraph.finish(index),
                        lag: ownExecution[index]))
            }
            if causes.reason(of: index) == .slot, let holder = causes.cause(of: index) {
                edges.append(
                    ConstraintGraph.Edge(
                        ConstraintGraph.finish(holder), ConstraintGraph.start(index),
                        lag: line.start - causes.moment(of: index)))
            }
            if parents[index] == OperationColumns.none, causes.remoteCause(of: index) == nil,
                let wait = executions.ofProgram(of: Int(processes[index]), upTo: line.enqueued),
                wait.operation != index
            {
                edges.append(
                    ConstraintGraph.Edge(
                        ConstraintGraph.finish(wait.operation), ConstraintGraph.start(index),
                        lag: line.start - wait.moment - self.wait(index)))
            }
            for wait in executions.entries(of: index) where wait.reason == .blockingWait {
                edges.append(
                    ConstraintGraph.Edge(
                        ConstraintGraph.finish(wait.operation), ConstraintGraph.finish(index),
                        lag: line.end - wait.moment))
            }
        }
    }

    private mutating func addChildren() {
        let nesting = analysis.nesting
        let transitions = analysis.timings.transitions
        if nesting.children.members.isEmpty { return }
        for index in transitions.indices
        where !nesting.children[index].isEmpty && analysis.trace.task(index) == nil {
            guard let start = transitions.start(of: index), let end = transitions.end(of: index) else {
                continue
            }
            let lastEnd = nesting.lastChild(of: index, transitions).flatMap { transitions.end(of: $0) }
            for child in nesting.children[index] {
                let child = Int(child)
                guard let childStart = transitions.start(of: child), let childEnd = transitions.end(of: child)
                else { continue }
                if childStart >= start {
                    edges.append(
                        ConstraintGraph.Edge(
                            ConstraintGraph.start(index), ConstraintGraph.start(child),
                            lag: childStart - start - wait(child)))
                }
                if childEnd <= end, let lastEnd {
                    edges.append(
                        ConstraintGraph.Edge(
                            ConstraintGraph.finish(child), ConstraintGraph.finish(index),
                            lag: end - lastEnd))
                }
            }
        }
    }
}
