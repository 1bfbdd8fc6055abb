import CLogFormat
import CTraceJSON
import EventLog
import InspectorColumns

/// The spans of an OpenTelemetry trace, or the operations of a Chrome trace that this project exported, as
/// they were read: numbers and interned texts. Spans without a unique identifier or without possible times
/// are counted and left out.
struct ImportedSpans {
    /// OpenTelemetry's identifier of a span.
    struct Key: Hashable {
        var (high, low): (UInt64, UInt64)
        var span: UInt64
    }

    struct Event {
        /// A transition, or a mark.
        var type: RecordType
        var time: Int64
        var notBefore: Int64?
        /// The text of a mark.
        var text = InternedTexts.empty
    }

    struct Span {
        var key: Key
        /// 0 if it has no parent.
        var parent: UInt64 = 0
        /// Index into the processes.
        var process: Int32
        var kind: InternedTexts.Number
        var name: InternedTexts.Number?
        var queue: UInt64?
        var queueName: InternedTexts.Number?
        /// Nanoseconds since 1970-01-01T00:00:00Z.
        var start: Int64
        /// Nil if it did not end.
        var end: Int64?
        var endNotBefore: Int64?
        /// The identifier that this project's exporter wrote.
        var identifier: UInt64?
        /// The thread's name in the file; nil if the file does not say.
        var thread: InternedTexts.Number?
        var priority: Int64 = 0
        var ending = EventFields.Ending.succeeded
        var message = InternedTexts.empty
        /// Until when it waited for a slot, if the file says so.
        var slotFree: Int64?
        /// Ranges in `events`, `links` and `suspensions`.
        var events: Range<Int>
        var links: Range<Int>
        var suspensions: Range<Int>
    }

    var spans: [Span] = []
    var events: [Event] = []
    var links: [Key] = []
    /// When operations waited because their queue was suspended.
    var suspensions: [Range<Int64>] = []
    var processes = SpanProcesses()
    var texts = InternedTexts()
    var unkept = UnkeptParts()
    private(set) var origins = SpanOrigins()
    /// The end of the trace, which files also use as the end of unfinished spans.
    var lastMoment: Int64?
    private(set) var indexOfKey: [Key: Int32] = [:]

    /// Counts spans without identifiers, with an identifier that is already used, without a start, and with
    /// an end before their start.
    private(set) var nameless = LeftOutEvents()
    private(set) var colliding = LeftOutEvents()
    private(set) var timeless = LeftOutEvents()
    private(set) var negative = LeftOutEvents()

    /// What the first span lacks, if no span can be used.
    var refusal: (offset: UInt64, reason: String)? {
        let lacks = [
            (nameless, "identifiers of 32 and 16 hexadecimal digits"),
            (timeless, "a start in nanoseconds since 1970"),
            (negative, "an end that is not before the start"),
        ].filter { $0.0.count > 0 }
        guard let (first, lack) = lacks.min(by: { $0.0.first ?? 0 < $1.0.first ?? 0 }) else { return nil }
        let count = lacks.reduce(0) { $0 + $1.0.count }
        return (first.first ?? 0, "cannot use its \(Prose.counted(count, "span")): expected \(lack)")
    }

    mutating func take(resource: Int, _ attributes: otlp_attributes) {
        let description = SpanResource(attributes.list)
        // A file repeats the resources of its processes.
        if processes.take(description, number: resource) { unkept.addAttributes(description.unused) }
    }

    mutating func take(_ span: otlp_span) {
        guard let start: Int64 = span.start.number(radix: 10), start >= 0 else {
            leaveOutWithoutStart(at: span.offset)
            return
        }
        var end: Int64? = span.end.number(radix: 10)
        // Writers put 0 for an unknown end.
        if end == 0, start > 0 { end = nil }
        guard
            let index = begin(
                Key(trace: span.trace, span: span.span), resource: span.resource, start: start, end: end,
                at: span.offset)
        else { return }
        spans[index].parent = span.parent.hexadecimal(digits: 16) ?? 0
        if let name = span.name.bytes { spans[index].kind = texts.number(of: name) }
        unkept.take(kind: span.kind)
        var taken = spans[index]
        takeAttributes(span, &taken)
        spans[index] = taken
        takeOrigin(span, taken)
        takeEvents(span, index)
        for link in UnsafeBufferPointer(start: span.links, count: span.link_count) {
            if let key = Key(trace: link.trace, span: link.span) { links.append(key) }
        }
        self.end(index)
    }

    /// Begins a span. Its events, links and suspensions follow; `end(_:)` closes it. Nil if it is left out.
    ///
    /// - Parameter offset: the span's offset in the file.
    mutating func begin(_ key: Key?, resource: Int, start: Int64, end: Int64?, at offset: UInt64) -> Int? {
        guard let key else {
            nameless.add(at: offset)
            return nil
        }
        guard end ?? start >= start else {
            negative.add(at: offset)
            return nil
        }
        guard indexOfKey[key] == nil else {
            colliding.add(at: offset)
            return nil
        }
        indexOfKey[key] = Int32(spans.count)
        spans.append(
            Span(
                key: key, process: processes.process(ofResource: resource), kind: InternedTexts.unknown,
                start: start, end: end, events: events.count..<events.count, links: links.count..<links.count,
                suspensions: suspensions.count..<suspensions.count))
        return spans.count - 1
    }

    mutating func leaveOutWithoutStart(at offset: UInt64) { timeless.add(at: offset) }

    mutating func end(_ index: Int) {
        spans[index].events = spans[index].events.lowerBound..<events.count
        spans[index].links = spans[index].links.lowerBound..<links.count
        spans[index].suspensions = spans[index].suspensions.lowerBound..<suspensions.count
    }

