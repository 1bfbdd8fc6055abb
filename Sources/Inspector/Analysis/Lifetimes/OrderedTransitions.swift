import InspectorColumns

/// The transitions of one enqueued operation in a consistent order, whatever the trace contains.
///
/// A trace is untrusted: its times may be out of order or absurdly large. Here `enqueued ≤ ready ≤ executing
/// ≤ finished` holds for both ends of every interval, and the difference of any two times fits in an `Int64`.
package struct OrderedTransitions {
    package let enqueued: Int64
    package let ready: TraceMoment?
    package let executing: TraceMoment?
    /// The end of the trace for an operation that never finished.
    package let finished: TraceMoment
    package let isFinished: Bool
    let wasCancelled: Bool

    /// The end of its lifetime.
    package var end: Int64 { finished.notAfter }

    /// When it had certainly started; if it never did, the end of its lifetime.
    package var start: Int64 { executing?.notAfter ?? end }

    /// The times in the trace, for an operation that was enqueued.
    init(
        enqueued: Int64, ready: TraceMoment?, executing: TraceMoment?, finished: TraceMoment?,
        wasCancelled: Bool, traceEnd: Int64
    ) {
        self.enqueued = TraceMoment.bounded(enqueued)
        isFinished = finished != nil
        let end = max(self.enqueued, TraceMoment.bounded(finished?.notAfter ?? traceEnd))
        var floor = self.enqueued
        self.ready = Self.place(ready, &floor, end)
        self.executing = Self.place(executing, &floor, end)
        self.finished = Self.place(finished, &floor, end) ?? TraceMoment(end)
        self.wasCancelled = wasCancelled
    }

    /// The same without intervals, from a start and an end that were put in order before.
    init(
        enqueued: Int64, ready: Int64?, start: Int64?, end: Int64, isFinished: Bool, wasCancelled: Bool
    ) {
        let enqueued = TraceMoment.bounded(enqueued)
        self.enqueued = enqueued
        self.ready = ready.map { TraceMoment(min(max(TraceMoment.bounded($0), enqueued), end)) }
        executing = start.map { TraceMoment($0) }
        finished = TraceMoment(end)
        self.isFinished = isFinished
        self.wasCancelled = wasCancelled
    }

    /// Clamps the moment between `floor`, which it raises, and `end`.
    @inline(__always)
    private static func place(_ moment: TraceMoment?, _ floor: inout Int64, _ end: Int64) -> TraceMoment? {
        guard let moment else { return nil }
        let upper = min(max(TraceMoment.bounded(moment.notAfter), floor), end)
        // Most are.
        if moment.isExact {
            floor = upper
            return TraceMoment(upper)
        }
        let lower = min(max(TraceMoment.bounded(moment.notBefore), floor), upper)
        floor = upper
        return TraceMoment(notBefore: lower, notAfter: upper)
    }

    /// The last time that a trace covers: its last event, or when the program was last known to be alive.
    /// Operations that never finished end here.
    package static func end(of trace: Trace) -> Int64 {
        let columns = trace.operations.store.columns
        var end = trace.header.lastAlive
        for moments in [
            columns.enqueued, columns.ready, columns.executing, columns.cancelled, columns.finished,
        ] { end = max(end, moments.last) }
        for queue in trace.queues {
            for (time, _) in queue.limits { end = max(end, time) }
            for suspension in queue.suspensions { end = max(end, suspension.upperBound) }
        }
        if trace.tasks.asOperations != nil { end = max(end, trace.tasks.end) }
        return TraceMoment.bounded(end)
    }
}
