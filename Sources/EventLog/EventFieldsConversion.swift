import CLogFormat

// Converts between event values and numbers.

/// Stores the events of a log as values.
package final class EventCollector: EventConsumer {
    private var events: [LogEvent] = []
    /// The texts that were used so far, by number, so that events share them.
    private var strings = ByText<String?>(absent: nil)

    package init() {}

    package func contents(_ log: ReadLog) -> EventLogContents {
        EventLogContents(header: log.header, events: events, losses: log.losses, notes: log.notes)
    }

    package func consume(_ event: EventFields, _ texts: InternedTexts) {
        let body = event.body { text($0, texts) }
        events.append(
            LogEvent(
                time: event.time, notBefore: event.notBefore, thread: event.thread,
                process: Int(event.process), body))
    }

    private func text(_ number: InternedTexts.Number, _ texts: InternedTexts) -> String {
        if let known = strings[number] { return known }
        let text = texts[number]
        strings[number] = text
        return text
    }
}

extension EventLogContents {
    /// Passes the events on as numbers. A process that is not in the header becomes the first one. Linear in
    /// events.
    ///
    /// - Returns: their texts.
    @discardableResult
    package func pass(to consumer: any EventConsumer) -> InternedTexts {
        var texts = InternedTexts()
        var fields = EventFields()
        for event in events {
            fields.take(event, &texts)
            if !header.processes.indices.contains(event.process) { fields.process = 0 }
            consumer.consume(fields, texts)
        }
        return texts
    }
}

extension EventFields {
    /// What happened.
    ///
    /// - Parameter content: returns the text for a number.
    package func body(text content: (InternedTexts.Number) -> String) -> LogEvent.Body {
        let operation = OperationID(subject)
        let subjectQueue = QueueID(subject)
        let parent = parent.map { OperationID($0) }
        switch type {
        case .enqueued:
            return .enqueued(enqueue(text: content))
        case .sighted:
            return .sighted(
                operation, kind: content(text), name: name.map(content))
        case .dependencyAdded:
            return .dependencyAdded(operation, predecessor: OperationID(predecessors.first ?? 0))
        case .dependencyRemoved:
            return .dependencyRemoved(operation, predecessor: OperationID(predecessors.first ?? 0))
        case .ready: return .ready(operation)
        case .executing: return .executing(operation)
        case .cancelled: return .cancelled(operation)
        case .bodyBegan: return .bodyBegan(operation)
        case .bodyEnded: return .bodyEnded(operation)
        case .bodyUsed:
            return .bodyUsed(operation, onCPU: timeOnCPU, waitedForCPU: timeWaited)
        case .contextSent: return .contextSent(operation)
        case .unnotifiedFinish: return .unnotifiedFinish(operation)
        case .operationSearched:
            return .operationSearched(
                .init(operation: operation, holder: content(text), unseen: name.map(content) ?? ""))
        case .slotFree: return .slotFree(operation)
        case .contextReceived:
            return .contextReceived(
                subject == 0 ? nil : operation, traceparent: content(text))
        case .finished:
            switch ending {
            case .succeeded: return .finished(operation, .succeeded)
            case .cancelled: return .finished(operation, .cancelled)
            case .failed: return .finished(operation, .failed(message: content(text)))
            }
        case .taskCreated:
            return .taskCreated(
                .init(
                    task: operation, kind: content(text), creation: .init(rawValue: choice) ?? .unstructured,
                    parent: parent, priority: taskPriority, isQueued: flag, origin: origin.map(content)))
        case .taskEnqueued: return .taskEnqueued(operation, executor: executor, by: parent, after: awaited)
        case .runBegan: return .runBegan(operation, executor: executor, name: name.map(content))
        case .runEnded:
            return .runEnded(
                operation,
                .init(
                    awaits: awaited, task: predecessors.first.map { OperationID($0) }, executor: executor,
                    place: content(text)))
        case .taskResumed: return .taskResumed(operation, by: parent, after: awaited)
        case .taskMoved: return .taskMoved(operation, executor: executor)
        case .taskCancelled: return .taskCancelled(operation, by: parent)
        case .taskSearched:
            return .taskSearched(
                .init(task: operation, holder: content(text), unseen: name.map(content) ?? ""))
        case .executorOpened:
            return .executorOpened(subjectQueue, .init(rawValue: choice) ?? .pool, name: content(text))
        case .queueOpened:
            return .queueOpened(
                subjectQueue, name: content(text), limit: limit,
                isSuspended: flag)
        case .queueRenamed: return .queueRenamed(subjectQueue, name: content(text))
        case .suspended: return .suspended(subjectQueue)
        case .resumed: return .resumed(subjectQueue)
        case .limitChanged: return .limitChanged(subjectQueue, limit: limit)
        case .allCancelled: return .allCancelled(subjectQueue)
        case .waitForOperation: return .waitBegan(.operation(operation), by: parent)
        case .waitForQueue: return .waitBegan(.queue(subjectQueue), by: parent)
        case .waitEnded: return .waitEnded
        case .leftCPU: return .leftCPU(afterNanoseconds: nanoseconds, .unknown)
        case .preempted: return .leftCPU(afterNanoseconds: nanoseconds, .preempted)
        case .blocked: return .leftCPU(afterNanoseconds: nanoseconds, .blocked)
        case .waitedForCPU: return .waitedForCPU(nanoseconds: nanoseconds)
        case .switchesLost: return .switchesLost(nanoseconds: nanoseconds)
        case .frame:
            return .frame(
                stack: count, caller: caller, function: content(text), module: name.map(content))
        case .sampled: return .sampled(stack: count, .executing)
        case .sampledInKernel: return .sampled(stack: count, .inKernel)
        case .sampledBlocked: return .sampled(stack: count, .blocked)
        case .sampling:
            return .sampling(perSecond: rate, lost: count, withoutCallers: name.map(content))
        case .mark,
            // No event has the type of a record that adds to events, or that is about the stream.
            .thread, .anchor, .notBefore, .name, .parent, .dependency, .number, .code, .process:
            return .marked(content(text), by: parent)
        }
    }

