/// What a trace says about where the time went.
public struct TraceAnalysis: Sendable {
    public let trace: Trace
    /// For each operation of the trace; `nil` when it was never enqueued.
    public let waits: [Waits?]
    public let criticalPath: CriticalPath
    /// Nanoseconds from the first enqueue to the last finish, 0 for a trace without operations.
    public let makespan: Int64
    /// Nanoseconds of execution of all operations; a parent counts only what its children do not cover.
    public let work: Int64
    /// By total execution time, the longest first; of equal ones by name.
    public let kinds: [GroupTiming]
    /// Nanoseconds since the start of the trace: the last event, or when the program was last known alive.
    /// Operations that never finished are taken to end here.
    public let end: Int64

    /// For each operation of the trace; `nil` when it was never enqueued.
    let lifelines: [Lifeline?]
    let nesting: Nesting
    /// By operation, in nanoseconds: what ``work`` is the sum of.
    let ownExecution: [Int64]

    /// Work ÷ length of the critical path: the most that more slots can give. `nil` when nothing executed.
    public var parallelism: Double? {
        criticalPath.length == 0 ? nil : Double(work) / Double(criticalPath.length)
    }

    /// Cost: nearly linear in operations and edges. Any trace will do, also one that makes no sense.
    public init(_ trace: Trace) {
        let end = Lifeline.end(of: trace)
        let lifelines = trace.operations.map { Lifeline($0, traceEnd: end) }
        let waits = WaitInference(trace, lifelines).waits()
        let nesting = Nesting(trace, lifelines)
        let own = nesting.ownExecution(lifelines, waits)

        var first: Int64?
        var last: Int64?
        for case let line? in lifelines {
            first = min(first ?? line.enqueued, line.enqueued)
            last = max(last ?? line.end, line.end)
        }

        self.trace = trace
        self.lifelines = lifelines
        self.nesting = nesting
        ownExecution = own
        self.end = end
        self.waits = waits
        makespan = if let first, let last { last - first } else { 0 }
        work = own.reduce(0) { $0.saturatingAdd($1) }
        criticalPath = CriticalPath(.throughDependencies(trace, lifelines, nesting, own), lifelines)
        kinds = Self.timings(by: .kind, of: trace, waits)
    }
}