    /// Marks a span that was still running when the trace ended.
    mutating func leaveOpen(_ span: inout Span) {
        if let end = span.end { lastMoment = max(lastMoment ?? end, end) }
        span.end = nil
    }

    // MARK: Reading

    private mutating func takeAttributes(_ span: otlp_span, _ taken: inout Span) {
        if span.status.equals("2") || span.status.equals("STATUS_CODE_ERROR") {
            taken.ending = .failed
            taken.message = span.message.bytes.map { texts.number(of: $0) } ?? InternedTexts.empty
        }
        for attribute in span.attributes.list {
            let (key, value) = (attribute.key, attribute.value)
            if key.equals(OTLPAttributeNames.identifier) {
                taken.identifier = value.identifier
            } else if key.equals(OTLPAttributeNames.name) {
                taken.name = value.bytes.map { texts.number(ofName: $0) }
            } else if key.equals(OTLPAttributeNames.outcome) {
                if value.equals("cancelled") { taken.ending = .cancelled }
                if value.equals("unfinished") { leaveOpen(&taken) }
            } else if key.equals(OTLPAttributeNames.slotFree) {
                taken.slotFree = value.number(radix: 10)
            } else if key.equals(OTLPAttributeNames.queue) {
                taken.queue = value.identifier
            } else if key.equals(OTLPAttributeNames.queueName) {
                taken.queueName = value.bytes.map { texts.number(of: $0) }
            } else if key.equals(OTLPAttributeNames.priority) {
                taken.priority = value.number(radix: 10) ?? 0
            } else if key.equals(OTLPAttributeNames.finishedNotBefore) {
                taken.endNotBefore = value.number(radix: 10)
            } else if key.equals("thread.id") {
                taken.thread = value.bytes.map { texts.number(of: $0) }
            } else if key.equals("thread.name"), taken.queueName == nil {
                taken.queueName = value.bytes.map { texts.number(of: $0) }
            } else if key.bytes?.starts(with: OTLPAttributeNames.prefix.utf8) == false {
                unkept.addAttributes(1)
            }
        }
    }

    /// Spans that this project wrote are written again from the trace.
    private mutating func takeOrigin(_ span: otlp_span, _ taken: Span) {
        origins.add(
            TraceContext.Span(traceHigh: taken.key.high, traceLow: taken.key.low, span: taken.key.span),
            parent: taken.parent, isOfAnotherProgram: taken.identifier == nil)
        guard taken.identifier == nil else { return }
        for attribute in span.attributes.list {
            guard let key = attribute.key.bytes, let value = attribute.written.bytes,
                !key.starts(with: OTLPAttributeNames.prefix.utf8)
            else { continue }
            origins.add(attribute: (texts.number(of: key), texts.number(of: value)))
        }
        for member in span.members.list {
            guard let key = member.key.bytes, let value = member.written.bytes else { continue }
            origins.add(member: (texts.number(of: key), texts.number(of: value)))
        }
    }

    private mutating func takeEvents(_ span: otlp_span, _ index: Int) {
        let isOwn = spans[index].identifier != nil
        let isSlotStated = spans[index].slotFree != nil
        for event in UnsafeBufferPointer(start: span.events, count: span.event_count) {
            guard let time: Int64 = event.time.number(radix: 10), time >= 0 else { continue }
            let type = isOwn ? Self.transition(event.name) : .mark
            var own = Event(type: type ?? .mark, time: time)
            if type == .mark {
                own.text = event.name.bytes.map { texts.number(of: $0) } ?? InternedTexts.empty
            }
            var duration: Int64?
            for attribute in event.attributes.list {
                if attribute.key.equals(OTLPAttributeNames.notBefore) {
                    own.notBefore = attribute.value.number(radix: 10)
                } else if attribute.key.equals(OTLPAttributeNames.mark) {
                    own.text = attribute.value.bytes.map { texts.number(of: $0) } ?? InternedTexts.empty
                } else if attribute.key.equals(OTLPAttributeNames.duration) {
                    duration = attribute.value.number(radix: 10)
                } else {
                    unkept.addAttributes(1)
                }
            }
            if type != nil {
                events.append(own)
            } else if let duration, duration > 0 {
                takeWait(
                    event.name, from: time, to: time.saturatingAdd(duration), index,
                    isSlotStated: isSlotStated)
            }
        }
    }

    /// A wait for a slot, or for a thread, tells when a slot was free. The dependency wait follows from the
    /// transitions.
    private mutating func takeWait(
        _ name: trace_text, from start: Int64, to end: Int64, _ index: Int, isSlotStated: Bool
    ) {
        if name.equals("suspended wait") {
            suspensions.append(start..<end)
        } else if isSlotStated {
            return
        } else if name.equals("slot wait") {
            spans[index].slotFree = max(spans[index].slotFree ?? end, end)
        } else if name.equals("dispatch wait") {
            spans[index].slotFree = spans[index].slotFree ?? start
        }
    }

    /// Nil for an event that is neither a transition nor a mark. Events of other programs' spans are always
    /// marks.
    private static func transition(_ name: trace_text) -> RecordType? {
        switch name.string {
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

extension ImportedSpans.Key {
    /// Nil if a text is not an identifier. Identifiers must not be all zeros.
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
    /// Requires exactly `digits` digits.
    fileprivate func hexadecimal(digits: Int) -> UInt64? {
        guard let bytes, bytes.count == digits else { return nil }
        return UInt64(hexadecimal: bytes)
    }
}

extension otlp_attributes {
    var list: UnsafeBufferPointer<otlp_attribute> {
        UnsafeBufferPointer(start: items, count: count)
    }
}