    /// Whether it is about a Swift task.
    package var isOfTask: Bool {
        switch type {
        case .taskCreated, .taskEnqueued, .runBegan, .runEnded, .taskResumed, .taskMoved, .taskCancelled,
            .taskSearched:
            true
        case .finished: subject >= LOG_FIRST_TASK
        default: false
        }
    }

    /// Whether a queue that was opened is suspended.
    package var isSuspended: Bool { flag }

    /// The executor of a task; nil for the global one.
    package var executor: QueueID? { word == 0 ? nil : QueueID(word) }

    package var awaited: LogEvent.Awaited { .init(rawValue: choice) ?? .unknown }

    /// 0 to 255, as the runtime numbers priorities.
    package var taskPriority: Int { Int(clamping: word) }

    /// The subject of an event about a thread's time. Never negative.
    package var nanoseconds: Int64 { count }

    /// A subject that is a number. Never negative.
    package var count: Int64 { Int64(clamping: subject) }

    // MARK: Values that only some events have

    // Events share storage. A debug build stops when a value is used that the event does not have.

    /// The queue of an enqueue.
    package var enqueuedQueue: UInt64 {
        get { stored(word, type == .enqueued) }
        set { word = stored(newValue, type == .enqueued) }
    }

    /// The priority of an enqueue.
    package var priority: Int {
        get { stored(number, type == .enqueued) ?? 0 }
        set { number = stored(newValue, type == .enqueued) }
    }

    /// The limit of a queue that was opened, or that got another one.
    package var limit: Int {
        get { stored(number, type == .queueOpened || type == .limitChanged) ?? 0 }
        set { number = stored(newValue, type == .queueOpened || type == .limitChanged) }
    }

    /// How many samples are taken in a second.
    package var rate: Int {
        get { stored(number, type == .sampling) ?? 0 }
        set { number = stored(newValue, type == .sampling) }
    }

    /// The stack that a frame is called from; nil for the outermost frame.
    package var caller: Int64? {
        get { stored(number, type == .frame).flatMap { $0 == 0 ? nil : Int64($0) } }
        set { number = stored(Int(newValue ?? 0), type == .frame) }
    }

    /// The nanoseconds that a body was on processors. Never negative.
    package var timeOnCPU: Int64 {
        get { Int64(clamping: stored(word, type == .bodyUsed)) }
        set { word = stored(UInt64(max(0, newValue)), type == .bodyUsed) }
    }

    /// The nanoseconds that a body waited for processors. Never negative; nil if that is not known.
    package var timeWaited: Int64? {
        get { stored(number, type == .bodyUsed).map { max(0, Int64($0)) } }
        set { number = stored(newValue.map { Int($0) }, type == .bodyUsed) }
    }

    private func stored<Value>(_ value: Value, _ isOfEvent: Bool) -> Value {
        assert(isOfEvent, "event \(type.rawValue) does not have this value")
        return value
    }

    /// Becomes `event`, and adds its texts to `texts`.
    package mutating func take(_ event: LogEvent, _ texts: inout InternedTexts) {
        take(event.body) { texts.number(of: $0) }
        time = event.time
        notBefore = event.notBefore
        thread = event.thread
        process = Int32(truncatingIfNeeded: event.process)
    }

