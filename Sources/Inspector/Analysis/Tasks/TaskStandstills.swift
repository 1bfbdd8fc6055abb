import EventLog
import InspectorColumns
package import InspectorTraces

/// What the Swift tasks that have not finished wait for at the end of a trace, and the ones among them that
/// everything waits for in the end: they wait for no other task. For a trace that has its tasks as
/// operations.
package struct TaskStandstills: Sendable {
    /// What a task does at the end.
    package enum State: Hashable, Sendable {
        case running
        case awaiting(LogEvent.Awaited)
        /// Index into the tasks' executors; `TraceTasks.none` for an unknown one.
        case executor(Int32)
    }

    /// A task that others wait for in the end; or some that await each other in a circle.
    package struct Standstill: Sendable {
        /// Indices into the tasks; several for a circle, in its order.
        package let tasks: [Int]
        package let state: State
        /// Since when the first one is in that state. Nanoseconds since the start of the trace.
        package let since: Int64
        /// The function in which it is suspended, or the location of its code; empty if unknown.
        package let place: String
        /// How many tasks wait for it, directly or through others.
        package let waiting: Int
        /// How many others, of the same kind, do the same at the same place.
        package var alike = 0

        package var isCircle: Bool { tasks.count > 1 }
    }

    private let tasks: TraceTasks
    /// The most important first: what most tasks wait for; of several, the one that has lasted longest.
    package private(set) var all: [Standstill] = []
    /// The tasks that have not finished, as indices.
    private let open: [Int]
    /// The executor that is the global one; `TraceTasks.none` if no task ran there.
    private let pool: Int32

    /// Linear in tasks and runs, except for sorting.
    package init(_ trace: Trace) {
        let tasks = trace.tasks
        self.tasks = tasks
        pool = tasks.executors.firstIndex { $0.kind == .pool }.map { Int32($0) } ?? TraceTasks.none
        open = tasks.entries.indices.filter {
            tasks.entries[$0].finished == nil && tasks.start(of: $0) != nil
        }
        if open.isEmpty { return }
        let targets = targets()
        var sources: [Int: [Int]] = [:]
        for task in open { for other in targets[task] ?? [] { sources[other, default: []].append(task) } }
        /// The tasks that wait for one of `goals`, directly or through others, and these.
        func waiting(for goals: [Int]) -> Set<Int> {
            var (found, rest) = (Set(goals), goals)
            while let task = rest.popLast() {
                for source in sources[task] ?? [] where found.insert(source).inserted { rest.append(source) }
            }
            return found
        }
        let origins = open.filter { targets[$0]?.isEmpty ?? true }
        var found = origins.map { standstill([$0], waiting: waiting(for: [$0]).count - 1) }
        // What waits for none of them waits for a circle.
        let canGoOn = waiting(for: origins)
        var passed: Set<Int> = []
        for start in open where !canGoOn.contains(start) {
            var (path, task): ([Int], Int) = ([], start)
            while passed.insert(task).inserted, let next = targets[task]?.first {
                path.append(task)
                task = next
            }
            guard let begin = path.firstIndex(of: task) else { continue }
            let circle = Array(path[begin...])
            found.append(standstill(circle, waiting: waiting(for: circle).count - circle.count))
        }
        all = grouped(found)
    }

    // MARK: Inside

    private func lastRun(_ task: Int) -> TraceTasks.Run? { tasks.runs(of: task).last }

    /// What a task does at the end, and since when.
    private func state(_ task: Int) -> (state: State, since: Int64) {
        let entry = tasks.entries[task]
        guard let run = lastRun(task) else {
            let executor = entry.enqueued == nil ? TraceTasks.none : tasks.firstExecutors[Int32(task)] ?? pool
            return (.executor(executor), entry.enqueued ?? entry.created ?? tasks.end)
        }
        guard let awaits = run.awaits else { return (.running, run.start) }
        if let ready = run.ready { return (.executor(run.nextExecutor), ready) }
        return awaits == .executor || awaits == .yield
            ? (.executor(run.nextExecutor), run.end) : (.awaiting(awaits), run.end)
    }

    /// For each task that has not finished, the others that it waits for.
    private func targets() -> [Int: [Int]] {
        let isOpen = Set(open)
        var children: [UInt64: [Int]] = [:]
        var runningOn: [Int32: [Int]] = [:]
        for task in open {
            let entry = tasks.entries[task]
            if entry.creation == .groupChild { children[entry.parent, default: []].append(task) }
            if case .running = state(task).state, let executor = lastExecutor(of: task) {
                runningOn[executor, default: []].append(task)
            }
        }
        var targets: [Int: [Int]] = [:]
        for task in open {
            switch state(task).state {
            case .running: targets[task] = []
            case .awaiting(.group): targets[task] = children[tasks.entries[task].identifier] ?? []
            case .awaiting:
                let awaited = lastRun(task).map { Int($0.awaited) } ?? -1
                targets[task] = isOpen.contains(awaited) ? [awaited] : []
            case .executor(let executor): targets[task] = runningOn[executor] ?? []
            }
        }
        return targets
    }

    /// The executor that a running task is on.
    private func lastExecutor(of task: Int) -> Int32? {
        let last = tasks.firstRuns[task + 1] - 1
        return tasks.moves.last { Int($0.run) == last }?.executor ?? tasks.runs[last].executor
    }

    private func standstill(_ members: [Int], waiting: Int) -> Standstill {
        let (state, since) = state(members[0])
        let place = lastRun(members[0]).map { $0.place == 0 ? "" : tasks.texts[$0.place] } ?? ""
        return Standstill(
            tasks: members, state: state, since: since, place: state == .running ? "" : place,
            waiting: waiting)
    }

    /// Those alike put together.
    private func grouped(_ found: [Standstill]) -> [Standstill] {
        struct Key: Hashable {
            let kind: Int32
            let state: State
            let place: String
        }
        var places: [Key: Int] = [:]
        var all: [Standstill] = []
        let sorted = found.sorted {
            ($1.waiting, $0.since, $0.tasks[0]) < ($0.waiting, $1.since, $1.tasks[0])
        }
        for standstill in sorted {
            let key = Key(
                kind: tasks.entries[standstill.tasks[0]].kind, state: standstill.state,
                place: standstill.place)
            if !standstill.isCircle, let place = places[key] {
                all[place].alike += 1
                continue
            }
            if !standstill.isCircle { places[key] = all.count }
            all.append(standstill)
        }
        return all
    }
}
