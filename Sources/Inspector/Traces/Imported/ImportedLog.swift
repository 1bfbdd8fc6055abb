import CLogFormat
import EventLog

/// Converts spans into an event log: spans become operations, and their links become dependencies.
///
/// Spans that this project wrote have their own transitions, and state their waits. Other spans count as
/// enqueued and started when they began; their queue is their thread or their service.
struct ImportedLog {
    private struct QueueKey: Hashable {
        var process: Int32
        var queue: UInt64?
        var name: InternedTexts.Number?
    }

    private let spans: ImportedSpans
    /// Whether all spans belong to one run of this project. They then keep their identifiers.
    let keepsIdentifiers: Bool
    private let threads: ThreadNumbers
    /// For each process, what caused it as a whole.
    private let processCauses: [TraceContext?]
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    let origin: Int64
    private var queues = ImportedQueues()
    private var queueNumbers: [QueueKey: UInt64] = [:]
    private(set) var texts: InternedTexts
    private(set) var eventCount = 0
    /// Links to spans that had not ended when the linking span began, so they are not dependencies.
    private(set) var contrary = 0
    /// Parents and links to spans that are not in the file: causes in other processes.
    private(set) var outside = 0

    init(_ spans: ImportedSpans) {
        self.spans = spans
        texts = spans.texts
        let resources = spans.processes.resources
        if resources.contains(where: \.isUndated) {
            origin = ProcessAttributeNames.undatedStart
        } else {
            origin =
                resources.lazy.compactMap(\.start).min() ?? spans.spans.lazy.map(\.start).min() ?? 0
        }
        var identifiers = Set<UInt64>()
        keepsIdentifiers =
            spans.spans.allSatisfy { span in
                span.queue != nil && span.key.low == spans.spans[0].key.low
                    && span.identifier.map {
                        !OperationID($0).isTask && identifiers.insert($0).inserted
                    } ?? false
            } && resources.allSatisfy { $0.run == resources[0].run }
        threads = ThreadNumbers(
            spans.spans.lazy.compactMap { span in span.thread.map { (span.process, $0) } }, spans.texts)
        processCauses = resources.map { $0.traceparent.flatMap { TraceContext(traceparent: $0) } }
    }

    /// Passes the events to `consumer`, ordered by time. O(n log n).
    mutating func write(to consumer: any EventConsumer) {
        // The order of events at the same time: queues first, then each operation from its enqueue to its
        // finish.
        enum Step: UInt8 { case queue, enqueued, slotFree, event, finished }
        var steps: [(time: Int64, span: Int32, step: Step, event: Int32)] = []
        steps.reserveCapacity(2 * spans.spans.count + spans.events.count)
        openQueues()
        for (index, change) in queues.changes.enumerated() {
            steps.append((change.time, -1, .queue, Int32(index)))
        }
        for (index, span) in spans.spans.enumerated() {
            steps.append((span.start, Int32(index), .enqueued, 0))
            for event in span.events {
                steps.append((spans.events[event].time, Int32(index), .event, Int32(event)))
            }
            if let free = span.slotFree { steps.append((free, Int32(index), .slotFree, 0)) }
            if let end = span.end { steps.append((end, Int32(index), .finished, 0)) }
        }
        steps.sort {
            ($0.time, $0.span, $0.step.rawValue, $0.event) < ($1.time, $1.span, $1.step.rawValue, $1.event)
        }
        giveProcessCauses(consumer)
        for step in steps {
            guard step.span >= 0 else {
                give(queues.changes[Int(step.event)], consumer)
                continue
            }
            let span = spans.spans[Int(step.span)]
            switch step.step {
            case .queue: break
            case .enqueued: enqueue(Int(step.span), span, consumer)
            case .slotFree:
                var event = fields(.slotFree, step.time, span)
                event.subject = identifier(Int(step.span))
                give(event, consumer)
            case .event: give(spans.events[Int(step.event)], of: Int(step.span), span, consumer)
            case .finished: finish(Int(step.span), span, consumer)
            }
        }
    }

    // MARK: Queues

    /// Opens each queue once, with the settings that the file states.
    private mutating func openQueues() {
        for span in spans.spans {
            let key = QueueKey(
                process: span.process, queue: span.queue, name: span.queue == nil ? span.queueName : nil)
            let known = queueNumbers[key]
            let number = known ?? (keepsIdentifiers ? span.queue ?? 0 : UInt64(queueNumbers.count + 1))
            if known == nil {
                queueNumbers[key] = number
                queues.open(number, name(ofQueueOf: span), of: span, isOwn: span.identifier != nil)
            }
            for suspension in spans.suspensions[span.suspensions] { queues.suspend(number, suspension) }
        }
        for (process, resource) in spans.processes.resources.enumerated() {
            for line in resource.queues?.split(separator: "\n") ?? [] {
                guard let history = QueueHistory(line) else { continue }
                let key = QueueKey(process: Int32(process), queue: history.queue)
                guard let number = queueNumbers[key] else { continue }
                queues.take(history, of: number, after: resource.start ?? origin)
            }
        }
        queues.close(origin: origin)
    }

