import EventLog
import InspectorColumns
import WaitDiagnosis

/// What the rules about Swift tasks need, computed once for all of them.
final class TaskHazards {
    /// With its tasks as operations.
    let trace: Trace
    let tasks: TraceTasks
    /// The time that the log covers, in nanoseconds.
    let makespan: Int64
    lazy var standstills = TaskStandstills(trace, blockers())
    lazy var text = TaskStandstillText(trace) { _ in nil }
    private let known: TraceTimings?
    private let blockers: () -> Blockers
    lazy var timings = known ?? TraceTimings(trace)
    lazy var lifetimes = TaskLifetimes(tasks, ProcessorUse(timings))

    /// Linear in the trace, unless it has its tasks as operations already.
    ///
    /// - Parameters:
    ///   - timings: of the trace, if it has its tasks as operations.
    ///   - first: when the first operation was enqueued.
    ///   - blockers: of the trace.
    init(
        _ trace: Trace, _ timings: TraceTimings?, firstEnqueue first: Int64?,
        blockers: @escaping () -> Blockers
    ) {
        known = timings
        self.blockers = blockers
        self.trace = trace.withTasks()
        tasks = self.trace.tasks
        let start = tasks.entries.indices.lazy.compactMap { [tasks] in tasks.start(of: $0) }.min()
        makespan = max(0, tasks.end - min(start ?? tasks.end, first ?? .max))
    }

    func name(_ task: Int) -> String { text.name(task) }
    func operation(_ task: Int) -> Int { tasks.operation(of: task) }
    func kind(_ task: Int) -> HazardCollector.Subject {
        .kind(Int(trace.operations.store.columns.kinds[operation(task)]))
    }

    /// When an operation or task finished, for an index into the trace's operations; nil if it did not.
    func finish(of operation: Int) -> Int64? {
        trace.operations.store.columns.finished.has(operation) ? timings.transitions.end(of: operation) : nil
    }

    func severity(ofCost cost: Int64) -> HazardSeverity { .ofCost(cost, in: makespan) }

    /// Whether its program ended by itself, and closed its log.
    func isClosed(_ task: Int) -> Bool {
        trace.processes[Int(tasks.entries[task].process)].isClosed && trace.header.endingSignal == nil
    }

    func isLoop(_ task: Int) -> Bool { standstills.isLoop(task) }

    /// Whether the end of its program cut off a task that nothing awaited, and that could have gone on. One
    /// that was running may have had nothing left to do.
    func isCutOff(_ task: Int) -> Bool {
        let entry = tasks.entries[task]
        guard entry.finished == nil, isUnawaited(task), isClosed(task), !isLoop(task),
            tasks.kind(of: task) != ClosureName.main, !standstills.inCircles.contains(task)
        else { return false }
        return switch standstills.state(task).state {
        case .executor, .awaiting(.sleep), .awaiting(.continuation), .awaiting(.unknown): true
        case .running, .awaiting: false
        }
    }

    /// Whether it belongs to no scope that awaits it, and no other task awaited its result.
    func isUnawaited(_ task: Int) -> Bool {
        let entry = tasks.entries[task]
        return entry.creation == .unstructured && entry.created != nil && !isAwaited[task]
    }

    /// Whether another task awaited its result.
    private lazy var isAwaited: [Bool] = {
        var isAwaited = [Bool](repeating: false, count: tasks.entries.count)
        for run in tasks.runs where run.awaited >= 0 { isAwaited[Int(run.awaited)] = true }
        return isAwaited
    }()
}
