import CTraceJSON
import EventLog

/// What an event of a JSON log turned out to be.
enum JSONEventDecoding {
    case event
    /// Of a sort that this version does not know.
    case unknown
    /// Without what all of its sort have: `queue`.
    case damaged(lack: String)
}

extension EventFields {
    /// Becomes the event, where it is one.
    mutating func take(_ event: trace_event, _ texts: inout InternedTexts) -> JSONEventDecoding {
        clearOptionals()
        guard let type = RecordType(event) else { return .unknown }
        guard let time = event.timestamp.trimmedBytes.flatMap(LogTimestamp.nanoseconds) else {
            return .damaged(lack: "time that can be read")
        }
        self.type = type
        self.time = time
        thread = event.thread
        if let text = event.not_before.bytes {
            guard let start = LogTimestamp.nanoseconds(ofMicroseconds: text) else {
                return .damaged(lack: "beginning that can be read")
            }
            notBefore = start
        }
        return if event.category.equals("op") {
            takeOperation(event, &texts)
        } else if event.category.equals("queue") {
            takeQueue(event, &texts)
        } else {
            takeThread(event, &texts)
        }
    }

    private mutating func takeOperation(
        _ event: trace_event, _ texts: inout InternedTexts
    ) -> JSONEventDecoding {
        guard let operation = event.identifier.identifier, type != .contextReceived || operation != 0 else {
            return .damaged(lack: "operation")
        }
        subject = operation
        switch type {
        case .enqueued:
            guard let queue = event.queue.identifier, queue != 0 else { return .damaged(lack: "queue") }
            self.queue = queue
            for text in UnsafeBufferPointer(start: event.dependencies, count: event.dependency_count) {
                guard let predecessor = text.identifier else {
                    return .damaged(lack: "dependencies that can be read")
                }
                predecessors.append(predecessor)
            }
            parent = event.parent.identifier
            number = Int(clamping: event.priority)
            origin = event.origin.bytes.map { texts.number(of: $0) }
            takeKindAndName(event, &texts)
        case .sighted: takeKindAndName(event, &texts)
        case .dependencyAdded, .dependencyRemoved:
            guard let predecessor = event.predecessor.identifier else {
                return .damaged(lack: "predecessor")
            }
            predecessors.append(predecessor)
        case .finished:
            text = InternedTexts.empty
            if event.outcome.equals("succeeded") {
                ending = .succeeded
            } else if event.outcome.equals("cancelled") {
                ending = .cancelled
            } else if event.outcome.equals("failed") {
                ending = .failed
                text = event.message.bytes.map { texts.number(of: $0) } ?? InternedTexts.empty
            } else {
                return event.outcome.bytes == nil ? .damaged(lack: "outcome") : .unknown
            }
        case .contextReceived: return takeContext(event, &texts)
        default: break
        }
        return .event
    }

    private mutating func takeContext(
        _ event: trace_event, _ texts: inout InternedTexts
    ) -> JSONEventDecoding {
        guard let traceparent = event.traceparent.bytes else { return .damaged(lack: "traceparent") }
        text = texts.number(of: traceparent)
        return .event
    }

    private mutating func takeKindAndName(_ event: trace_event, _ texts: inout InternedTexts) {
        text = event.name.bytes.map { texts.number(of: $0) } ?? InternedTexts.unknown
        name = event.own_name.bytes.map { texts.number(ofName: $0) }
    }

    private mutating func takeQueue(
        _ event: trace_event, _ texts: inout InternedTexts
    ) -> JSONEventDecoding {
        guard let queue = event.queue.identifier else { return .damaged(lack: "queue") }
        subject = queue
        text = event.own_name.bytes.map { texts.number(of: $0) } ?? InternedTexts.empty
        isSuspended = event.is_suspended
        if event.has_limit {
            number = Int(clamping: event.limit)
        } else if type == .queueOpened || type == .limitChanged {
            return .damaged(lack: "limit")
        }
        return .event
    }

    /// A mark or a blocking wait.
    private mutating func takeThread(
        _ event: trace_event, _ texts: inout InternedTexts
    ) -> JSONEventDecoding {
        parent = event.operation.identifier
        switch type {
        case .contextReceived:
            subject = 0
            return takeContext(event, &texts)
        case .mark:
            guard let mark = event.text.bytes else { return .damaged(lack: "text") }
            text = texts.number(of: mark)
        case .waitForOperation:
            if let operation = event.on.identifier {
                subject = operation
            } else if let queue = event.queue.identifier {
                type = .waitForQueue
                subject = queue
            } else {
                return .damaged(lack: "operation and no queue that it waits for")
            }
        default: break
        }
        return .event
    }
}

extension RecordType {
    /// What an event's category and its `event` say together; a wait for a queue is one for an operation so far.
    fileprivate init?(_ event: trace_event) {
        let type: RecordType? =
            if event.category.equals("op") {
                Self.ofOperation(event.event)
            } else if event.category.equals("queue") {
                Self.ofQueue(event.event)
            } else if event.category.equals("mark") || event.category.equals("wait") {
                Self.ofThread(event.event)
            } else if event.category.equals("process") {
                event.event.equals("contextReceived") ? .contextReceived : nil
            } else {
                nil
            }
        guard let type else { return nil }
        self = type
    }

    /// The most frequent first.
    private static func ofOperation(_ word: trace_text) -> RecordType? {
        if word.equals("ready") { return .ready }
        if word.equals("executing") { return .executing }
        if word.equals("finished") { return .finished }
        if word.equals("enqueued") { return .enqueued }
        if word.equals("bodyBegan") { return .bodyBegan }
        if word.equals("bodyEnded") { return .bodyEnded }
        if word.equals("dependency") { return .dependencyAdded }
        if word.equals("dependencyRemoved") { return .dependencyRemoved }
        if word.equals("cancelled") { return .cancelled }
        if word.equals("slotFree") { return .slotFree }
        if word.equals("contextSent") { return .contextSent }
        if word.equals("contextReceived") { return .contextReceived }
        if word.equals("unnotifiedFinish") { return .unnotifiedFinish }
        return word.equals("sighted") ? .sighted : nil
    }

    private static func ofQueue(_ word: trace_text) -> RecordType? {
        if word.equals("opened") { return .queueOpened }
        if word.equals("renamed") { return .queueRenamed }
        if word.equals("suspended") { return .suspended }
        if word.equals("resumed") { return .resumed }
        if word.equals("limit") { return .limitChanged }
        return word.equals("allCancelled") ? .allCancelled : nil
    }

    private static func ofThread(_ word: trace_text) -> RecordType? {
        if word.equals("mark") { return .mark }
        if word.equals("waitBegan") { return .waitForOperation }
        return word.equals("waitEnded") ? .waitEnded : nil
    }
}
