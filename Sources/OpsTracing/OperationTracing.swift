internal import EventLog
public import Ops
public import Tracing

/// Makes each operation a span of swift-distributed-tracing, from its enqueue to its finish.
///
///     InstrumentationSystem.bootstrap(tracer)
///     OperationTracing.start()
///
/// **Parent.** The span that is current where the operation is added: in the body of another operation that
/// operation's, or one that the body opened. Children of a group have the group's.
///
/// **Links.** One to the span of each operation that it depends on. One that was added to no queue has no
/// span; one that is added later is linked when this one starts or finishes.
///
/// **Context.** `ServiceContext.current` is the span's in the operation's body, and in the tasks that the
/// body makes. For classes outside `Ops`, only on Linux.
///
/// **Words.** The name is the operation's kind. Attributes and events are those of `opviz export --format
/// otlp` (Documentation/Export.md); the waits are in Documentation/Bridges.md.
///
/// **Cost.** That of a span, with its attributes and events, on the threads that add, start and finish
/// operations.
public final class OperationTracing: OperationObserver {
    private let tracer: (any Tracer)?
    let now: @Sendable () -> DefaultTracerClock.Timestamp

    /// Traces every operation that is enqueued from now on. Once in a program: a second call makes second
    /// spans.
    ///
    /// - Parameter tracer: nil for that of `InstrumentationSystem` where and when an operation is added.
    /// - Returns: what ends it. Keep it only where it is to end.
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
            attributes[OTLPWords.identifier] = details.id.description
            attributes[OTLPWords.name] = details.name
            attributes[OTLPWords.queue] = details.queue.description
            attributes[OTLPWords.queueName] = details.queueName
            attributes[OTLPWords.priority] = details.priority == 0 ? nil : details.priority
        }
        return OperationSpan(span, enqueued: time, predecessors: predecessors, by: self)
    }

    private func context(within parent: WatchedOperation?) -> ServiceContext {
        // On the parent's own thread, or in its task, what is current is its span, or one within it.
        if let parent, parent !== WatchedOperation.current, let span = parent.account(by: self) {
            return span.context
        }
        return ServiceContext.current ?? .topLevel
    }
}

extension SpanAttributes {
    /// As the name says, which is not a literal.
    subscript(_ name: StaticString) -> (any SpanAttributeConvertible)? {
        get { self["\(name)" as String] }
        set { self["\(name)" as String] = newValue }
    }
}
