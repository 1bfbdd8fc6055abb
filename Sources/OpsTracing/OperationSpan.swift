internal import EventLog
public import Ops
public import Tracing

/// The span of one operation. It ends once, when the operation finishes. Then only its context is kept, for
/// links to it.
public final class OperationSpan: OperationAccount {
    private struct State {
        /// Nil after the span has ended.
        var span: (any Span)?
        var ready: DefaultTracerClock.Timestamp?
        /// Predecessors that had no span so far.
        var unlinked: [WatchedOperation] = []
        /// Whether it waited for others, including predecessors that were added after the enqueue.
        var hadPredecessors: Bool
    }

    /// The span's context, for its children and for links to it.
    public let context: ServiceContext
    private let enqueued: DefaultTracerClock.Timestamp
    private let tracing: OperationTracing
    private let state: Locked<State>

    init(
        _ span: any Span, enqueued: DefaultTracerClock.Timestamp, predecessors: [WatchedOperation],
        by tracing: OperationTracing
    ) {
        context = span.context
        self.enqueued = enqueued
        self.tracing = tracing
        state = Locked(State(span: span, hadPredecessors: !predecessors.isEmpty))
        for predecessor in predecessors { link(to: predecessor, from: span) }
    }

    // MARK: Links

    public func dependencyAdded(on predecessor: WatchedOperation) {
        let span = state.withLock { state in
            state.hadPredecessors = true
            return state.span
        }
        if let span { link(to: predecessor, from: span) }
    }

    public func dependencyRemoved(on predecessor: WatchedOperation) {
        state.withLock { state in state.unlinked.removeAll { $0 === predecessor } }
    }

    private func link(to predecessor: WatchedOperation, from span: any Span) {
        guard let other = predecessor.account(by: tracing) else {
            return state.withLock { $0.unlinked.append(predecessor) }
        }
        span.addLink(SpanLink(context: other.context, attributes: [:]))
    }

    /// Adds links to the predecessors that have a span by now.
    private func linkTheRest() {
        let (span, unlinked) = state.withLock { state in
            defer { state.unlinked = [] }
            return (state.span, state.unlinked)
        }
        guard let span else { return }
        for predecessor in unlinked { link(to: predecessor, from: span) }
    }

    // MARK: Events

    public func ready() {
        let time = tracing.now()
        let span = state.withLock { state in
            state.ready = time
            return state.span
        }
        span?.addEvent(SpanEvent(name: "ready", at: time))
    }

    public func executing() {
        let time = tracing.now()
        let (span, ready, hadPredecessors) = state.withLock { ($0.span, $0.ready, $0.hadPredecessors) }
        guard let span else { return }
        linkTheRest()
        // Not at `ready`, which is reported again if a dependency is added after it.
        if hadPredecessors, let ready { addWait("dependency wait", from: enqueued, to: ready, span) }
        // How much of it was a wait for a slot is not known before the other operations have run.
        if let ready { addWait("queue wait", from: ready, to: time, span) }
        span.addEvent(SpanEvent(name: "executing", at: time))
        span.updateAttributes { $0["thread.id"] = CurrentThread.number }
    }

    public func cancelled() { addEvent("cancelled") }

    public func bodyEnded() { addEvent("body_ended") }

    public func marked(_ text: String) {
        var attributes = SpanAttributes()
        attributes[OTLPAttributeNames.mark] = text
        addEvent("mark", attributes)
    }

    private func addEvent(_ name: String, _ attributes: SpanAttributes = [:]) {
        guard let span = state.withLock({ $0.span }) else { return }
        span.addEvent(SpanEvent(name: name, at: tracing.now(), attributes: attributes))
    }

    /// The clock is the wall clock, and may be set back.
    private func addWait(
        _ name: String, from start: DefaultTracerClock.Timestamp, to end: DefaultTracerClock.Timestamp,
        _ span: any Span
    ) {
        guard end > start else { return }
        var attributes = SpanAttributes()
        attributes[OTLPAttributeNames.duration] = Int64(
            clamping: end.nanosecondsSinceEpoch - start.nanosecondsSinceEpoch)
        span.addEvent(SpanEvent(name: name, at: start, attributes: attributes))
    }

    // MARK: Body and end

    public func body(_ run: () -> Void) { ServiceContext.withValue(context) { run() } }

    public func finished(_ outcome: Outcome, error: (any Error)?) {
        linkTheRest()
        let span = state.withLock { state in
            defer { state.span = nil }
            return state.span
        }
        guard let span else { return }
        let time = tracing.now()
        let word: String
        switch outcome {
        case .succeeded: word = "succeeded"
        case .cancelled: word = "cancelled"
        case .failed(let message):
            word = "failed"
            span.setStatus(SpanStatus(code: .error, message: message))
            if let error { span.recordError(error, attributes: [:], at: time) }
            let type = error.map { String(reflecting: Swift.type(of: $0)) }
            span.updateAttributes { $0["error.type"] = type ?? "_OTHER" }
        }
        span.updateAttributes { $0[OTLPAttributeNames.outcome] = word }
        span.end(at: time)
    }
}
