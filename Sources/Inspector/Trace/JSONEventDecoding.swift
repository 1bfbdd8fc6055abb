import CTraceJSON
import EventLog

extension EventFields {
    /// Becomes the event. False for one that this version does not know, or that lacks what it needs.
    mutating func take(_ event: trace_event, _ texts: inout InternedTexts) -> Bool {
        clearOptionals()
        guard let type = RecordType(event),
            let time = event.timestamp.trimmedBytes.flatMap(LogTimestamp.nanoseconds)
        else { return false }
        self.type = type
        self.time = time
        thread = event.thread
        if let text = event.not_before.bytes {
            guard let start = LogTimestamp.nanoseconds(ofMicroseconds: text) else { return false }
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

    private mutating func takeOperation(_ event: trace_event, _ texts: inout InternedTexts) -> Bool {
        guard let operation = event.identifier.identifier else { return false }
        subject = operation
        if type == .contextReceived, operation == 0 { return false }
        switch type {
        case .enqueued:
            guard let queue = event.queue.identifier else { return false }
            self.queue = queue
            for text in UnsafeBufferPointer(start: event.dependencies, count: event.dependency_count) {
                guard let predecessor = text.identifier else { return false }
                predecessors.append(predecessor)
            }
            parent = event.parent.identifier
            number = Int(clamping: event.priority)
            origin = event.origin.bytes.map { texts.number(of: $0) }
            takeKindAndName(event, &texts)
        case .sighted: takeKindAndName(event, &texts)
        case .dependencyAdded, .dependencyRemoved:
            guard let predecessor = event.predecessor.identifier else { return false }
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
                return false
            }
        case .contextReceived: return takeContext(event, &texts)
        default: break
        }
        return true
    }

    private mutating func takeContext(_ event: trace_event, _ texts: inout InternedTexts) -> Bool {
        guard let traceparent = event.traceparent.bytes else { return false }
        text = texts.number(of: traceparent)
        return true
    }

    private mutating func takeKindAndName(_ event: trace_event, _ texts: inout InternedTexts) {
        text = event.name.bytes.map { texts.number(of: $0) } ?? InternedTexts.unknown
        name = event.own_name.bytes.map { texts.number(ofName: $0) }
    }

    private mutating func takeQueue(_ event: trace_event, _ texts: inout InternedTexts) -> Bool {
        guard let queue = event.queue.identifier else { return false }
        subject = queue
        text = event.own_name.bytes.map { texts.number(of: $0) } ?? InternedTexts.empty
        isSuspended = event.is_suspended
        if event.has_limit { number = Int(clamping: event.limit) }
        return event.has_limit || type != .queueOpened && type != .limitChanged
    }

    /// A mark or a blocking wait.
    private mutating func takeThread(_ event: trace_event, _ texts: inout InternedTexts) -> Bool {
        parent = event.operation.identifier
        switch type {
        case .contextReceived:
            subject = 0
            return takeContext(event, &texts)
        case .mark:
            guard let mark = event.text.bytes else { return false }
            text = texts.number(of: mark)
        case .waitForOperation:
            if let operation = event.on.identifier {
                subject = operation
            } else if let queue = event.queue.identifier {
                type = .waitForQueue
                subject = queue
            } else {
                return false
            }
        default: break
        }
        return true
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
