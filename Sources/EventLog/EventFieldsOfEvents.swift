// Events as values, out of numbers and back.

/// Keeps the events of a log as values.
package final class EventCollector: EventConsumer {
    private var events: [LogEvent] = []
    /// By number: the texts asked for so far, so that events share them.
    private var strings: [String?] = []

    package init() {}

    package func contents(_ log: ReadLog) -> EventLogContents {
        EventLogContents(header: log.header, events: events, losses: log.losses, notes: log.notes)
    }

    package func consume(_ event: EventFields, _ texts: InternedTexts) {
        let body = body(of: event, texts)
        events.append(
            LogEvent(
                time: event.time, notBefore: event.notBefore, thread: event.thread,
                process: Int(event.process), body))
    }

    private func text(_ number: InternedTexts.Number, _ texts: InternedTexts) -> String {
        let index = Int(number)
        if index >= strings.count {
            strings.append(contentsOf: repeatElement(nil, count: index + 1 - strings.count))
        }
        if let known = strings[index] { return known }
        let text = texts[number]
        strings[index] = text
        return text
    }

    private func body(of event: EventFields, _ texts: InternedTexts) -> LogEvent.Body {
        let operation = OperationID(event.subject)
        let queue = QueueID(event.subject)
        let parent = event.parent.map { OperationID($0) }
        switch event.type {
        case .enqueued:
            return .enqueued(
                .init(
                    operation: operation, kind: text(event.text, texts),
                    name: event.name.map { text($0, texts) }, queue: QueueID(event.queue), parent: parent,
                    dependencies: event.predecessors.map { OperationID($0) }, priority: event.number ?? 0,
                    origin: event.origin.map { text($0, texts) }))
        case .sighted:
            return .sighted(
                operation, kind: text(event.text, texts), name: event.name.map { text($0, texts) })
        case .dependencyAdded:
            return .dependencyAdded(operation, predecessor: OperationID(event.predecessors.first ?? 0))
        case .dependencyRemoved:
            return .dependencyRemoved(operation, predecessor: OperationID(event.predecessors.first ?? 0))
        case .ready: return .ready(operation)
        case .executing: return .executing(operation)
        case .cancelled: return .cancelled(operation)
        case .bodyBegan: return .bodyBegan(operation)
        case .bodyEnded: return .bodyEnded(operation)
        case .contextSent: return .contextSent(operation)
        case .unnotifiedFinish: return .unnotifiedFinish(operation)
        case .slotFree: return .slotFree(operation)
        case .contextReceived:
            return .contextReceived(
                event.subject == 0 ? nil : operation, traceparent: text(event.text, texts))
        case .finished:
            switch event.ending {
            case .succeeded: return .finished(operation, .succeeded)
            case .cancelled: return .finished(operation, .cancelled)
            case .failed: return .finished(operation, .failed(message: text(event.text, texts)))
            }
        case .queueOpened:
            return .queueOpened(
                queue, name: text(event.text, texts), limit: event.number ?? 0,
                isSuspended: event.isSuspended)
        case .queueRenamed: return .queueRenamed(queue, name: text(event.text, texts))
        case .suspended: return .suspended(queue)
        case .resumed: return .resumed(queue)
        case .limitChanged: return .limitChanged(queue, limit: event.number ?? 0)
        case .allCancelled: return .allCancelled(queue)
        case .waitForOperation: return .waitBegan(.operation(operation), by: parent)
        case .waitForQueue: return .waitBegan(.queue(queue), by: parent)
        case .waitEnded: return .waitEnded
        case .mark, .thread, .process, .anchor, .notBefore, .name, .parent, .dependency, .number, .code:
            return .marked(text(event.text, texts), by: parent)
        }
    }
}

extension EventFields {
    /// Becomes `event`; its texts go into `texts`.
    package mutating func take(_ event: LogEvent, _ texts: inout InternedTexts) {
        clearOptionals()
        time = event.time
        notBefore = event.notBefore
        thread = event.thread
        process = Int32(truncatingIfNeeded: event.process)
        switch event.body {
        case .enqueued(let enqueue):
            set(.enqueued, enqueue.operation.rawValue, texts.number(of: enqueue.kind))
            name = enqueue.name.map { texts.number(of: $0) }
            origin = enqueue.origin.map { texts.number(of: $0) }
            queue = enqueue.queue.rawValue
            parent = enqueue.parent?.rawValue
            predecessors.append(contentsOf: enqueue.dependencies.lazy.map(\.rawValue))
            number = enqueue.priority
        case .sighted(let operation, let kind, let name):
            set(.sighted, operation.rawValue, texts.number(of: kind))
            self.name = name.map { texts.number(of: $0) }
        case .dependencyAdded(let operation, let predecessor):
            set(.dependencyAdded, operation.rawValue)
            predecessors.append(predecessor.rawValue)
        case .dependencyRemoved(let operation, let predecessor):
            set(.dependencyRemoved, operation.rawValue)
            predecessors.append(predecessor.rawValue)
        case .ready(let operation): set(.ready, operation.rawValue)
        case .executing(let operation): set(.executing, operation.rawValue)
        case .cancelled(let operation): set(.cancelled, operation.rawValue)
        case .bodyBegan(let operation): set(.bodyBegan, operation.rawValue)
        case .bodyEnded(let operation): set(.bodyEnded, operation.rawValue)
        case .contextSent(let operation): set(.contextSent, operation.rawValue)
        case .unnotifiedFinish(let operation): set(.unnotifiedFinish, operation.rawValue)
        case .slotFree(let operation): set(.slotFree, operation.rawValue)
        case .contextReceived(let operation, let traceparent):
            set(.contextReceived, operation?.rawValue ?? 0, texts.number(of: traceparent))
        case .finished(let operation, let outcome):
            switch outcome {
            case .succeeded: ending = .succeeded
            case .cancelled: ending = .cancelled
            case .failed: ending = .failed
            }
            let message = if case .failed(let message) = outcome { message } else { "" }
            set(.finished, operation.rawValue, texts.number(of: message))
        case .queueOpened(let queue, let name, let limit, let isSuspended):
            set(.queueOpened, queue.rawValue, texts.number(of: name))
            number = limit
            self.isSuspended = isSuspended
        case .queueRenamed(let queue, let name):
            set(.queueRenamed, queue.rawValue, texts.number(of: name))
        case .suspended(let queue): set(.suspended, queue.rawValue)
        case .resumed(let queue): set(.resumed, queue.rawValue)
        case .limitChanged(let queue, let limit):
            set(.limitChanged, queue.rawValue)
            number = limit
        case .allCancelled(let queue): set(.allCancelled, queue.rawValue)
        case .marked(let mark, let operation):
            set(.mark, 0, texts.number(of: mark))
            parent = operation?.rawValue
        case .waitBegan(let target, let operation):
            switch target {
            case .operation(let id): set(.waitForOperation, id.rawValue)
            case .queue(let id): set(.waitForQueue, id.rawValue)
            }
            parent = operation?.rawValue
        case .waitEnded: set(.waitEnded, 0)
        }
    }

    private mutating func set(
        _ type: RecordType, _ subject: UInt64, _ text: InternedTexts.Number = InternedTexts.empty
    ) {
        self.type = type
        self.subject = subject
        self.text = text
    }
}
