import EventLog
import InspectorColumns
package import InspectorTraces

/// What ended the waits of Swift tasks: who made an awaiting task ready, and which task had an actor before
/// it. For a trace that has its tasks as operations.
package struct TaskWaits {
    /// A wait of a task.
    package struct Wait {
        /// When it began. Nanoseconds since the start of the trace.
        package let start: Int64
        /// When it ended.
        package let moment: Int64
        /// The operation or task that ended it, as an index into the trace's operations.
        package let operation: Int
        package let reason: DelayChain.Reason
    }

    package let tasks: TraceTasks
    private let asOperations: TraceTasks.AsOperations
    private let transitions: TraceTransitions
    private let tenures: ExecutorTenures

    /// Nil without tasks among the operations. Cost: that of ``ExecutorTenures``.
    package init?(_ trace: Trace, _ transitions: TraceTransitions) {
        guard let asOperations = trace.tasks.asOperations else { return nil }
        tasks = trace.tasks
        self.asOperations = asOperations
        self.transitions = transitions
        tenures = ExecutorTenures(tasks)
    }

    /// The index of a task among the trace's operations.
    package func operation(of task: Int) -> Int { tasks.operation(of: task) }

    /// The waits of a task, those for one run ordered by time.
    package func forEach(of task: Int, _ body: (Wait) -> Void) {
        let range = tasks.firstRuns[task]..<tasks.firstRuns[task + 1]
        guard let first = range.first else { return }
        if let ready = tasks.entries[task].enqueued, let holder = holder(before: first, since: ready) {
            body(holder)
        }
        for run in range {
            let next = run + 1 < range.upperBound ? run + 1 : nil
            if let wake = wake(after: run, before: next) { body(wake) }
            if let next, let ready = tasks.runs[run].ready, let holder = holder(before: next, since: ready) {
                body(holder)
            }
        }
    }

    /// Who made the task ready after a run. Nil if that is not known, or if the task did not wait for it.
    ///
    /// - Parameter next: the next run; nil if there is none.
    package func wake(after run: Int, before next: Int?) -> Wait? {
        let ended = tasks.runs[run]
        guard let awaits = ended.awaits, let part = TaskPart(awaits) else { return nil }
        let end = next.map { tasks.runs[$0].start } ?? tasks.end
        let reason: DelayChain.Reason = part == .continuation ? .resumed : .awaited
        let waker = Int(asOperations.wakers[run])
        if waker >= 0, let ready = ended.ready, ready > ended.end {
            return Wait(start: ended.end, moment: ready, operation: waker, reason: reason)
        }
        guard ended.awaited != TraceTasks.none, waker < 0 else { return nil }
        let awaited = asOperations.first + Int(ended.awaited)
        guard let finish = transitions.end(of: awaited) else { return nil }
        let moment = min(finish, ended.ready ?? end)
        // At the end of the trace, it still awaits what has not finished.
        let isOpen = next == nil && tasks.entries[Int(ended.awaited)].finished == nil
        guard moment > ended.end, isOpen || finish <= ended.ready ?? end else { return nil }
        return Wait(start: ended.end, moment: moment, operation: awaited, reason: .awaited)
    }

    /// The task that had the executor of a run before it, if the run waited for that.
    ///
    /// - Parameter ready: when its task was enqueued there.
    package func holder(before run: Int, since ready: Int64) -> Wait? {
        guard let before = tenures.before(run), before.end > ready else { return nil }
        let task = tasks.runs[before.run].task
        guard task != tasks.runs[run].task else { return nil }
        return Wait(
            start: ready, moment: min(before.end, tasks.runs[run].start),
            operation: asOperations.first + Int(task),
            reason: .actorHeld)
    }

    /// How long a task waited for an actor before its first run, as far as another task had it. Nanoseconds.
    func actorWait(beforeFirstRunOf task: Int) -> Int64 {
        let first = tasks.firstRuns[task]
        guard first < tasks.firstRuns[task + 1], let ready = tasks.entries[task].enqueued,
            let holder = holder(before: first, since: ready)
        else { return 0 }
        return holder.moment - ready
    }
}
