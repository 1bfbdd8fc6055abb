import InspectorColumns

/// The runs of Swift tasks as edges of a ``ConstraintGraph``, for a trace that has its tasks as operations.
/// Each run has two vertices, behind those of the operations: a task is the chain of its runs.
///
/// - A run leads to its end, after its length; and to the next run, after what the task waited for that
///   nobody is known to have ended: sleep, and continuations that something outside of the log resumed.
/// - What made a task ready, after the time until then: a run of another task, or an operation.
/// - What created a task, or enqueued an operation, in a run: after the time until then.
/// - A child of a scope (`async let`, task group) ends before its parent ends.
/// - The run in which an operation finished leads to its finish.
///
/// Waits for executors are left out, like those for slots; for what happened, they are in the edges, and an
/// actor leads from the run that had it to the next one.
struct RunConstraints {
    private(set) var edges: [ConstraintGraph.Edge] = []
    private let trace: Trace
    private let tasks: TraceTasks
    private let transitions: TraceTransitions
    private let waits: TaskWaits
    /// Whether waits for executors count.
    private let isRecorded: Bool

    /// The index of a run among the operations and runs of a graph.
    private func vertex(_ run: Int) -> Int { transitions.count + run }

    /// The operation, or the task as an operation, that each operation and run of a graph belongs to.
    static func owner(_ vertex: Int, in trace: Trace) -> Int {
        let operations = trace.operations.count
        guard vertex >= operations, let first = trace.tasks.asOperations?.first else { return vertex }
        return first + Int(trace.tasks.runs[vertex - operations].task)
    }

    /// The minimum of a value over the vertices for the finish of an operation. For a task, these include the
    /// end of its last run, from which an actor and what the task awaits lead on.
    static func least(of operation: Int, in trace: Trace, _ value: (_ vertex: Int) -> Int64) -> Int64 {
        let least = value(ConstraintGraph.finish(operation))
        guard let task = trace.task(operation), trace.tasks.entries[task].finished != nil,
            case let end = trace.tasks.firstRuns[task + 1], end > trace.tasks.firstRuns[task]
        else { return least }
        return min(least, value(ConstraintGraph.finish(trace.operations.count + end - 1)))
    }

    /// How many operations and runs a graph has.
    static func count(in trace: Trace) -> Int {
        trace.operations.count + (trace.tasks.asOperations == nil ? 0 : trace.tasks.runs.count)
    }

    /// Nil if the trace has no tasks among its operations. Linear in tasks, runs and operations, plus a
    /// logarithm for each wait.
    ///
    /// - Parameter isRecorded: whether waits for executors and actors count.
    init?(_ trace: Trace, _ transitions: TraceTransitions, isRecorded: Bool) {
        guard let waits = TaskWaits(trace, transitions) else { return nil }
        (self.trace, self.transitions, self.waits) = (trace, transitions, waits)
        tasks = trace.tasks
        self.isRecorded = isRecorded
        edges.reserveCapacity(tasks.runs.count * 3 + tasks.entries.count * 3)
        for task in tasks.entries.indices where transitions.has(waits.operation(of: task)) { add(task) }
        for (operation, task) in tasks.finishers { finish(Int(operation), in: Int(task)) }
    }

    private mutating func add(_ task: Int) {
        let operation = waits.operation(of: task)
        addScope(of: task)
        let runs = tasks.firstRuns[task]..<tasks.firstRuns[task + 1]
        guard let first = runs.first, let last = runs.last, let finish = transitions.end(of: operation) else {
            return
        }
        edges.append(.init(ConstraintGraph.start(operation), ConstraintGraph.start(vertex(first)), lag: 0))
        if isRecorded, let ready = tasks.entries[task].enqueued,
            let holder = waits.holder(before: first, since: ready)
        {
            add(holder, before: first)
        }
        for run in runs {
            let ended = tasks.runs[run]
            edges.append(
                .init(
                    ConstraintGraph.start(vertex(run)), ConstraintGraph.finish(vertex(run)),
                    lag: ended.end - ended.start))
            if run < last { connect(run, to: run + 1) }
        }
        edges.append(
            .init(
                ConstraintGraph.finish(vertex(last)), ConstraintGraph.finish(operation),
                lag: finish - tasks.runs[last].end))
    }

