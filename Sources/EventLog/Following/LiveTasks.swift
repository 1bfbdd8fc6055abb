import CLogFormat

/// The Swift tasks of a running program: what each does, and which executor it is on or waits for.
///
/// Cost: constant per event. Memory: unfinished tasks, executors, and the numbers of the last finished tasks.
package struct LiveTasks: Sendable {
    /// The global executor; 0 until the log names it.
    private var global: UInt64 = 0
    /// Events of different threads may be read in another order than they happened. This many finished tasks
    /// are remembered, so that an earlier event does not bring them back.
    private static let mostFinished = 10_000

    /// An unfinished task. Times are nanoseconds since the start of the log.
    package struct Task: Sendable {
        package var part = TaskPart.unknown
        package var executor: UInt64 = 0
        /// Since when.
        package var since: Int64 = .min
        /// Texts of the log; 0 for none.
        package fileprivate(set) var kind: UInt32 = 0
        package fileprivate(set) var name: UInt32 = 0
        /// The task or operation that created it; 0 for none.
        package fileprivate(set) var parent: UInt64 = 0
        package fileprivate(set) var creation = LogEvent.Creation.unstructured
        package fileprivate(set) var created: Int64?
        /// The last time that it ran; nil if it never did.
        package fileprivate(set) var run: Run?
        /// Whether it awaited the same in the same function before, and went on.
        package fileprivate(set) var isLoop = false
    }

    package struct Run: Sendable {
        package let thread: UInt64
        package let start: Int64
        /// Nil while it goes on.
        package var end: Int64? = nil
        /// What it awaited afterwards; while it goes on, what it awaited before.
        package var awaits: LogEvent.Awaited?
        /// The task that it awaits; 0 for none.
        package var awaited: UInt64 = 0
        /// A text of the log with a place in the code; 0 if unknown.
        package var place: UInt32
    }

    package struct Executor: Sendable {
        package var kind = LogEvent.ExecutorKind.pool
        /// A text of the log; 0 for none.
        package var name: UInt32 = 0
        package var running = 0
        package var waiting = 0
    }

    /// Unfinished ones.
    package private(set) var tasks: [UInt64: Task] = [:]
    package private(set) var executors: [UInt64: Executor] = [:]
    /// What a search of the process's memory found, by task.
    package var searches: [UInt64: LogEvent.TaskSearch] = [:]
    package private(set) var finished = 0
    package private(set) var failed = 0
    private var counts = [Int](repeating: 0, count: TaskPart.allCases.count)
    private var recent: Set<UInt64> = []
    private var order: ArraySlice<UInt64> = []

    package init() {}

    package var isEmpty: Bool { tasks.isEmpty && finished == 0 }

    package func count(_ part: TaskPart) -> Int { counts[part.rawValue] }

    /// Since when each executor has had a task that waits for it. Linear in tasks.
    package var firstWaits: [UInt64: Int64] {
        tasks.values.reduce(into: [:]) { first, task in
            guard task.part == .executor || task.part == .actor else { return }
            first[task.executor] = min(first[task.executor] ?? .max, task.since)
        }
    }

    package mutating func open(_ event: EventFields) {
        executors[event.subject, default: Executor()].kind = .init(rawValue: event.choice) ?? .pool
        executors[event.subject, default: Executor()].name = event.text
        if global == 0, executors[event.subject]?.kind == .pool { name(event.subject) }
    }

    /// From now on, the global executor has this number.
    private mutating func name(_ executor: UInt64) {
        for (id, task) in tasks where task.executor == global {
            count(task, -1)
            tasks[id]?.executor = executor
            tasks[id].map { count($0, 1) }
        }
        executors[global] = nil
        global = executor
    }

    package mutating func consume(_ event: EventFields) {
        let id = event.subject
        if recent.contains(id) { return }
        switch event.type {
        case .taskCreated:
            enter(event.flag ? .executor : .unknown, id, event.time)
            tasks[id]?.create(event)
        case .taskEnqueued: wait(id, for: event.executor, event.time)
        case .taskResumed: wait(id, for: nil, event.time)
        case .runBegan:
            guard enter(.running, id, event.time, on: event.executor?.rawValue) else { return }
            tasks[id]?.begin(event)
        case .taskMoved: enter(.running, id, event.time, on: event.executor?.rawValue)
        case .runEnded:
            tasks[id]?.end(event)
            if let part = TaskPart(event.awaited) {
                enter(part, id, event.time)
            } else {
                wait(id, for: event.executor, event.time)
            }
        case .finished:
            leave(id)
            tasks[id] = nil
            finished += 1
            if event.ending == .failed { failed += 1 }
            forget(id)
        default: break
        }
    }

    /// Events were missed, so the state of every task is unknown until its next event.
    package mutating func noteLoss() {
        tasks = [:]
        counts = counts.map { _ in 0 }
        executors = executors.mapValues { Executor(kind: $0.kind, name: $0.name) }
    }

    /// - Parameter executor: nil for the one that it was on.
    private mutating func wait(_ id: UInt64, for executor: QueueID?, _ time: Int64) {
        let executor = executor?.rawValue ?? tasks[id]?.executor ?? global
        enter(executors[executor]?.kind == .actor ? .actor : .executor, id, time, on: executor)
    }

    /// False if the task is in a later state already.
    @discardableResult
    private mutating func enter(
        _ part: TaskPart, _ id: UInt64, _ time: Int64, on executor: UInt64? = nil
    ) -> Bool {
        let known = tasks[id]
        if let known, known.since > time { return false }
        leave(id)
        var task = known ?? Task()
        task.executor = executor ?? known?.executor ?? global
        // It goes on waiting, whatever it is told meanwhile.
        let isSame = known.map { $0.part == part && $0.executor == task.executor } ?? false
        if !isSame || part == .running { task.since = time }
        task.part = part
        tasks[id] = task
        count(task, 1)
        return true
    }

    private mutating func leave(_ id: UInt64) {
        if let task = tasks[id] { count(task, -1) }
    }

    private mutating func count(_ task: Task, _ number: Int) {
        counts[task.part.rawValue] += number
        switch task.part {
        case .running: executors[task.executor, default: Executor()].running += number
        case .executor, .actor: executors[task.executor, default: Executor()].waiting += number
        case .task, .group, .continuation, .sleep, .unknown: break
        }
    }

    private mutating func forget(_ id: UInt64) {
        recent.insert(id)
        order.append(id)
        guard order.count > Self.mostFinished else { return }
        recent.remove(order.removeFirst())
    }
}

