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
    /// The number of each operation of the trace in `graph`, or -1. Empty if all finished. Includes tasks if
    /// the trace has them as operations.
    private let numbers: [Int32]
    /// The waits for operations in which tasks block their threads, by the tasks' numbers in `graph`.
    private let waitsOfTasks: [Int: BlockingWait]
    /// The executors that tasks need, by the tasks' numbers in `graph`.
    private let executors: [Int: Int32]
    /// The waits of main threads outside of operations, by the queues whose operations need them.
    private let waitsOfMainQueues: [Int: BlockingWait]
    /// The index in ``operations`` that a trace's first task has.
    private let firstTask: Int

    /// What it waits for. Both are indices into the trace's operations. Without tasks, unless the trace has
    /// these as operations.
    package subscript(operation: Int) -> WaitHop? {
        guard numbers.indices.contains(operation), numbers[operation] >= 0,
            let hop = hops[Int(numbers[operation])]
        else { return nil }
        let inTrace = self.inTrace(hop)
        return numbers.indices.contains(inTrace.next) ? inTrace : nil
    }

    /// The same hop, with indices as in ``operations``.
    package func inTrace(_ hop: WaitHop) -> WaitHop {
        var hop = hop
        (hop.operation, hop.next) = (operations[hop.operation], operations[hop.next])
        return hop
    }

    /// Cost: linear in operations, edges and waits.
    ///
    /// - Parameter end: the last time that the trace covers.
    package init(_ trace: Trace, end: Int64) {
        var making = WaitGraphMaking(trace, end: end)
        making.make()
        var found = Standstills(making.graph)
        var withTasks = making
        withTasks.addTasks()
        if withTasks.graph.operations.count > making.graph.operations.count {
            let whole = Standstills(withTasks.graph)
            if whole.all.contains(where: { !$0.tasks(in: withTasks.graph).isEmpty }) {
                (making, found) = (withTasks, whole)
            }
        }
        waitsOfTasks = making.waitsOfTasks
        executors = making.executors
        waitsOfMainQueues = making.waitsOfMainQueues
        firstTask = making.firstTask
        graph = making.graph
        operations = making.operations
        numbers = making.numbers
        standstills = found.all
        hops = found.hops
    }

    /// The wait for an operation in which a task of a circle blocks its thread.
    ///
    /// - Parameter number: of the task in ``graph``.
    package func wait(ofTask number: Int) -> BlockingWait? { waitsOfTasks[number] }

    /// The wait of the main thread that keeps an operation from starting.
    ///
    /// - Parameter number: of the operation in ``graph``.
    package func waitOfMainThread(_ number: Int) -> BlockingWait? {
        hops[number]?.reason == .blockedThread ? waitsOfMainQueues[graph.operations[number].queue] : nil
    }

    /// The executor that a task needs and another has, as an index into the tasks' executors.
    ///
    /// - Parameter number: of the task in ``graph``.
    package func executor(ofTask number: Int) -> Int32? { executors[number] }

    /// Whether circles include tasks. Their indices in ``operations`` are those of ``Trace/withTasks()``.
    package var hasTasks: Bool { graph.operations.last?.isTask ?? false }

    /// The tasks, by their own indices, of the circles that include operations. Linear in these circles.
    var tasksInCircles: Set<Int> {
        Set(
            standstills.lazy.flatMap { [graph] in $0.tasks(in: graph) }
                .map { [operations, firstTask] in operations[$0] - firstTask })
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
    private(set) var waitsOfTasks: [Int: BlockingWait] = [:]
    private(set) var executors: [Int: Int32] = [:]
    private(set) var waitsOfMainQueues: [Int: BlockingWait] = [:]

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
        let mainQueues = self.mainQueues
        for wait in trace.blockingWaits where wait.end == nil {
            guard let target = target(of: wait) else { continue }
            if let waiting = wait.operation {
                if isOpen(waiting) { graph.waits.append((Int(numbers[waiting]), target)) }
            } else if trace.isMainThread(wait.thread, ofProcess: wait.process) {
                for queue in mainQueues where trace.queues[queue].process == wait.process {
                    (graph.queues[queue].threadTarget, waitsOfMainQueues[queue]) = (target, wait)
                }
            }
        }
        leaveServedQueues()
    }

    /// The main thread runs operations during a wait of an override that runs the run loop, and after one
    /// whose end was dropped.
    private mutating func leaveServedQueues() {
        for (queue, wait) in waitsOfMainQueues {
            let isServed =
                trace.header.droppedEvents > 0
                || trace.operations.indices.contains {
                    Int(columns.queues[$0]) == queue && columns.executing.has($0)
                        && columns.executing.notAfter($0) > wait.start
                }
            if isServed { (graph.queues[queue].threadTarget, waitsOfMainQueues[queue]) = (nil, nil) }
        }
    }

    /// Adds the tasks that have not finished, if an operation and a task can wait for each other: a task
    /// blocks its thread until an operation finishes, or an operation has the main actor's thread.
    mutating func addTasks() {
        guard !operations.isEmpty,
            !graph.waits.isEmpty || trace.blockingWaits.contains(where: { $0.end == nil })
        else { return }
        let tasks = WaitingTasks(trace.tasks)
        let blocked = tasks.blocked(in: trace)
        let mainQueues = self.mainQueues
        var onMainThread: [Int32: Int] = [:]
        for wait in trace.blockingWaits where wait.end == nil {
            guard let index = wait.operation, isOpen(index), target(of: wait) != nil,
                mainQueues.contains(Int(columns.queues[index])), !columns.bodyEnded.has(index),
                trace.operations[index].thread == wait.thread
            else { continue }
            onMainThread[columns.processes[index]] = Int(numbers[index])
        }
        if blocked.isEmpty, onMainThread.isEmpty { return }
        var links = WaitGraph.TaskLinks()
        for (index, task) in blocked {
            if let target = target(of: trace.blockingWaits[index]) { links.blocked.append((task, target)) }
        }
        for (number, executor) in trace.tasks.executors.enumerated() where executor.kind == .main {
            links.holders[Int32(number)] = onMainThread[executor.process]
            for queue in mainQueues where trace.queues[queue].process == Int(executor.process) {
                links.queues.append((queue, Int32(number)))
            }
        }
        links.created = created(tasks.open)
        let waits = tasks.waits()
        let places = graph.add(waits, links)
        for task in waits.tasks {
            guard let place = places[task.number] else { continue }
            let index = firstTask + task.number
            if numbers.indices.contains(index) { numbers[index] = Int32(place) }
            operations.append(index)
            if case .executor(let executor) = task.state { executors[place] = executor }
        }
        for (index, task) in blocked where target(of: trace.blockingWaits[index]) != nil {
            if let place = places[task] { waitsOfTasks[place] = trace.blockingWaits[index] }
        }
    }

    /// The tasks that executing operations created.
    private func created(_ tasks: [Int]) -> [(task: Int, operation: Int)] {
        var executing: [UInt64: Int] = [:]
        for (number, operation) in operations.enumerated() where columns.executing.has(operation) {
            executing[columns.identifiers[operation]] = number
        }
        return tasks.compactMap { task in
            let entry = trace.tasks.entries[task]
            guard let creator = executing[entry.parent],
                columns.processes[operations[creator]] == entry.process
            else { return nil }
            return (task, creator)
        }
    }

    /// Index of the first task among the operations of ``Trace/withTasks()``.
    var firstTask: Int { trace.tasks.asOperations?.first ?? trace.operations.count }

    /// The queues whose operations run where the main actor does.
    private var mainQueues: Set<Int> {
        Set(trace.queues.indices.filter { trace.queues[$0].isMain })
    }

    /// Nil if it has finished, or is not in the trace.
    private func target(of wait: BlockingWait) -> WaitGraph.Target? {
        switch wait.target {
        case .operation(let other): isOpen(other) ? .operation(Int(numbers[other])) : nil
        case .queue(let queue): trace.queues.indices.contains(queue) ? .queue(queue) : nil
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
