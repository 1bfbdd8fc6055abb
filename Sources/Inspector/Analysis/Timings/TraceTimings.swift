/// What the operations of a trace spent their lifetimes on: the basis of tables.
public final class TraceTimings: Sendable {
    /// The trace that the timings belong to.
    public let trace: Trace
    /// For each operation of the trace; `nil` if it was never enqueued.
    public let waits: OperationWaits
    /// Nanoseconds since the start of the trace: the last event, or when the program was last known to be
    /// alive. Unfinished operations are treated as ending here.
    public let end: Int64

    /// Nanoseconds from the first enqueue to the last finish, 0 for a trace without operations.
    public var makespan: Int64 { transitions.makespan }

    package let transitions: TraceTransitions

    /// Cost: nearly linear in operations. Accepts any trace, even an inconsistent one.
    public init(_ trace: Trace) {
        self.trace = trace
        end = OrderedTransitions.end(of: trace)
        transitions = TraceTransitions(trace, end: end)
        waits = OperationWaits(WaitInference(trace, transitions))
    }
}