    /// Sets what happened.
    ///
    /// - Parameter text: returns the number for a text.
    package mutating func take(_ body: LogEvent.Body, text number: (String) -> UInt32) {
        clearOptionals()
        switch body {
        case .enqueued(let enqueue):
            type = .enqueued
            take(enqueue, text: number)
        case .sighted(let operation, let kind, let name):
            set(.sighted, operation.rawValue, number(kind))
            self.name = name.map(number)
        case .dependencyAdded(let operation, let predecessor):
            set(.dependencyAdded, operation.rawValue)
            predecessors.append(predecessor.rawValue)
        case .dependencyRemoved(let operation, let predecessor):
            set(.dependencyRemoved, operation.rawValue)
            predecessors.append(predecessor.rawValue)
        case .ready(let operation): set(.ready, operation.rawValue)
        case .executing(let operation): set(.executing, operation.rawValue)
        case .cancelled(let operation): set(.cancelled, operation.rawValue)
        case .taskSearched(let search):
            set(.taskSearched, search.task.rawValue, number(search.holder))
            if !search.unseen.isEmpty { name = number(search.unseen) }
        case .operationSearched(let search):
            set(.operationSearched, search.operation.rawValue, number(search.holder))
            if !search.unseen.isEmpty { name = number(search.unseen) }
        case .taskCancelled(let task, let by):
            set(.taskCancelled, task.rawValue)
            parent = by?.rawValue
        case .taskCreated(let creation):
            set(.taskCreated, creation.task.rawValue, number(creation.kind))
            choice = creation.creation.rawValue
            parent = creation.parent?.rawValue
            word = UInt64(clamping: min(creation.priority, 255))
            flag = creation.isQueued
            origin = creation.origin.map(number)
        case .taskEnqueued(let task, let executor, let by, let awaited):
            set(.taskEnqueued, task.rawValue)
            (word, parent, choice) = (executor?.rawValue ?? 0, by?.rawValue, awaited.rawValue)
        case .runBegan(let task, let executor, let name):
            set(.runBegan, task.rawValue)
            word = executor?.rawValue ?? 0
            self.name = name.map(number)
        case .runEnded(let task, let suspension):
            set(.runEnded, task.rawValue, number(suspension.place))
            choice = suspension.awaits.rawValue
            word = suspension.executor?.rawValue ?? 0
            if let awaited = suspension.task { predecessors.append(awaited.rawValue) }
        case .taskResumed(let task, let by, let awaited):
            set(.taskResumed, task.rawValue)
            (parent, choice) = (by?.rawValue, awaited.rawValue)
        case .taskMoved(let task, let executor):
            set(.taskMoved, task.rawValue)
            word = executor?.rawValue ?? 0
        case .executorOpened(let executor, let kind, let name):
            set(.executorOpened, executor.rawValue, number(name))
            choice = kind.rawValue
        case .bodyBegan(let operation): set(.bodyBegan, operation.rawValue)
        case .bodyEnded(let operation): set(.bodyEnded, operation.rawValue)
        case .bodyUsed(let operation, let time, let wait):
            set(.bodyUsed, operation.rawValue)
            timeOnCPU = time
            timeWaited = wait
        case .contextSent(let operation): set(.contextSent, operation.rawValue)
        case .unnotifiedFinish(let operation): set(.unnotifiedFinish, operation.rawValue)
        case .slotFree(let operation): set(.slotFree, operation.rawValue)
        case .contextReceived(let operation, let traceparent):
            set(.contextReceived, operation?.rawValue ?? 0, number(traceparent))
        case .finished(let operation, let outcome):
            switch outcome {
            case .succeeded: ending = .succeeded
            case .cancelled: ending = .cancelled
            case .failed: ending = .failed
            }
            let message = if case .failed(let message) = outcome { message } else { "" }
            set(.finished, operation.rawValue, number(message))
        case .queueOpened(let queue, let name, let limit, let isSuspended):
            set(.queueOpened, queue.rawValue, number(name))
            self.limit = limit
            flag = isSuspended
        case .queueRenamed(let queue, let name):
            set(.queueRenamed, queue.rawValue, number(name))
        case .suspended(let queue): set(.suspended, queue.rawValue)
        case .resumed(let queue): set(.resumed, queue.rawValue)
        case .limitChanged(let queue, let limit):
            set(.limitChanged, queue.rawValue)
            self.limit = limit
        case .allCancelled(let queue): set(.allCancelled, queue.rawValue)
        case .marked(let mark, let operation):
            set(.mark, 0, number(mark))
            parent = operation?.rawValue
        case .waitBegan(let target, let operation):
            switch target {
            case .operation(let id): set(.waitForOperation, id.rawValue)
            case .queue(let id): set(.waitForQueue, id.rawValue)
            }
            parent = operation?.rawValue
        case .waitEnded: set(.waitEnded, 0)
        case .leftCPU(let length, let departure):
            let type: RecordType =
                switch departure {
                case .unknown: .leftCPU
                case .preempted: .preempted
                case .blocked: .blocked
                }
            set(type, UInt64(max(0, length)))
        case .waitedForCPU(let length): set(.waitedForCPU, UInt64(max(0, length)))
        case .switchesLost(let length): set(.switchesLost, UInt64(max(0, length)))
        case .frame(let stack, let caller, let function, let module):
            set(.frame, UInt64(max(0, stack)), number(function))
            name = module.map(number)
            self.caller = caller
        case .sampled(let stack, let state):
            let type: RecordType =
                switch state {
                case .executing: .sampled
                case .inKernel: .sampledInKernel
                case .blocked: .sampledBlocked
                }
            set(type, UInt64(max(0, stack)))
        case .sampling(let rate, let lost, let module):
            set(.sampling, UInt64(max(0, lost)))
            self.rate = rate
            name = module.map(number)
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
