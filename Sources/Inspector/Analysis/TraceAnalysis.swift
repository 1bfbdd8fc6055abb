import InspectorColumns

/// The analysis of a trace: where the time went.
public final class TraceAnalysis: Sendable {
    /// What each operation spent its lifetime on.
    public let timings: TraceTimings
    /// The shortest time that the run would take with any number of slots.
    public var criticalPath: CriticalPath { path.value }
    /// Nanoseconds from the first enqueue to the last finish, 0 for a trace without operations.
    public var makespan: Int64 { timings.makespan }
    /// The total time that operations executed, in nanoseconds. For a parent, only the time in which no
    /// child that it waited for was between enqueue and finish.
    public var work: Int64 { own.value.work }
    /// By total execution time, the longest first; equal ones by name.
    public var kinds: GroupTimings { groups.value }

    /// The analysed trace.
    @inlinable public var trace: Trace { timings.trace }
    /// For each operation of the trace; `nil` if it was never enqueued.
    @inlinable public var waits: OperationWaits { timings.waits }
    /// Nanoseconds since the start of the trace: the last event, or when the program was last known to be
    /// alive. Unfinished operations are treated as ending here.
    @inlinable public var end: Int64 { timings.end }

    package var nesting: Nesting { own.value.nesting }
    /// What unfinished operations wait for.
    package let blockers: Blockers
    /// For each operation, in nanoseconds; the sum is ``work``.
    package var ownExecution: [Int64] { own.value.execution }

    // Computed only for those who ask for it.
    private let own: LazyValue<(nesting: Nesting, execution: [Int64], work: Int64)>
    private let groups: LazyValue<GroupTimings>
    private let path: LazyValue<CriticalPath>
    /// Whether ``asDrawn`` has found that the run stood still.
    package let isDrawnAsStandstill: Bool

    /// Work ÷ length of the critical path: the upper limit with more slots. `nil` if nothing executed, and if
    /// the path contains so much waiting, of Swift tasks, that it is longer than the work.
    public var parallelism: Double? {
        criticalPath.length == 0 || criticalPath.length > work
            ? nil : Double(work) / Double(criticalPath.length)
    }

    /// The analysis of the trace with its Swift tasks as operations, if it has any.
    package var withTasks: TraceAnalysis {
        trace.tasks.isEmpty || trace.tasks.asOperations != nil ? self : TraceAnalysis(trace.withTasks())
    }

    /// The same without a critical path if the run stood still: its longest chain only says how long somebody
    /// waited before ending it, and would be drawn as if it mattered.
    package var asDrawn: TraceAnalysis {
        guard UnfinishedReport(self).isStandingStill else { return self }
        return TraceAnalysis(drawingStandstillOf: self)
    }

    /// Cost: nearly linear in operations and edges. Accepts any trace, even an inconsistent one.
    public init(_ trace: Trace) {
        let timings = TraceTimings(trace)
        let transitions = timings.transitions
        let own = LazyValue {
            let nesting = Nesting(trace, transitions)
            let execution = nesting.ownExecution(transitions, timings.waits, ChildWaits(trace))
            let work = execution.reduce(Int64(0)) { $0.saturatingAdd($1) }
            return (nesting: nesting, execution: execution, work: work)
        }

        self.timings = timings
        self.own = own
        blockers = Blockers(trace, end: timings.end)
        groups = LazyValue { timings.groups(by: .kind) }
        path = LazyValue {
            CriticalPath(
                .throughDependencies(trace, transitions, own.value.nesting, own.value.execution), transitions,
                owner: { RunConstraints.owner($0, in: trace) })
        }
        isDrawnAsStandstill = false
    }

    private init(drawingStandstillOf analysis: TraceAnalysis) {
        timings = analysis.timings
        own = analysis.own
        blockers = analysis.blockers
        groups = analysis.groups
        path = LazyValue { [trace = analysis.trace] in CriticalPath(ofNothingIn: trace) }
        isDrawnAsStandstill = true
    }
}
