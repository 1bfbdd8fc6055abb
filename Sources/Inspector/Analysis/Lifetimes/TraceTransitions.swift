import InspectorColumns

/// The ordered transitions of a trace's operations, by index; `nil` for one that was never enqueued. Each
/// element is created on access. Only starts and ends are stored, because analyses read them for each edge.
package struct TraceTransitions: RandomAccessCollection, Sendable {
    /// The columns themselves, not the store that contains them, which avoids reference counting in loops.
    private let enqueued: MomentColumn
    private let ready: MomentColumn
    private let executing: MomentColumn
    private let finished: MomentColumn
    private let cancelled: MomentColumn
    private let outcomes: Column<UInt32>
    private let cancelledOutcome = OperationColumns.cancelled
    /// Where unfinished operations end.
    private let traceEnd: Int64
    /// Whether a transition of an operation is known only as an interval.
    private let hasIntervals: Bool
    /// The `start` and the `end` of each operation. One that was never enqueued starts before all others end,
    /// and ends after all others start, so that it comes neither before nor after any.
    private let starts: [Int64]
    private let ends: [Int64]

    private static let neverStarted = Int64.min
    private static let neverEnded = Int64.max

    /// Nanoseconds from the first enqueue to the last end, 0 without operations.
    let makespan: Int64

    /// Linear in operations.
    init(_ trace: Trace, end: Int64) {
        let columns = trace.operations.store.columns
        enqueued = columns.enqueued
        ready = columns.ready
        executing = columns.executing
        finished = columns.finished
        cancelled = columns.cancelled
        outcomes = columns.outcomes
        traceEnd = end
        hasIntervals = ready.hasIntervals || executing.hasIntervals || finished.hasIntervals
        var starts = [Int64](repeating: Self.neverStarted, count: columns.count)
        var ends = [Int64](repeating: Self.neverEnded, count: columns.count)
        var (first, last) = (Int64.max, Int64.min)
        for index in starts.indices where columns.enqueued.has(index) {
            let line = OrderedTransitions(
                enqueued: columns.enqueued.notAfter(index), ready: columns.ready[index],
                executing: columns.executing[index], finished: columns.finished[index], wasCancelled: false,
                traceEnd: end)
            starts[index] = line.start
            ends[index] = line.end
            first = Swift.min(first, line.enqueued)
            last = Swift.max(last, line.end)
        }
        makespan = first <= last ? last - first : 0
        self.starts = starts
        self.ends = ends
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { starts.count }

    package subscript(index: Int) -> OrderedTransitions? {
        guard has(index) else { return nil }
        let wasCancelled = cancelled.has(index) || outcomes[index] == cancelledOutcome
        if hasIntervals {
            return OrderedTransitions(
                enqueued: enqueued.notAfter(index), ready: ready[index], executing: executing[index],
                finished: finished[index], wasCancelled: wasCancelled, traceEnd: traceEnd)
        }
        return OrderedTransitions(
            enqueued: enqueued.notAfter(index), ready: ready.has(index) ? ready.notAfter(index) : nil,
            start: executing.has(index) ? starts[index] : nil, end: ends[index],
            isFinished: finished.has(index), wasCancelled: wasCancelled)
    }

    package func has(_ index: Int) -> Bool { starts[index] != Self.neverStarted }

    /// The enqueue among the operation's ordered transitions.
    package func enqueued(of index: Int) -> Int64? {
        has(index) ? TraceMoment.bounded(enqueued.notAfter(index)) : nil
    }

    /// The start among the operation's ordered transitions.
    package func start(of index: Int) -> Int64? { has(index) ? starts[index] : nil }

    /// The end among the operation's ordered transitions.
    package func end(of index: Int) -> Int64? { has(index) ? ends[index] : nil }

    /// Whether the first ended before the second started; false if either was never enqueued.
    func comesBefore(_ first: Int, _ second: Int) -> Bool { ends[first] <= starts[second] }
}
