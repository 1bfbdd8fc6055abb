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
    }

    private static func isSleep(function: String) -> Bool {
        function.prefixMatch(of: /(?:\w*Clock|Task)(?:<.*>)?\.sleep\(/) != nil
    }

    private func lastRun(_ task: Int) -> TraceTasks.Run? { tasks.runs(of: task).last }

    /// What a task does at the end, and since when.
    func state(_ task: Int) -> (state: OpenTaskWaits.State, since: Int64) {
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

    /// Which others they wait for. Linear in tasks and runs.
    func waits() -> OpenTaskWaits {
        // By the run: a run may have gone on on another executor.
        var executors: [Int: Int32] = [:]
        for task in open {
            let last = tasks.firstRuns[task + 1] - 1
            if case .running = state(task).state { executors[last] = tasks.runs[last].executor }
        }
        for move in tasks.moves where executors[Int(move.run)] != nil {
            executors[Int(move.run)] = move.executor
        }
        let waiting = open.map { task in
            let entry = tasks.entries[task]
            var waiting = OpenTaskWaits.Task(
                task, identifier: entry.identifier, state(task).state, isWhole: entry.created != nil)
            if entry.creation == .groupChild { waiting.group = entry.parent }
            guard let run = lastRun(task) else { return waiting }
            waiting.executor = executors[tasks.firstRuns[task + 1] - 1] ?? TraceTasks.none
            (waiting.start, waiting.awaited) = (run.start, Int(run.awaited))
            return waiting
        }
        return OpenTaskWaits(waiting) { [tasks] in tasks.executors[Int($0)].kind.isSerial }
    }

    /// The tasks that block their threads in waits for operations, by the indices of the waits: also if the
    /// wait is an operation's, whose body the task is or runs.
    func blocked(in trace: Trace) -> [(wait: Int, task: Int)] {
        let waits = trace.blockingWaits.indices.filter { trace.blockingWaits[$0].end == nil }
        if waits.isEmpty { return [] }
        var running = RunningTasks<ProcessThread, Int>()
        for task in open {
            guard let run = lastRun(task), run.awaits == nil else { continue }
            let thread = ProcessThread(process: tasks.entries[task].process, number: run.thread)
            running.add(task, on: thread, since: run.start)
        }
        // The run may have ended, and an operation that waits there now may have nothing to do with the task.
        let isWhole = trace.header.droppedEvents == 0
        return waits.compactMap { index in
            let wait = trace.blockingWaits[index]
            guard isWhole || wait.operation == nil else { return nil }
            let thread = ProcessThread(process: Int32(truncatingIfNeeded: wait.process), number: wait.thread)
            return running.blocked(on: thread, since: wait.start).map { (index, $0) }
        }
    }
}

extension TraceTasks {
    /// `the main actor`, safe for a terminal.
    ///
    /// - Parameter columns: longer names of executors are cut.
    package func nameInProse(ofExecutor executor: Int32, toColumns columns: Int = 40) -> String {
        guard executor != TraceTasks.none else { return LogEvent.ExecutorKind.unknownInProse }
        let known = executors[Int(executor)]
        return known.kind.inProse(TerminalText.shortened(known.name, toColumns: columns))
    }
}