extension LiveTasks.Task {
    /// Its own name, or that of the function that it was written in.
    ///
    /// - Parameters:
    ///   - text: returns the text for a number in the log.
    ///   - function: returns the name of a task's function, for the number of its kind in the log.
    package func name(text: (UInt32) -> String, function: (UInt32) -> String) -> String {
        let name = name == 0 ? "" : text(name)
        return !name.isEmpty ? name : kind == 0 ? "a task" : function(kind)
    }

    fileprivate mutating func create(_ event: EventFields) {
        (kind, parent, created) = (event.text, event.parent ?? 0, event.time)
        creation = .init(rawValue: event.choice) ?? .unstructured
    }

    fileprivate mutating func begin(_ event: EventFields) {
        if let name = event.name { self.name = name }
        // What it awaited before is kept until the end of the run says whether it awaits the same again.
        run = LiveTasks.Run(
            thread: event.thread, start: event.time, awaits: run?.awaits, place: run?.place ?? 0)
    }

    fileprivate mutating func end(_ event: EventFields) {
        guard let last = run, last.start <= event.time else { return }
        isLoop = event.text != 0 && last.place == event.text && last.awaits == event.awaited
        run = LiveTasks.Run(
            thread: last.thread, start: last.start, end: event.time, awaits: event.awaited,
            awaited: event.predecessors.first ?? 0, place: event.text)
    }
}
