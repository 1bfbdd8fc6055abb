/// The transitions of one enqueued operation in an order that makes sense, whatever the trace holds.
///
/// A trace is untrusted: its times may be out of order or absurdly large. Here
/// `enqueued ≤ ready ≤ executing ≤ finished` holds for both ends of every interval, and the differences of any
/// two times fit in an `Int64`.
struct Lifeline {
    let enqueued: Int64
    let ready: TraceMoment?
    let executing: TraceMoment?
    /// The end of the trace for an operation that never finished.
    let finished: TraceMoment
    let isFinished: Bool
    let wasCancelled: Bool

    /// The end of its lifetime.
    var end: Int64 { finished.notAfter }

    /// When it had started for certain; for one that never did, the end of its lifetime.
    var start: Int64 { executing?.notAfter ?? end }

    /// `nil` for an operation that was never enqueued.
    init?(_ operation: TracedOperation, traceEnd: Int64) {
        guard let added = operation.enqueued else { return nil }
        let enqueued = Self.bounded(added.notAfter)
        let end = max(enqueued, Self.bounded(operation.finished?.notAfter ?? traceEnd))
        var floor = enqueued
        func place(_ moment: TraceMoment) -> TraceMoment {
            let upper = min(max(Self.bounded(moment.notAfter), floor), end)
            let lower = min(max(Self.bounded(moment.notBefore), floor), upper)
            floor = upper
            return TraceMoment(notBefore: lower, notAfter: upper)
        }
        self.enqueued = enqueued
        ready = operation.ready.map(place)
        executing = operation.executing.map(place)
        finished = place(operation.finished ?? TraceMoment(end))
        isFinished = operation.finished != nil
        wasCancelled = operation.cancelled != nil || operation.outcome == .cancelled
    }

    /// Within ± 36 years of the start of the trace, so that no difference of two times overflows.
    static func bounded(_ time: Int64) -> Int64 { min(max(time, -(1 << 60)), 1 << 60) }

    /// The last moment that a trace says anything about: its last event, or when the program was last known
    /// alive. Operations that never finished end here.
    static func end(of trace: Trace) -> Int64 {
        let columns = trace.operations.store.columns
        var end = trace.header.lastAlive
        for moments in [
            columns.enqueued, columns.ready, columns.executing, columns.cancelled, columns.finished,
        ] { end = max(end, moments.last) }
        for queue in trace.queues {
            for (time, _) in queue.limits { end = max(end, time) }
            for suspension in queue.suspensions { end = max(end, suspension.upperBound) }
        }
        return bounded(end)
    }
}
