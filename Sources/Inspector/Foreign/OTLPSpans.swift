import CTraceJSON
import EventLog

/// The spans of an OpenTelemetry trace, as they were read: numbers and interned texts. One that cannot be told from another, or
/// that has no times that could be, is counted and left out.
struct OTLPSpans {
    /// What OpenTelemetry calls a span by.
    struct Key: Hashable {
        var (high, low): (UInt64, UInt64)
        var span: UInt64
    }

    struct Event {
        /// A transition, or a mark.
        var type: RecordType
        var time: Int64
        var notBefore: Int64?
        /// What a mark says.
        var text = InternedTexts.empty
    }

    struct Span {
        var key: Key
        /// 0 where there is none.
        var parent: UInt64 = 0
        var resource: Int32
        var kind: InternedTexts.Number
        var name: InternedTexts.Number?
        var queue: UInt64?
        var queueName: InternedTexts.Number?
        /// Nanoseconds since 1970-01-01T00:00:00Z.
        var start: Int64
        /// Nil where it did not end.
        var end: Int64?
        var endNotBefore: Int64?
        /// What the exporter of this project says that it was called.
        var identifier: UInt64?
        var thread: UInt64 = 0
        var priority: Int64 = 0
        var ending = EventFields.Ending.succeeded
        var message = InternedTexts.empty
        /// In `events` and `links`.
        var events: Range<Int>
        var links: Range<Int>
    }

    /// What is known of the process that spans are of.
    struct Resource {
        var process: InternedTexts.Number?
        var host: InternedTexts.Number?
        var processID: Int32 = 0
        var start: Int64?
    }

    private(set) var spans: [Span] = []
    private(set) var events: [Event] = []
    private(set) var links: [Key] = []
    private(set) var resources: [Resource] = []
    private(set) var indexOfKey: [Key: Int32] = [:]
    private(set) var texts = InternedTexts()

    /// Without identifiers, with those of another, without a start, and that ended before they began.
    private(set) var (nameless, colliding, timeless, negative) = (0, 0, 0, 0)

    mutating func take(resource: Int, _ attributes: otlp_attributes) {
        var taken = Resource()
        for attribute in attributes.list {
            let (key, value) = (attribute.key, attribute.value)
            if key.equals("service.name") {
                taken.process = value.bytes.map { texts.number(of: $0) }
            } else if key.equals("host.name") {
                taken.host = value.bytes.map { texts.number(of: $0) }
            } else if key.equals("process.pid") {
                taken.processID = value.number(radix: 10) ?? 0
            } else if key.equals(OTLPWords.start) {
                taken.start = value.number(radix: 10)
            }
        }
        grow(to: resource)
        resources[resource] = taken
    }

    mutating func take(_ span: otlp_span) {
        grow(to: span.resource)
        guard let key = Key(trace: span.trace, span: span.span) else {
            nameless += 1
            return
        }
        guard let start: Int64 = span.start.number(radix: 10), start >= 0 else {
            timeless += 1
            return
        }
        var end: Int64? = span.end.number(radix: 10)
        // So it stands where there is no end.
        if end == 0, start > 0 { end = nil }
        guard end ?? start >= start else {
            negative += 1
            return
        }
        guard indexOfKey[key] == nil else {
            colliding += 1
            return
        }
        var taken = Span(
            key: key, parent: span.parent.hexadecimal(digits: 16) ?? 0, resource: Int32(span.resource),
            kind: span.name.bytes.map { texts.number(of: $0) } ?? InternedTexts.unknown, start: start,
            end: end,
            events: events.count..<events.count, links: links.count..<links.count)
        takeAttributes(span, &taken)
        takeEvents(span, &taken)
        for link in UnsafeBufferPointer(start: span.links, count: span.link_count) {
            if let key = Key(trace: link.trace, span: link.span) { links.append(key) }
        }
        taken.links = taken.links.lowerBound..<links.count
        indexOfKey[key] = Int32(spans.count)
        spans.append(taken)
    }

