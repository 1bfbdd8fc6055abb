import CLogFormat
import CTraceJSON
import EventLog
import InspectorColumns

/// The events of a Chrome trace that this project exported. Each operation is stored in the arguments of one
/// event (``ChromeArguments``). All other events are for viewers.
struct ExportedEvents {
    private var spans = ImportedSpans()
    /// Each process, by its number in events.
    private var processes: [Int32: Int] = [:]
    private var count = 0
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    private var origin: Int64 = 0
    /// The number of operations without waits, because the trace was too large for viewers.
    private var bare = 0
    /// Whether the trace had Swift tasks, of which only what viewers show is in the file.
    private var hadTasks = false

    mutating func take(process attributes: otlp_attributes) {
        let resource = SpanResource(attributes.list)
        origin = resource.start ?? ProcessAttributeNames.undatedStart
        if let number = resource.eventProcessID { processes[number] = count }
        spans.processes.take(resource, number: count)
        count += 1
    }

    mutating func take(_ event: chrome_event) {
        var arguments: [String: trace_text] = [:]
        for attribute in event.arguments.list {
            guard let key = attribute.key.string else { continue }
            arguments[key] = attribute.value
        }
        func number(_ key: String) -> Int64? { arguments[key]?.number(radix: 10) }
        func time(_ key: String) -> Int64? { number(key).map { origin.saturatingAdd($0) } }
        let process = arguments[ChromeArguments.process]?.number(radix: 10).flatMap { processes[$0] } ?? 0
        let outcome = arguments[ChromeArguments.outcome]
        guard outcome != nil || arguments[ChromeArguments.identifier] != nil else {
            if arguments[ChromeArguments.task] != nil { hadTasks = true }
            return
        }
        let identifier = outcome == nil ? nil : arguments[ChromeArguments.identifier]?.identifier
        let isBare = arguments[ChromeArguments.enqueued] == nil
        let shown = event.timestamp.bytes.flatMap(LogTimestamp.nanoseconds)
        guard
            let start = isBare ? shown.map({ origin.saturatingAdd($0) }) : time(ChromeArguments.enqueued)
        else {
            spans.leaveOutWithoutStart(at: event.offset)
            return
        }
        let length = event.duration.bytes.flatMap(LogTimestamp.nanoseconds)
        let end = isBare ? length.map { start.saturatingAdd($0) } : time(ChromeArguments.finished)
        guard
            let index = spans.begin(
                identifier.map(Self.key), resource: process, start: start, end: end, at: event.offset)
        else { return }
        if isBare { bare += 1 }
        var span = spans.spans[index]
        span.identifier = identifier
        func text(_ key: String) -> InternedTexts.Number? {
            arguments[key]?.bytes.map { spans.texts.number(of: $0) }
        }
        span.kind = text(ChromeArguments.kind) ?? InternedTexts.unknown
        span.name = event.own_name.bytes.map { spans.texts.number(ofName: $0) }
        span.queue = arguments[ChromeArguments.queue]?.identifier
        span.queueName = text(ChromeArguments.queueName)
        span.thread = text(ChromeArguments.thread)
        span.priority = number(ChromeArguments.priority) ?? 0
        span.message = text(ChromeArguments.message) ?? InternedTexts.empty
        if let parent = arguments[ChromeArguments.parent]?.identifier { span.parent = parent &+ 1 }
        switch outcome?.string {
        case "failed": span.ending = .failed
        case "cancelled": span.ending = .cancelled
        case "unfinished": spans.leaveOpen(&span)
        default: break
        }
        span.endNotBefore = time(ChromeArguments.finished + ChromeArguments.notBefore)
        span.slotFree = time(ChromeArguments.slotFree)
        spans.spans[index] = span
        for (key, type) in ChromeArguments.transitions {
            guard let moment = time(key) else { continue }
            spans.events.append(
                ImportedSpans.Event(
                    type: type, time: moment, notBefore: time(key + ChromeArguments.notBefore)))
        }
        if isBare { spans.events.append(ImportedSpans.Event(type: .executing, time: start)) }
        for word in arguments[ChromeArguments.predecessors]?.string?.split(separator: " ") ?? [] {
            guard let predecessor = UInt64(hexadecimal: word.dropFirst(2).utf8) else { continue }
            spans.links.append(Self.key(predecessor))
        }
        spans.end(index)
    }

    /// A key that identifies the operation; it has no other meaning.
    private static func key(_ identifier: UInt64) -> ImportedSpans.Key {
        ImportedSpans.Key(high: 0, low: 1, span: identifier &+ 1)
    }

    /// - Returns: nil if the file has no operations.
    func read(into consumer: any EventConsumer, named name: String, _ result: trace_result) -> ReadLog? {
        guard !spans.spans.isEmpty else { return nil }
        let waits = bare == 0 ? "" : "; waits of \(Prose.counted(bare, "operation")) are not in it"
        return ImportedTrace(spans).read(
            into: consumer, named: name,
            meaning:
                "this Chrome trace was exported for viewers; "
                + (hadTasks ? "tasks, " : "") + "marks and causes in other processes are not in it\(waits)",
            result, of: "operation")
    }
}
