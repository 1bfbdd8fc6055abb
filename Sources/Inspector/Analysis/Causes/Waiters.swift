/// What waited for one operation: its dependents, the operation that got its slot, its parent, and operations
/// that blocked their thread for it.
package struct Waiters: Sendable {
    package enum Relation: CaseIterable, Hashable, Sendable {
        /// It depends on the operation, which was the last of its dependencies to finish.
        case lastDependency
        /// It depends on the operation, and on another that finished later.
        case dependency
        /// It waited for the slot that the operation left, as far as that can be inferred.
        case slot
        /// It still waits for the slot that the operation has.
        case slotHeld
        /// It is the parent, and the operation was the last of its children to finish.
        case lastChild
        /// It blocked its thread until the operation had finished.
        case blockingWait
        /// It is a task that awaited the task.
        case awaited
        /// It is a task whose continuation it resumed.
        case resumed
        /// It is a task that waited for an actor, or another executor with one run at a time, that the task
        /// had.
        case actorHeld
        /// It is an operation that finished in a run of the task.
        case finished
    }

    package struct Waiter: Hashable, Sendable {
        /// Index into the trace's operations.
        package let operation: Int
        package let relation: Relation
        /// Nanoseconds for which both the operation and its waiter existed, up to the operation's end.
        package let waited: Int64
    }

    /// Waiters that did not wait longer for another dependency come first; then by the length of the wait.
    package let waiters: [Waiter]

    /// Cost: linear in operations and edges, n log n in waiters.
    package init(of index: Int, _ analysis: TraceAnalysis, _ causes: StartCauses) {
        let trace = analysis.trace
        let operations = trace.operations
        let transitions = analysis.timings.transitions
        guard let line = transitions[index] else {
            waiters = []
            return
        }
        var found: [Waiter] = []
        func add(_ operation: Int, _ relation: Relation, since start: Int64) {
            found.append(
                Waiter(
                    operation: operation, relation: relation,
                    waited: max(0, line.end - max(line.enqueued, TraceMoment.bounded(start)))))
        }
        for edge in trace.edges where edge.predecessor == index && operations.indices.contains(edge.successor)
        {
            let successor = edge.successor
            guard successor != index, let waiter = transitions[successor] else { continue }
            let isLast = causes.lastDependency(of: successor) == index
            add(successor, isLast ? .lastDependency : .dependency, since: waiter.enqueued)
        }
        for (other, waiter) in transitions.enumerated() where other != index {
            let reason = causes.reason(of: other)
            guard let waiter, reason == .slot || reason == .slotHeld, causes.cause(of: other) == index
            else {
                continue
            }
            add(other, reason == .slot ? .slot : .slotHeld, since: waiter.ready?.notAfter ?? 0)
        }
        if let parent = operations[index].parent, operations.indices.contains(parent), parent != index,
            trace.task(parent) == nil,
            let waiting = transitions[parent], waiting.executing != nil,
            ChildWaits(trace).waited(waiting, parent, for: line)
        {
            let last = analysis.nesting.lastChild(of: parent, transitions)
            if last.flatMap({ transitions.end(of: $0) }) == line.end {
                add(parent, .lastChild, since: waiting.start)
            }
        }
        for wait in trace.blockingWaits where wait.target == .operation(index) {
            guard let operation = wait.operation, operations.indices.contains(operation), operation != index
            else { continue }
            add(operation, .blockingWait, since: wait.start)
        }
        if let waits = TaskWaits(trace, transitions) {
            found += Self.waiters(for: index, waits)
            for (operation, task) in waits.tasks.finishers where waits.operation(of: Int(task)) == index {
                guard let finished = transitions[Int(operation)] else { continue }
                let start = max(finished.start, line.enqueued)
                found.append(
                    Waiter(
                        operation: Int(operation), relation: .finished, waited: max(0, finished.end - start)))
            }
        }
        waiters = found.sorted {
            (Self.rank($0.relation), $1.waited, $0.operation, Self.order($0.relation)) < (
                Self.rank($1.relation), $0.waited, $1.operation, Self.order($1.relation)
            )
        }
    }

    /// The tasks that waited for an operation or task. Linear in runs.
    private static func waiters(for index: Int, _ waits: TaskWaits) -> [Waiter] {
        var found: [Waiter] = []
        for task in waits.tasks.entries.indices where waits.operation(of: task) != index {
            var sums: [Relation: Int64] = [:]
            waits.forEach(of: task) { wait in
                guard wait.operation == index else { return }
                let relation: Relation =
                    switch wait.reason {
                    case .resumed: .resumed
                    case .actorHeld: .actorHeld
                    default: .awaited
                    }
                sums[relation, default: 0] += wait.moment - wait.start
            }
            for (relation, waited) in sums {
                found.append(
                    Waiter(operation: waits.operation(of: task), relation: relation, waited: waited))
            }
        }
        return found
    }

    private static func order(_ relation: Relation) -> Int {
        Relation.allCases.firstIndex(of: relation) ?? 0
    }

    private static func rank(_ relation: Relation) -> Int { relation == .dependency ? 1 : 0 }
}
