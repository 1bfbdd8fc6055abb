import EventLog
import InspectorColumns
import InspectorTraces
import WaitDiagnosis

/// What each Swift task that has not finished does at the end of a trace, and which others it waits for.
struct WaitingTasks {
    private let tasks: TraceTasks
    /// The tasks that have not finished, as indices.
    let open: [Int]
    /// The texts of places in functions that sleep. The recorder takes a sleep for a continuation until the
    /// first one ends.
    private let sleepPlaces: Set<UInt32>
    /// The executor that is the global one; `TraceTasks.none` if no task ran there.
    private let pool: Int32
    /// The tasks that run on each executor, in their order.
    private var runningOn: [Int32: [Int]] = [:]

    /// Linear in tasks and runs, except for sorting.
    init(_ tasks: TraceTasks) {
        self.tasks = tasks
        pool = tasks.executors.firstIndex { $0.kind == .pool }.map { Int32($0) } ?? TraceTasks.none
        open = tasks.entries.indices.filter {
            tasks.entries[$0].finished == nil && tasks.start(of: $0) != nil
        }
        let places = Set(open.lazy.compactMap { tasks.runs(of: $0).last?.place }).sorted()
        let functions = AwaitPlaces.functions(places.map { tasks.texts[$0] })
        sleepPlaces = Set(zip(places, functions).lazy.filter { Self.isSleep(function: $1) }.map(\.0))
        runningOn = findRunning()
    }

    private static func isSleep(function: String) -> Bool {
        function.prefixMatch(of: /(?:\w*Clock|Task)(?:<.*>)?\.sleep\(/) != nil
    }

    private func lastRun(_ task: Int) -> TraceTasks.Run? { tasks.runs(of: task).last }

    /// What a task does at the end, and since when.
    func state(_ task: Int) -> (state: TaskStandstills.State, since: Int64) {
        let entry = tasks.entries[task]
        guard let run = lastRun(task) else {
            let executor = entry.enqueued == nil ? TraceTasks.none : tasks.firstExecutors[Int32(task)] ?? pool
            return (.executor(executor), entry.enqueued ?? entry.created ?? tasks.end)
        }
        guard let awaits = run.awaits else { return (.running, run.start) }
        if let ready = run.ready { return (.executor(run.nextExecutor), ready) }
        if awaits == .continuation, sleepPlaces.contains(run.place) { return (.awaiting(.sleep), run.end) }
        return awaits == .executor || awaits == .yield
            ? (.executor(run.nextExecutor), run.end) : (.awaiting(awaits), run.end)
    }

    /// For each task that has not finished, the others that it waits for.
    func targets() -> [Int: [Int]] {
        let isOpen = Set(open)
        var children: [UInt64: [Int]] = [:]
        for task in open {
            let entry = tasks.entries[task]
            if entry.creation == .groupChild { children[entry.parent, default: []].append(task) }
        }
        var targets: [Int: [Int]] = [:]
        for task in open {
            switch state(task).state {
            case .running: targets[task] = []
            case .awaiting(.group): targets[task] = children[tasks.entries[task].identifier] ?? []
            case .awaiting:
                let awaited = lastRun(task).map { Int($0.awaited) } ?? -1
                targets[task] = isOpen.contains(awaited) ? [awaited] : []
            case .executor(let executor):
                targets[task] =
                    isSerial(executor)
                    ? [holder(of: executor)].compactMap(\.self) : runningOn[executor] ?? []
            }
        }
        return targets
    }

    private func isSerial(_ executor: Int32) -> Bool {
        if executor == TraceTasks.none { return false }
        return switch tasks.executors[Int(executor)].kind {
        case .main, .actor: true
        case .pool, .custom: false
        }
    }

    /// The task that has a serial executor. All that run there are one inside the other; the innermost one
    /// began last.
    func holder(of executor: Int32) -> Int? {
        runningOn[executor]?.max { (start(of: $0), $0) < (start(of: $1), $1) }
    }

    private func start(of task: Int) -> Int64 { lastRun(task)?.start ?? 0 }

    private func findRunning() -> [Int32: [Int]] {
        var running: [Int: Int] = [:]
        for task in open {
            if case .running = state(task).state { running[tasks.firstRuns[task + 1] - 1] = task }
        }
        // By the run: a run may have gone on on another executor.
        var executors = running.keys.reduce(into: [:]) { $0[$1] = tasks.runs[$1].executor }
        for move in tasks.moves where running[Int(move.run)] != nil {
            executors[Int(move.run)] = move.executor
        }
        var runningOn: [Int32: [Int]] = [:]
        for (run, task) in running.sorted(by: { $0.key < $1.key }) {
            runningOn[executors[run] ?? TraceTasks.none, default: []].append(task)
        }
        return runningOn
    }

    /// What a task waits for, as far as the log proves that it cannot go on before: another task, a child of
    /// its group, or the task that has an actor. Which thread of a pool it gets is open.
    func proven(_ targets: [Int: [Int]], of task: Int) -> (reason: WaitHop.Reason, others: [Int])? {
        let others = targets[task] ?? []
        if others.isEmpty { return nil }
        switch state(task).state {
        case .running: return nil
        // One that was created before the log began may have children that the log does not name.
        case .awaiting(.group): return tasks.entries[task].created == nil ? nil : (.awaited, others)
        case .awaiting: return (.awaited, others)
        case .executor(let executor):
            return isSerial(executor) ? (.executor, others) : nil
        }
    }

    /// The tasks that block their threads in waits for operations, by the indices of the waits. If several
    /// run on the thread, it is the innermost one. If an operation waits whose body began within the task's
    /// run, the wait is the operation's.
    func blocked(in trace: Trace) -> [(wait: Int, task: Int)] {
        let waits = trace.blockingWaits.indices.filter { trace.blockingWaits[$0].end == nil }
        if waits.isEmpty { return [] }
        var running: [ProcessThread: (task: Int, since: Int64)] = [:]
        for task in open {
            guard let run = lastRun(task), run.awaits == nil else { continue }
            let thread = ProcessThread(process: tasks.entries[task].process, number: run.thread)
            if run.start >= running[thread]?.since ?? .min { running[thread] = (task, run.start) }
        }
        let columns = trace.operations.store.columns
        return waits.compactMap { index in
            let wait = trace.blockingWaits[index]
            guard
                let known = running[
                    ProcessThread(process: Int32(truncatingIfNeeded: wait.process), number: wait.thread)],
                known.since <= wait.start
            else { return nil }
            if let operation = wait.operation, trace.operations.indices.contains(operation),
                columns.executing.has(operation), columns.executing.notAfter(operation) >= known.since
            {
                return nil
            }
            return (index, known.task)
        }
    }
}

extension TraceTasks {
    /// `the main actor`, safe for a terminal.
    ///
    /// - Parameter columns: longer names of executors are cut.
    package func nameInProse(ofExecutor executor: Int32, toColumns columns: Int = 40) -> String {
        guard executor != TraceTasks.none else { return "its executor" }
        let known = executors[Int(executor)]
        return switch known.kind {
        case .pool: "a thread of the global executor"
        case .main: "the main actor"
        case .actor: "actor \(TerminalText.shortened(known.name, toColumns: columns))"
        case .custom: "executor \(TerminalText.shortened(known.name, toColumns: columns))"
        }
    }
}
