package import EventLog

/// Swift tasks that have not finished, and which others each one waits for.
///
/// The caller knows what the numbers of tasks and executors stand for.
package struct OpenTaskWaits: Sendable {
    /// What a task does.
    package enum State: Hashable, Sendable {
        case running
        case awaiting(LogEvent.Awaited)
        /// It needs an executor; -1 for an unknown one.
        case executor(Int32)
    }

    package struct Task: Sendable {
        package let number: Int
        package let state: State
        /// The executor that it runs on, and since when; -1 if that is not known.
        package var executor: Int32 = -1
        package var start: Int64 = 0
        /// The task that it awaits; -1 if that is not known.
        package var awaited = -1
        /// The identifier of the task whose group it is in, which awaits it; nil for others.
        package var group: UInt64?
        package let identifier: UInt64
        /// Whether its creation is known. Otherwise it may have children that nobody has seen.
        package let isWhole: Bool

        package init(_ number: Int, identifier: UInt64, _ state: State, isWhole: Bool) {
            (self.number, self.identifier, self.state, self.isWhole) = (number, identifier, state, isWhole)
        }
    }

    /// Ascending by number.
    package let tasks: [Task]
    /// For each task, the others that it waits for.
    package let targets: [Int: [Int]]
    /// The task that has each serial executor. All that run there are one inside the other; the innermost
    /// one began last.
    private let holders: [Int32: Int]
    private let isSerial: @Sendable (Int32) -> Bool

    /// Cost: linear.
    ///
    /// - Parameters:
    ///   - tasks: those that have not finished, ascending by number.
    ///   - isSerial: whether an executor runs one task at a time. Not called for -1.
    package init(_ tasks: [Task], isSerial: @escaping @Sendable (Int32) -> Bool) {
        self.tasks = tasks
        self.isSerial = isSerial
        let isOpen = Set(tasks.lazy.map(\.number))
        var children: [UInt64: [Int]] = [:]
        var runningOn: [Int32: [Task]] = [:]
        for task in tasks {
            if let group = task.group { children[group, default: []].append(task.number) }
            if task.state == .running { runningOn[task.executor, default: []].append(task) }
        }
        // One array for all that wait for it.
        let threads = runningOn.mapValues { $0.map(\.number) }
        let holders = runningOn.compactMapValues { running in
            running.max { ($0.start, $0.number) < ($1.start, $1.number) }?.number
        }
        self.holders = holders
        var targets: [Int: [Int]] = [:]
        for task in tasks {
            targets[task.number] =
                switch task.state {
                case .running: []
                case .awaiting(.group): children[task.identifier] ?? []
                case .awaiting: isOpen.contains(task.awaited) ? [task.awaited] : []
                case .executor(let executor):
                    executor >= 0 && isSerial(executor)
                        ? holders[executor].map { [$0] } ?? []
                        : threads[executor] ?? []
                }
        }
        self.targets = targets
    }

    /// The task that has a serial executor.
    package func holder(of executor: Int32) -> Int? { holders[executor] }

    /// What a task waits for, as far as the log proves that it cannot go on before: another task, a child of
    /// its group, or the task that has an actor. Which thread of a pool it gets is open.
    func proven(_ task: Task) -> (reason: WaitHop.Reason, others: [Int])? {
        guard let others = targets[task.number], !others.isEmpty else { return nil }
        switch task.state {
        case .running: return nil
        // One that was created before the log began may have children that the log does not name.
        case .awaiting(.group): return task.isWhole ? (.awaited, others) : nil
        case .awaiting: return (.awaited, others)
        case .executor(let executor):
            return executor >= 0 && isSerial(executor) ? (.executor, others) : nil
        }
    }
}

/// The task that runs on each thread: the innermost, if one runs inside another.
package struct RunningTasks<Thread: Hashable, Task> {
    private var running: [Thread: (task: Task, since: Int64)] = [:]

    package init() {}

    package mutating func add(_ task: Task, on thread: Thread, since: Int64) {
        if since >= running[thread]?.since ?? .min { running[thread] = (task, since) }
    }

    /// The task that cannot go on because its thread waits; nil if none ran there when the wait began.
    package func blocked(on thread: Thread, since: Int64) -> Task? {
        running[thread].flatMap { $0.since <= since ? $0.task : nil }
    }
}

extension WaitGraph {
    /// How operations and tasks can wait for each other.
    package struct TaskLinks {
        /// What tasks whose threads are blocked wait for.
        package var blocked: [(task: Int, target: Target)] = []
        /// The operations that block the thread of an executor.
        package var holders: [Int32: Int] = [:]
        /// The queues whose operations run on the thread of an executor.
        package var queues: [(queue: Int, executor: Int32)] = []
        /// The tasks that executing operations created.
        package var created: [(task: Int, operation: Int)] = []

        package init() {}
    }

    /// Adds tasks after the operations, in their order. Cost: linear in the tasks and what they wait for.
    ///
    /// - Returns: for each task, by its number, its place in the graph.
    package mutating func add(_ waits: OpenTaskWaits, _ links: TaskLinks) -> [Int: Int] {
        var places: [Int: Int] = [:]
        for task in waits.tasks {
            places[task.number] = operations.count
            operations.append(.task)
        }
        for (task, target) in links.blocked {
            if let place = places[task] { self.waits.append((place, target)) }
        }
        for task in waits.tasks {
            guard let place = places[task.number] else { continue }
            if let wait = waits.proven(task) {
                awaits.append((place, wait.reason, wait.others.compactMap { places[$0] }))
            } else if case .executor(let executor) = task.state, let holder = links.holders[executor] {
                awaits.append((place, .executor, [holder]))
            }
        }
        for (queue, executor) in links.queues {
            if let holder = waits.holder(of: executor) { queues[queue].threadHolder = places[holder] }
        }
        for (task, operation) in links.created {
            if let place = places[task] { created.append((place, operation)) }
        }
        return places
    }
}

extension LogEvent.ExecutorKind {
    /// Whether it runs one task at a time.
    package var isSerial: Bool {
        switch self {
        case .main, .actor: true
        case .pool, .custom: false
        }
    }

    /// `the main actor`, `actor Cache`.
    ///
    /// - Parameter name: of the executor, safe for the output.
    package func inProse(_ name: String) -> String {
        switch self {
        case .pool: "a thread of the global executor"
        case .main: "the main actor"
        case .actor: "actor \(name)"
        case .custom: "executor \(name)"
        }
    }

    /// For an executor that is not known.
    package static let unknownInProse = "its executor"
}