    private mutating func name(ofQueueOf span: ImportedSpans.Span) -> InternedTexts.Number {
        if let name = span.queueName { return name }
        guard span.queue == nil else { return InternedTexts.empty }
        let process = spans.processes.resources[Int(span.process)].process(origin: origin, fallback: "spans")
        return texts.number(of: process.process)
    }

    private mutating func give(_ change: ImportedQueues.Change, _ consumer: any EventConsumer) {
        var event = EventFields()
        event.type = change.type
        event.time = change.time.saturatingSubtract(origin)
        event.process = change.process
        event.subject = change.queue
        event.text = change.name
        if let limit = change.limit { event.limit = limit }
        give(event, consumer)
    }

    // MARK: Operations

    private mutating func enqueue(
        _ index: Int, _ span: ImportedSpans.Span, _ consumer: any EventConsumer
    ) {
        var event = fields(.enqueued, span.start, span)
        event.subject = identifier(index)
        event.enqueuedQueue =
            queueNumbers[
                QueueKey(
                    process: span.process, queue: span.queue, name: span.queue == nil ? span.queueName : nil)]
            ?? 0
        event.text = span.kind
        event.name = span.name
        event.priority = Int(clamping: span.priority)
        var causes: [ImportedSpans.Key] = []
        if span.parent != 0 {
            var key = span.key
            key.span = span.parent
            if let parent = spans.indexOfKey[key] {
                event.parent = identifier(Int(parent))
            } else {
                causes.append(key)
            }
        }
        for link in spans.links[span.links] {
            guard let predecessor = spans.indexOfKey[link] else {
                causes.append(link)
                continue
            }
            // The links of a task are to what resumed it, and it depends on nothing.
            if span.identifier.map({ OperationID($0).isTask }) == true { continue }
            let end = spans.spans[Int(predecessor)].end
            guard span.identifier != nil || end.map({ $0 <= span.start }) ?? false else {
                contrary += 1
                continue
            }
            event.predecessors.append(identifier(Int(predecessor)))
        }
        give(event, consumer)
        for cause in causes { giveCause(cause, of: index, span, consumer) }
        guard span.identifier == nil else { return }
        event = fields(.executing, span.start, span)
        event.subject = identifier(index)
        give(event, consumer)
    }

    private mutating func give(
        _ own: ImportedSpans.Event, of index: Int, _ span: ImportedSpans.Span, _ consumer: any EventConsumer
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

    private mutating func finish(_ index: Int, _ span: ImportedSpans.Span, _ consumer: any EventConsumer) {
        var event = fields(.finished, span.end ?? span.start, span)
        event.notBefore = span.endNotBefore?.saturatingSubtract(origin)
        event.subject = identifier(index)
        event.ending = span.ending
        event.text = span.message
        give(event, consumer)
    }

    // MARK: Causes

    private mutating func giveProcessCauses(_ consumer: any EventConsumer) {
        for (process, cause) in processCauses.enumerated() {
            guard let cause else { continue }
            var event = EventFields()
            event.type = .contextReceived
            event.process = Int32(process)
            event.time = spans.processes.resources[process].offset(from: origin)
            event.text = texts.number(of: cause.traceparent)
            give(event, consumer)
        }
    }

    /// The cause of the process as a whole is not repeated for each operation.
    private mutating func giveCause(
        _ cause: ImportedSpans.Key, of index: Int, _ span: ImportedSpans.Span, _ consumer: any EventConsumer
    ) {
        let other = TraceContext.Span(traceHigh: cause.high, traceLow: cause.low, span: cause.span)
        guard processCauses[Int(span.process)]?.span != other else { return }
        outside += 1
        var event = fields(.contextReceived, span.start, span)
        event.subject = identifier(index)
        event.text = texts.number(of: TraceContext(other).traceparent)
        give(event, consumer)
    }

    private mutating func give(_ event: EventFields, _ consumer: any EventConsumer) {
        eventCount += 1
        consumer.consume(event, texts)
    }

    private func fields(_ type: RecordType, _ time: Int64, _ span: ImportedSpans.Span) -> EventFields {
        var event = EventFields()
        event.type = type
        event.time = time.saturatingSubtract(origin)
        event.process = span.process
        event.thread = span.thread.map { threads.number(of: $0, in: span.process) } ?? 0
        return event
    }

    private func identifier(_ span: Int) -> UInt64 {
        keepsIdentifiers ? spans.spans[span].identifier ?? 0 : UInt64(span) + 1
    }
}
