package import InspectorColumns

/// Which operation enqueued which, and how much of a parent's execution was its own.
package struct Nesting {
    /// For each operation, those that it enqueued, in the order of their enqueueing.
    package private(set) var children: Grouping
    /// Tasks, by the operation that finished in one of their runs. They may end after it.
    private let finishers: [Int: Int]
    /// Tasks do not execute while they await their children.
    private let firstTask: Int

    /// Cost: linear if children are ordered by their enqueue, as in logs; otherwise O(n log n). Parents that
    /// are not in the trace are ignored.
    init(_ trace: Trace, _ transitions: TraceTransitions) {
        let parents = trace.operations.store.columns.parents
        // If no operation has a parent, the column is empty.
        let parentOfIndex = parents.values.indices.lazy.map { index in
            let parent = Int(parents[index])
            guard parent != index, transitions.indices.contains(parent), transitions.has(parent),
                transitions.has(index)
            else { return -1 }
            return parent
        }
        children = Grouping(parentOfIndex, groups: transitions.count)
        let first = trace.tasks.asOperations?.first
        firstTask = first ?? .max
        finishers =
            first.map { first in
                Dictionary(
                    uniqueKeysWithValues: trace.tasks.finishers.lazy.map {
                        (Int($0.key), first + Int($0.value))
                    })
            } ?? [:]
        guard !children.members.isEmpty else { return }
        func enqueued(_ child: Int32) -> Int64 { transitions.enqueued(of: Int(child)) ?? 0 }
        for parent in transitions.indices where !children[parent].isEmpty {
            let siblings = children[parent]
            if zip(siblings, siblings.dropFirst()).contains(where: { enqueued($0) > enqueued($1) }) {
                children.sort(parent) { (enqueued($0), $0) < (enqueued($1), $1) }
            }
        }
    }

    /// Among the children that ended before their parent, the last to end; the first to be enqueued if there
    /// are several.
    func lastChild(of parent: Int, _ transitions: TraceTransitions) -> Int? {
        guard let end = transitions.end(of: parent) else { return nil }
        var last: (child: Int32, end: Int64)?
        for child in children[parent] {
            guard let own = transitions.end(of: Int(child)), own <= end else { continue }
            if own > last?.end ?? .min { last = (child, own) }
        }
        return last.map { Int($0.child) }
    }

    /// For each operation, the nanoseconds of its own execution: its own work.
    func ownExecution(_ transitions: TraceTransitions, _ times: OperationWaits, _ waits: ChildWaits)
        -> [Int64]
    {
        transitions.indices.map { index in
            guard let line = transitions[index] else { return 0 }
            var own: Int64 = 0
            visitOwnExecution(of: index, line, transitions, times, waits) { own += $1 - $0 }
            return own
        }
    }

    /// Calls `body` with the start and the end of each stretch of an execution during which none of the
    /// children that it waited for was between enqueue and finish. They are in order, and not empty.
    func visitOwnExecution(
        of index: Int, _ line: OrderedTransitions, _ transitions: TraceTransitions, _ times: OperationWaits,
        _ waits: ChildWaits, _ body: (Int64, Int64) -> Void
    ) {
        let end = line.start + times.parts(of: index, line).execution
        var cursor = line.start
        func add(_ to: Int64) { if cursor < to { body(cursor, to) } }
        if index < firstTask {
            let finisher = finishers[index]
            for child in children[index] {
                let number = Int(child)
                guard let child = transitions[number],
                    waits.waited(line, index, for: child) || finisher == number
                else { continue }
                add(min(child.enqueued, end))
                cursor = min(max(cursor, child.end), end)
            }
        }
        add(end)
    }
}
