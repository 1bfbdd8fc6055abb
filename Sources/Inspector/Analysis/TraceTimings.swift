/// What the operations of a trace spent their lifetimes on: what tables are made of.
public struct TraceTimings: Sendable {
    /// What the timings are of.
    public let trace: Trace
    /// For each operation of the trace; `nil` when it was never enqueued.
    public let waits: OperationWaits
    /// Nanoseconds since the start of the trace: the last event, or when the program was last known alive.
    /// Operations that never finished are taken to end here.
    public let end: Int64

    /// Nanoseconds from the first enqueue to the last finish, 0 for a trace without operations.
    public let makespan: Int64

    package let lifelines: Lifelines

    /// Cost: nearly linear in operations. Any trace will do, also one that makes no sense.
    public init(_ trace: Trace) {
        self.trace = trace
        end = Lifeline.end(of: trace)
        lifelines = Lifelines(trace, end: end)
        makespan = lifelines.makespan
        waits = OperationWaits(WaitInference(trace, lifelines))
    }
}
