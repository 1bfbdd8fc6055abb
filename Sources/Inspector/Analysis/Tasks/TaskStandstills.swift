import EventLog
import InspectorColumns
package import InspectorTraces
package import WaitDiagnosis

/// What the Swift tasks that have not finished wait for at the end of a trace, and the ones among them that
/// everything waits for in the end: they wait for no other task. For a trace that has its tasks as
/// operations.
package struct TaskStandstills: Sendable {
    /// A task that others wait for in the end; or some that await each other in a circle.
    package struct Standstill: Sendable {
        /// Indices into the tasks; several for a circle, in its order.
        package let tasks: [Int]
        /// What the first one does. Executors are indices into the tasks' executors.
        package let state: OpenTaskWaits.State
        /// Since when the first one is in that state. Nanoseconds since the start of the trace.
        package let since: Int64
        /// The function in which it is suspended, or the location of its code; empty if unknown.
        package let place: String
        /// How many tasks wait for it, and for those alike, directly or through others.
        package let waiting: Int
        /// How many others, of the same kind, do the same at the same place.
        package let alike: Int

        package var isCircle: Bool { tasks.count > 1 }

        /// Whether time ends it.
        package var isSleep: Bool { state == .awaiting(.sleep) }
    }

    /// For more of them, how many tasks wait is not counted, which may be linear for each.
    private static let mostCounted = 1_000

    private let tasks: TraceTasks
    /// The most important first: what can never end; what most tasks wait for; of several, the one that has
    /// lasted longest.
    package private(set) var all: [Standstill] = []
    /// The tasks that have not finished, as indices.
    package let open: [Int]
    private let atEnd: WaitingTasks
    /// The tasks of circles that include operations: the finding about the operations names them.
    package private(set) var inCircles: Set<Int> = []

    /// Linear in tasks and runs, except for sorting; and in unfinished tasks for each standstill behind them.
    ///
    /// - Parameter blockers: of the same trace, with or without its tasks as operations.
    package init(_ trace: Trace, _ blockers: Blockers) {
        self.init(trace, blockers, TaskWaitGraph(trace.tasks))
    }

    /// - Parameter graph: of the trace's tasks.
    init(_ trace: Trace, _ blockers: Blockers, _ graph: TaskWaitGraph) {
        tasks = trace.tasks
        (atEnd, open) = (graph.atEnd, graph.open)
        if open.isEmpty { return }
        inCircles = blockers.tasksInCircles
        let groups = groups(of: graph.origins.filter { !inCircles.contains($0) })
        let held = groups + graph.circles(besides: blockers)
        let waiting = graph.counts(waitingFor: Array(held.prefix(Self.mostCounted)))
        let found = held.enumerated().map { number, members in
            let isCircle = number >= groups.count
            return standstill(
                isCircle ? members : [members[0]], alike: isCircle ? 0 : members.count - 1,
                waiting: number < waiting.count ? waiting[number] : 0)
        }
        func rank(_ standstill: Standstill) -> (Int, Int, Int64, Int) {
            let first = standstill.tasks[0]
            return (neverEnds(standstill) ? 0 : 1, -standstill.waiting, standstill.since, first)
        }
        all = found.sorted { rank($0) < rank($1) }
    }

    /// Whether nothing can end it any more.
    package func neverEnds(_ standstill: Standstill) -> Bool {
        standstill.isCircle || tasks.isProvenLost(standstill.tasks[0])
    }

    /// Whether a task has awaited something in the same function before, and then went on: a loop that
    /// waits for what comes next.
    package func isLoop(_ task: Int) -> Bool {
        let runs = tasks.runs(of: task)
        guard let last = runs.last, last.awaits != nil, last.place != 0 else { return false }
        return runs.dropLast().contains { $0.place == last.place && $0.awaits == last.awaits }
    }

    // MARK: Inside

    private func lastRun(_ task: Int) -> TraceTasks.Run? { tasks.runs(of: task).last }

    /// What a task does at the end, and since when.
    package func state(_ task: Int) -> (state: OpenTaskWaits.State, since: Int64) { atEnd.state(task) }

    private func standstill(_ members: [Int], alike: Int, waiting: Int) -> Standstill {
        let (state, since) = state(members[0])
        return Standstill(
            tasks: members, state: state, since: since, place: place(members[0]), waiting: waiting,
            alike: alike)
    }

    /// The functions in which a task is suspended; none if it runs, or if that is unknown.
    package func stack(_ task: Int) -> AwaitStack { AwaitPlaces.stacks([place(task)])[0] }

    /// Where a task is suspended; empty if it runs, or if that is unknown.
    private func place(_ task: Int) -> String {
        guard let run = lastRun(task), run.awaits != nil, run.place != 0 else { return "" }
        return tasks.texts[run.place]
    }

    /// Tasks of the same kind that do the same at the same place, and the groups, the longest first.
    private func groups(of origins: [Int]) -> [[Int]] {
        struct Key: Hashable {
            let kind: Int32
            let state: OpenTaskWaits.State
            let place: String
            /// The texts of what a search found; nil without a search.
            let holder, unseen: UInt32?
        }
        var places: [Key: Int] = [:]
        var groups: [[Int]] = []
        for (task, now) in origins.map({ ($0, state($0)) }).sorted(by: {
            ($0.1.since, $0.0) < ($1.1.since, $1.0)
        }) {
            let search = tasks.searches[Int32(task)]
            let key = Key(
                kind: tasks.entries[task].kind, state: now.state, place: place(task), holder: search?.holder,
                unseen: search?.unseen)
            if let place = places[key] {
                groups[place].append(task)
            } else {
                places[key] = groups.count
                groups.append([task])
            }
        }
        return groups
    }
}
