import EventLog

/// Says what spans of OpenTelemetry hold as an event log: spans are operations, their links what they waited for.
///
/// Spans that this project wrote have their own transitions. Others were enqueued, and started, when they began; the queue is
/// the thread or the service that they were of.
struct OTLPLog {
    private struct QueueKey: Hashable {
        var resource: Int32
        var queue: UInt64?
        var name: InternedTexts.Number?
    }

    private let spans: OTLPSpans
    /// All spans are of one run of this project: what they were called there is what they are called.
    private let keepsIdentifiers: Bool
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    let origin: Int64
    private var queues: [QueueKey: UInt64] = [:]
    private(set) var texts: InternedTexts
    private(set) var eventCount = 0
    /// Links to spans that are not there; links to spans that had not ended when the other began, which are no dependency.
    private(set) var (loose, contrary) = (0, 0)
    /// Spans whose parents are not there.
    private(set) var orphans = 0

    init(_ spans: OTLPSpans) {
        self.spans = spans
        texts = spans.texts
        origin = spans.resources.lazy.compactMap(\.start).first ?? spans.spans.lazy.map(\.start).min() ?? 0
        var identifiers = Set<UInt64>()
        keepsIdentifiers = spans.spans.allSatisfy { span in
            span.queue != nil && span.key.low == spans.spans[0].key.low
                && span.identifier.map { identifiers.insert($0).inserted } ?? false
        }
    }

    /// Gives the events to `consumer`, in the order of their times. O(n log n).
    mutating func write(to consumer: any EventConsumer) {
        // Of one operation and one moment: what it begins with first, what it ends with last.
        enum Step: UInt8 { case enqueued, event, finished }
        var steps: [(time: Int64, span: Int32, step: Step, event: Int32)] = []
        steps.reserveCapacity(2 * spans.spans.count + spans.events.count)
        for (index, span) in spans.spans.enumerated() {
            steps.append((span.start, Int32(index), .enqueued, 0))
            for event in span.events {
                steps.append((spans.events[event].time, Int32(index), .event, Int32(event)))
            }
            if let end = span.end { steps.append((end, Int32(index), .finished, 0)) }
        }
        steps.sort {
            ($0.time, $0.span, $0.step.rawValue, $0.event) < ($1.time, $1.span, $1.step.rawValue, $1.event)
        }
        for step in steps {
            let span = spans.spans[Int(step.span)]
            switch step.step {
            case .enqueued: enqueue(Int(step.span), span, consumer)
            case .event: give(spans.events[Int(step.event)], of: Int(step.span), span, consumer)
            case .finished: finish(Int(step.span), span, consumer)
            }
        }
    }

    // MARK: Events

    private mutating func enqueue(_ index: Int, _ span: OTLPSpans.Span, _ consumer: any EventConsumer) {
        let queue = open(span, consumer)
        var event = fields(.enqueued, span.start, span)
        event.subject = identifier(index)
        event.queue = queue
        event.text = span.kind
        event.name = span.name
        event.number = Int(clamping: span.priority)
        if span.parent != 0 {
            var key = span.key
            key.span = span.parent
            let parent = spans.indexOfKey[key]
            if parent == nil { orphans += 1 }
            event.parent = parent.map { identifier(Int($0)) }
        }
        for link in spans.links[span.links] {
            guard let predecessor = spans.indexOfKey[link] else {
                loose += 1
                continue
            }
            let end = spans.spans[Int(predecessor)].end
            guard span.identifier != nil || end.map({ $0 <= span.start }) ?? false else {
                contrary += 1
                continue
            }
            event.predecessors.append(identifier(Int(predecessor)))
        }
        give(event, consumer)
        guard span.identifier == nil else { return }
        event = fields(.executing, span.start, span)
        event.subject = identifier(index)
        give(event, consumer)
    }

    /// The queue of a span, which is told of when it is first named.
    private mutating func open(_ span: OTLPSpans.Span, _ consumer: any EventConsumer) -> UInt64 {
        let key = QueueKey(
            resource: span.resource, queue: span.queue, name: span.queue == nil ? span.queueName : nil)
        if let queue = queues[key] { return queue }
        let queue = keepsIdentifiers ? span.queue ?? 0 : UInt64(queues.count + 1)
        queues[key] = queue
        var event = fields(.queueOpened, span.start, span)
        event.subject = queue
        event.text =
            span.queueName
            ?? (span.queue == nil
                ? spans.resources[Int(span.resource)].process ?? texts.number(of: "spans")
                : InternedTexts.empty)
        // As many at once as there are.
        event.number = -1
        give(event, consumer)
        return queue
    }

    private mutating func give(
        _ own: OTLPSpans.Event, of index: Int, _ span: OTLPSpans.Span, _ consumer: any EventConsumer
    ) {
        var event = fields(own.type, own.time, span)
        event.notBefore = own.notBefore?.saturatingSubtract(origin)
        if own.type == .mark {
            event.text = own.text
            event.parent = identifier(index)
        } else {
            event.subject = identifier(index)
        }
        give(event, consumer)
    }

    private mutating func finish(_ index: Int, _ span: OTLPSpans.Span, _ consumer: any EventConsumer) {
        var event = fields(.finished, span.end ?? span.start, span)
        event.notBefore = span.endNotBefore?.saturatingSubtract(origin)
        event.subject = identifier(index)
        event.ending = span.ending
        event.text = span.message
        give(event, consumer)
    }

    private mutating func give(_ event: EventFields, _ consumer: any EventConsumer) {
        eventCount += 1
        consumer.consume(event, texts)
    }

    private func fields(_ type: RecordType, _ time: Int64, _ span: OTLPSpans.Span) -> EventFields {
        var event = EventFields()
        event.type = type
        event.time = time.saturatingSubtract(origin)
        event.thread = span.thread
        return event
    }

    private func identifier(_ span: Int) -> UInt64 {
        keepsIdentifiers ? spans.spans[span].identifier ?? 0 : UInt64(span) + 1
    }
}