    private mutating func connect(_ run: Int, to next: Int) {
        let ended = tasks.runs[run]
        let start = tasks.runs[next].start
        var executorWait: Int64 = 0
        if isRecorded, let ready = ended.ready {
            if let holder = waits.holder(before: next, since: ready) {
                add(holder, before: next)
            } else {
                executorWait = start - ready
            }
        }
        let wake = waits.wake(after: run, before: next)
        let unexplained = wake == nil ? (ended.ready ?? start) - ended.end : 0
        edges.append(
            .init(
                ConstraintGraph.finish(vertex(run)), ConstraintGraph.start(vertex(next)),
                lag: unexplained + executorWait))
        if let wake, let cause = cause(wake.operation, at: wake.moment) {
            edges.append(
                .init(
                    cause.vertex, ConstraintGraph.start(vertex(next)),
                    lag: wake.moment - cause.time + executorWait))
        }
    }

    /// An edge from the task that had the executor of a run before it.
    private mutating func add(_ holder: TaskWaits.Wait, before run: Int) {
        guard let cause = cause(holder.operation, at: holder.moment) else { return }
        edges.append(
            .init(
                cause.vertex, ConstraintGraph.start(vertex(run)), lag: tasks.runs[run].start - cause.time))
    }

    /// The vertex for what an operation or task did last, up to that moment, and its time. Nil if it had not
    /// started.
    private func cause(_ operation: Int, at moment: Int64) -> (vertex: Int, time: Int64)? {
        if let task = trace.task(operation) {
            guard let run = tasks.run(of: task, at: moment) else { return nil }
            let end = tasks.runs[run].end
            return end <= moment
                ? (ConstraintGraph.finish(vertex(run)), end)
                : (ConstraintGraph.start(vertex(run)), tasks.runs[run].start)
        }
        guard let start = transitions.start(of: operation), let end = transitions.end(of: operation),
            start <= moment
        else { return nil }
        return end < moment
            ? (ConstraintGraph.finish(operation), end) : (ConstraintGraph.start(operation), start)
    }

    /// From the task that created it; and to the one whose scope it ends in.
    private mutating func addScope(of task: Int) {
        let operation = waits.operation(of: task)
        let parent = Int(trace.operations.store.columns.parents[operation])
        guard trace.task(parent) != nil, let end = transitions.end(of: operation) else { return }
        let creation = tasks.entries[task].creation
        if creation == .asyncLet || creation == .groupChild, let scope = transitions.end(of: parent),
            end <= scope
        {
            edges.append(.init(ConstraintGraph.finish(operation), ConstraintGraph.finish(parent), lag: 0))
        }
    }

    /// Edges from the runs in which operations were enqueued, and tasks created.
    ///
    /// - Parameter wait: how long an operation waited, from its enqueue to its start, for what may absorb a
    ///   delay.
    mutating func addCreations(_ wait: (Int) -> Int64) {
        let parents = trace.operations.store.columns.parents
        for operation in transitions.indices where trace.task(Int(parents[operation])) != nil {
            guard let line = transitions[operation],
                let cause = cause(Int(parents[operation]), at: line.enqueued)
            else { continue }
            let end = isRecorded ? line.start - wait(operation) : line.enqueued
            edges.append(.init(cause.vertex, ConstraintGraph.start(operation), lag: end - cause.time))
        }
    }

    private mutating func finish(_ operation: Int, in task: Int) {
        guard let end = transitions.end(of: operation),
            let cause = cause(waits.operation(of: task), at: end)
        else { return }
        edges.append(.init(cause.vertex, ConstraintGraph.finish(operation), lag: end - cause.time))
    }
}
