internal import EventLog
public import Ops
public import Tracing

/// Makes each operation a span of swift-distributed-tracing, from its enqueue to its finish.
///
///     InstrumentationSystem.bootstrap(tracer)
///     OperationTracing.start()
///
/// **Parent.** The span that is current where the operation is added. In the body of another operation, that
/// is the operation's span, or one that the body opened. The parent of a group's children is the group's
/// span.
///
/// **Links.** Each dependency's span is linked. An operation that was added to no queue has no span. If a
/// dependency is added to a queue later, it is linked when this operation starts or finishes.
///
/// **Context.** In the operation's body, and in tasks that the body creates, `ServiceContext.current` is the
/// span's. For classes outside `Ops`, only on Linux.
///
/// **Names.** The span's name is the operation's kind. Attributes and events are those of `opviz export
/// --format otlp` (Documentation/Export.md); the waits are in Documentation/Bridges.md.
///
/// **Cost.** The cost of a span with its attributes and events, on the threads that add, start and finish
/// operations.
public final class OperationTracing: OperationObserver {
    private let tracer: (any Tracer)?
    let now: @Sendable () -> DefaultTracerClock.Timestamp

    /// Traces every operation that is enqueued from now on. Call it once: a second call creates a second span
    /// for each operation.
    ///
    /// - Parameter tracer: nil for that of `InstrumentationSystem` when an operation is added.
    /// - Returns: a registration that ends the tracing. You can ignore it.
    @discardableResult
    public static func start(tracer: (any Tracer)? = nil) -> ObserverRegistration {
        OperationObservers.install(OperationTracing(tracer: tracer) { DefaultTracerClock.now })
    }

    init(tracer: (any Tracer)?, now: @escaping @Sendable () -> DefaultTracerClock.Timestamp) {
        self.tracer = tracer
        self.now = now
    }

    public func enqueued(
        _ operation: WatchedOperation, parent: WatchedOperation?, predecessors: [WatchedOperation]
    ) -> OperationSpan? {
        guard let details = operation.details else { return nil }
        let time = now()
        let span = (tracer ?? InstrumentationSystem.tracer).startSpan(
            details.kind, context: context(within: parent), at: time)
        span.updateAttributes { attributes in
            attributes[OTLPAttributeNames.identifier] = details.id.description
            attributes[OTLPAttributeNames.name] = details.name
            attributes[OTLPAttributeNames.queue] = details.queue.description
            attributes[OTLPAttributeNames.queueName] = details.queueName
            attributes[OTLPAttributeNames.priority] = details.priority == 0 ? nil : details.priority
        }
        return OperationSpan(span, enqueued: time, predecessors: predecessors, by: self)
    }

    private func context(within parent: WatchedOperation?) -> ServiceContext {
        // On the parent's own thread, or in its task, the current span is the parent's, or one inside it.
        if let parent, parent !== WatchedOperation.current, let span = parent.account(by: self) {
            return span.context
        }
        return ServiceContext.current ?? .topLevel
    }
}

extension SpanAttributes {
    /// Like the subscript for a `String`, which is not a literal.
    subscript(_ name: StaticString) -> (any SpanAttributeConvertible)? {
        get { self["\(name)" as String] }
        set { self["\(name)" as String] = newValue }
    }
}