    // MARK: Taking

    private mutating func grow(to resource: Int) {
        while resources.count <= resource { resources.append(Resource()) }
    }

    private mutating func takeAttributes(_ span: otlp_span, _ taken: inout Span) {
        if span.status.equals("2") || span.status.equals("STATUS_CODE_ERROR") {
            taken.ending = .failed
            taken.message = span.message.bytes.map { texts.number(of: $0) } ?? InternedTexts.empty
        }
        for attribute in span.attributes.list {
            let (key, value) = (attribute.key, attribute.value)
            if key.equals(OTLPWords.identifier) {
                taken.identifier = value.identifier
            } else if key.equals(OTLPWords.name) {
                taken.name = value.bytes.map { texts.number(ofName: $0) }
            } else if key.equals(OTLPWords.outcome) {
                if value.equals("cancelled") { taken.ending = .cancelled }
                if value.equals("unfinished") { taken.end = nil }
            } else if key.equals(OTLPWords.queue) {
                taken.queue = value.identifier
            } else if key.equals(OTLPWords.queueName) {
                taken.queueName = value.bytes.map { texts.number(of: $0) }
            } else if key.equals(OTLPWords.priority) {
                taken.priority = value.number(radix: 10) ?? 0
            } else if key.equals(OTLPWords.finishedNotBefore) {
                taken.endNotBefore = value.number(radix: 10)
            } else if key.equals("thread.id") {
                taken.thread = value.number(radix: 10) ?? 0
            } else if key.equals("thread.name"), taken.queueName == nil {
                taken.queueName = value.bytes.map { texts.number(of: $0) }
            }
        }
    }

    private mutating func takeEvents(_ span: otlp_span, _ taken: inout Span) {
        for event in UnsafeBufferPointer(start: span.events, count: span.event_count) {
            guard let time: Int64 = event.time.number(radix: 10), time >= 0,
                let type = Self.type(of: event, isOwn: taken.identifier != nil)
            else { continue }
            var own = Event(type: type, time: time)
            if type == .mark {
                own.text = event.name.bytes.map { texts.number(of: $0) } ?? InternedTexts.empty
            }
            for attribute in event.attributes.list {
                if attribute.key.equals(OTLPWords.notBefore) {
                    own.notBefore = attribute.value.number(radix: 10)
                } else if attribute.key.equals(OTLPWords.mark) {
                    own.text = attribute.value.bytes.map { texts.number(of: $0) } ?? InternedTexts.empty
                }
            }
            events.append(own)
        }
        taken.events = taken.events.lowerBound..<events.count
    }

    /// Of our own spans the waits are left out: they follow from the rest. What happened in others is a mark.
    private static func type(of event: otlp_event, isOwn: Bool) -> RecordType? {
        guard isOwn else { return .mark }
        return switch event.name.string {
        case "ready": .ready
        case "executing": .executing
        case "body_began": .bodyBegan
        case "cancelled": .cancelled
        case "body_ended": .bodyEnded
        case "mark": .mark
        default: nil
        }
    }
}

extension OTLPSpans.Key {
    /// Nil for what is no identifier: zeros alone are none.
    fileprivate init?(trace: trace_text, span: trace_text) {
        guard trace.length == 32, let start = trace.start, let span = span.hexadecimal(digits: 16),
            let high = trace_text(start: start, length: 16).hexadecimal(digits: 16),
            let low = trace_text(start: start + 16, length: 16).hexadecimal(digits: 16),
            span != 0, high | low != 0
        else { return nil }
        self.init(high: high, low: low, span: span)
    }
}

extension trace_text {
    /// Exactly so many digits.
    fileprivate func hexadecimal(digits: Int) -> UInt64? {
        guard let bytes, bytes.count == digits else { return nil }
        return UInt64(hexadecimal: bytes)
    }
}

extension otlp_attributes {
    fileprivate var list: UnsafeBufferPointer<otlp_attribute> {
        UnsafeBufferPointer(start: items, count: count)
    }
}
