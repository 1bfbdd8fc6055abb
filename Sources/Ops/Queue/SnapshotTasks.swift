import EventLog
import Foundation
import WaitDiagnosis

/// The Swift tasks that wait for operations of a snapshot while these may wait for them.
struct SnapshotTasks: Sendable {
    /// By their places in the graph: the names of the tasks in circles, and of the executors that they need.
    private(set) var names: [Int: String] = [:]
    private(set) var executors: [Int: String] = [:]

    /// Adds tasks to a graph whose first queue is the snapshot's, and its second one the main queue.
    ///
    /// - Parameters:
    ///   - threads: those whose waits have lasted since before the log was read.
    ///   - operations: the places of operations in the graph, by their identifiers.
    ///   - queue: the identifier of the snapshot's queue; nil if the log does not have it.
    ///   - onMainThread: the operation that blocks the main thread.
    init(
        _ open: OpenTasks, blockedOn threads: Set<UInt64>, in graph: inout WaitGraph,
        operations: [UInt64: Int], queue: QueueID?, onMainThread: Int?
    ) {
        let identifiers = open.tasks.tasks.keys.sorted()
        let numbers = Dictionary(uniqueKeysWithValues: zip(identifiers, 0...))
        let executors = open.tasks.executors.keys.sorted()
        let executorNumbers = Dictionary(uniqueKeysWithValues: zip(executors, Int32(0)...))
        let waits = OpenTaskWaits(
            identifiers.enumerated().compactMap { number, id in
                open.tasks.tasks[id].map { task in
                    OpenTaskWaits.Task(number, id, task, executorNumbers, awaited: numbers)
                }
            }
        ) { [kinds = open.tasks.executors] in kinds[executors[Int($0)]]?.kind.isSerial ?? false }

        var links = WaitGraph.TaskLinks()
        for (task, thread, target) in open.blocked where threads.contains(thread) {
            let inGraph: WaitGraph.Target? =
                switch target {
                case .operation(let id): operations[id].map { .operation($0) }
                case .queue(let id): id == queue?.rawValue ? .queue(0) : nil
                }
            if let inGraph, let number = numbers[task] { links.blocked.append((number, inGraph)) }
        }
        for (id, executor) in open.tasks.executors where executor.kind == .main {
            guard let number = executorNumbers[id] else { continue }
            links.queues.append((1, number))
            links.holders[number] = onMainThread
        }
        links.created = identifiers.enumerated().compactMap { number, id in
            (open.tasks.tasks[id]?.parent).flatMap { operations[$0] }.map { (number, $0) }
        }

        let places = graph.add(waits, links)
        let told = Set(Standstills(graph).all.flatMap { $0.tasks(in: graph) })
        for (number, place) in places where told.contains(place) {
            guard let task = open.tasks.tasks[identifiers[number]] else { continue }
            names[place] = QueueSnapshot.printable(open.name(of: task))
            self.executors[place] = open.name(ofExecutor: task.executor)
        }
    }
}

extension OpenTaskWaits.Task {
    fileprivate init(
        _ number: Int, _ id: UInt64, _ task: LiveTasks.Task, _ executors: [UInt64: Int32],
        awaited: [UInt64: Int]
    ) {
        let executor = executors[task.executor] ?? -1
        let state: OpenTaskWaits.State =
            switch task.part {
            case .running: .running
            case .executor, .actor: .executor(executor)
            case .task, .group, .continuation, .sleep: .awaiting(task.run?.awaits ?? .unknown)
            case .unknown: .executor(-1)
            }
        self.init(number, identifier: id, state, isWhole: task.created != nil)
        (self.executor, start) = (executor, task.run?.start ?? 0)
        self.awaited = (task.run?.awaited).flatMap { awaited[$0] } ?? -1
        if task.creation == .groupChild { group = task.parent }
    }
}
