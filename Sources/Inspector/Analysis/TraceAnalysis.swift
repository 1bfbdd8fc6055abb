import InspectorColumns

/// What a trace says about where the time went.
public struct TraceAnalysis: Sendable {
    /// What each operation spent its lifetime on.
    public let timings: TraceTimings
    /// The shortest time that the run would take with any number of slots.
    public let criticalPath: CriticalPath
    /// Nanoseconds from the first enqueue to the last finish, 0 for a trace without operations.
    public let makespan: Int64
    /// Nanoseconds that all operations executed themselves: of a parent only the time in which no child of it
    /// was between its enqueue and its finish.
    public let work: Int64
    /// By total execution time, the longest first; of equal ones by name.
    public let kinds: GroupTimings

    /// What was analysed.
    @inlinable public var trace: Trace { timings.trace }
    /// For each operation of the trace; `nil` when it was never enqueued.
    @inlinable public var waits: OperationWaits { timings.waits }
    /// Nanoseconds since the start of the trace: the last event, or when the program was last known alive.
    /// Operations that never finished are taken to end here.
    @inlinable public var end: Int64 { timings.end }

    package let nesting: Nesting
    /// By operation, in nanoseconds: what ``work`` is the sum of.
    package let ownExecution: [Int64]

    /// Work ÷ length of the critical path: the upper limit with more slots. `nil` when nothing executed.
    public var parallelism: Double? {
        criticalPath.length == 0 ? nil : Double(work) / Double(criticalPath.length)
    }

    /// Cost: nearly linear in operations and edges. Any trace will do, also one that makes no sense.
    public init(_ trace: Trace) {
        let timings = TraceTimings(trace)
        let lifelines = timings.lifelines
        let nesting = Nesting(trace, lifelines)
        let own = nesting.ownExecution(lifelines, timings.waits)

        self.timings = timings
        self.nesting = nesting
        ownExecution = own
        makespan = timings.makespan
        work = own.reduce(0) { $0.saturatingAdd($1) }
        criticalPath = CriticalPath(.throughDependencies(trace, lifelines, nesting, own), lifelines)
        kinds = timings.groups(by: .kind)
    }
}
