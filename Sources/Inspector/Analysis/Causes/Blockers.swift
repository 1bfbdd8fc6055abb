import InspectorColumns
package import WaitDiagnosis

/// What operations that have not finished wait for at the end of a trace.
package struct Blockers: Sendable {
    /// A class sets its state and then notifies its queue. Between the two, this is not a mistake yet.
    /// Nanoseconds.
    static let notificationTime: Int64 = 10_000_000

    /// The wait graph of unfinished operations and their dependencies.
    package let graph: WaitGraph
    /// The operations of `graph`, as indices into the trace's operations.
    package let operations: [Int]
    /// The standstills of `graph`.
    package let standstills: [Standstill]
    private let hops: [WaitHop?]
    /// The number of each operation of the trace in `graph`, or -1. Empty if all finished.
    private let numbers: [Int32]

    /// An operation that it waits for. Both are indices into the trace's operations.
    package subscript(operation: Int) -> WaitHop? {
        guard numbers.indices.contains(operation), numbers[operation] >= 0,
            var hop = hops[Int(numbers[operation])]
        else { return nil }
        hop.operation = operation
        hop.next = operations[hop.next]
        return hop
    }

    /// Cost: linear in operations, edges and waits.
    ///
    /// - Parameter end: the last time that the trace covers.
    package init(_ trace: Trace, end: Int64) {
        var making = WaitGraphMaking(trace, end: end)
        making.make()
        let found = Standstills(making.graph)
        graph = making.graph
        operations = making.operations
        numbers = making.numbers
        standstills = found.all
        hops = found.hops
    }
}

/// Builds the graph of a trace's unfinished operations.
private struct WaitGraphMaking {
    private let trace: Trace
    private let columns: OperationColumns
    private let end: Int64
    private(set) var graph = WaitGraph()
    private(set) var operations: [Int] = []
    private(set) var numbers: [Int32] = []

    init(_ trace: Trace, end: Int64) {
        self.trace = trace
        self.end = end
        columns = trace.operations.store.columns
    }

    mutating func make() {
        let open = trace.operations.indices.filter {
            columns.enqueued.has($0) && !columns.finished.has($0) && trace.task($0) == nil
        }
        if open.isEmpty { return }
        numbers = Array(repeating: -1, count: trace.operations.count)
        graph.queues = trace.queues.map { queue in
            WaitGraph.Queue(
                limit: queue.limits.last?.limit ?? -1,
                isSuspended: queue.suspensions.contains { $0.upperBound >= end })
        }
        for operation in open { add(operation) }
        addDependencies()
        for (waiting, holder) in KeyWaits(trace, isOpen).holders {
            graph.keys.append((Int(numbers[Int(waiting)]), Int(numbers[Int(holder)])))
        }
        let waits = ChildWaits(trace)
        for child in open {
            let parent = Int(columns.parents[child])
            guard parent != child, isOpen(parent), columns.executing.has(parent),
                columns.processes[parent] == columns.processes[child], waits.isWaiting(parent)
            else { continue }
            graph.children.append((Int(numbers[child]), Int(numbers[parent])))
        }
        for wait in trace.blockingWaits where wait.end == nil {
            guard let waiting = wait.operation, isOpen(waiting) else { continue }
            switch wait.target {
            case .operation(let other) where isOpen(other):
                graph.waits.append((Int(numbers[waiting]), .operation(Int(numbers[other]))))
            case .queue(let queue) where trace.queues.indices.contains(queue):
                graph.waits.append((Int(numbers[waiting]), .queue(queue)))
            case .operation, .queue: break
            }
        }
    }

    private func isOpen(_ operation: Int) -> Bool {
        numbers.indices.contains(operation) && columns.enqueued.has(operation)
            && !columns.finished.has(operation) && trace.task(operation) == nil
    }

    private mutating func addDependencies() {
        let isMerged = trace.isMerged
        for edge in trace.edges
        where edge.predecessor != edge.successor && numbers.indices.contains(edge.predecessor)
            && isOpen(edge.successor) && !columns.finished.has(edge.predecessor)
            && (!isMerged || !trace.isAcrossProcesses(edge.predecessor, edge.successor))
        {
            if numbers[edge.predecessor] < 0 { add(edge.predecessor) }
            graph.dependencies.append(
                (Int(numbers[edge.predecessor]), Int(numbers[edge.successor])))
        }
    }

    private mutating func add(_ operation: Int) {
        numbers[operation] = Int32(operations.count)
        operations.append(operation)
        let state: WaitGraph.State =
            !columns.enqueued.has(operation)
            ? .notAdded
            : columns.executing.has(operation)
                ? .executing : columns.ready.has(operation) ? .ready : .pending
        let queue = Int(columns.queues[operation])
        let asked = trace.operations[operation].unnotifiedFinish
        graph.operations.append(
            WaitGraph.Operation(
                state, queue: trace.queues.indices.contains(queue) ? queue : -1,
                isCancelled: columns.cancelled.has(operation),
                isUnnotified: asked.map {
                    end - TraceMoment.bounded($0.notAfter) >= Blockers.notificationTime
                } ?? false))
    }

}
