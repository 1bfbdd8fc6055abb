import CTraceJSON
import EventLog

extension LogEvent {
    /// Nil for an event that this version does not know, or that lacks what it needs.
    init?(_ event: trace_event) {
        guard let time = event.timestamp.trimmedBytes.flatMap(LogTimestamp.nanoseconds) else { return nil }
        var notBefore: Int64?
        if let text = event.not_before.bytes {
            guard let start = LogTimestamp.nanoseconds(ofMicroseconds: text) else { return nil }
            notBefore = start
        }
        let body: Body? =
            if event.category.equals("op") {
                Body(ofOperation: event)
            } else if event.category.equals("queue") {
                Body(ofQueue: event)
            } else if event.category.equals("mark") || event.category.equals("wait") {
                Body(ofThread: event)
            } else {
                nil
            }
        guard let body else { return nil }
        self.init(time: time, notBefore: notBefore, thread: event.thread, body)
    }
}

extension LogEvent.Body {
    fileprivate init?(ofOperation event: trace_event) {
        guard let operation = event.identifier.operation, let word = event.event.string else { return nil }
        switch word {
        case "enqueued":
            guard let queue = event.queue.queue else { return nil }
            let list = UnsafeBufferPointer(start: event.dependencies, count: event.dependency_count)
            let dependencies = list.compactMap(\.operation)
            guard dependencies.count == list.count else { return nil }
            self = .enqueued(
                .init(
                    operation: operation, kind: event.name.string ?? "?", name: event.own_name.string,
                    queue: queue,
                    parent: event.parent.operation, dependencies: dependencies,
                    priority: Int(clamping: event.priority), origin: event.origin.string))
        case "sighted":
            self = .sighted(operation, kind: event.name.string ?? "?", name: event.own_name.string)
        case "ready": self = .ready(operation)
        case "executing": self = .executing(operation)
        case "bodyBegan": self = .bodyBegan(operation)
        case "bodyEnded": self = .bodyEnded(operation)
        case "cancelled": self = .cancelled(operation)
        case "dependency", "dependencyRemoved":
            guard let predecessor = event.predecessor.operation else { return nil }
            self =
                word == "dependency"
                ? .dependencyAdded(operation, predecessor: predecessor)
                : .dependencyRemoved(operation, predecessor: predecessor)
        case "finished":
            switch event.outcome.string {
            case "succeeded": self = .finished(operation, .succeeded)
            case "cancelled": self = .finished(operation, .cancelled)
            case "failed": self = .finished(operation, .failed(message: event.message.string ?? ""))
            default: return nil
            }
        default: return nil
        }
    }

    /// A mark or a blocking wait.
    fileprivate init?(ofThread event: trace_event) {
        let operation = event.operation.operation
        switch event.event.string {
        case "mark":
            guard let text = event.text.string else { return nil }
            self = .marked(text, by: operation)
        case "waitBegan":
            if let target = event.on.operation {
                self = .waitBegan(.operation(target), by: operation)
            } else if let queue = event.queue.queue {
                self = .waitBegan(.queue(queue), by: operation)
            } else {
                return nil
            }
        case "waitEnded": self = .waitEnded
        default: return nil
        }
    }

    fileprivate init?(ofQueue event: trace_event) {
        guard let queue = event.queue.queue, let word = event.event.string else { return nil }
        switch word {
        case "opened":
            guard event.has_limit else { return nil }
            self = .queueOpened(
                queue, name: event.own_name.string ?? "", limit: Int(clamping: event.limit),
                isSuspended: event.is_suspended)
        case "renamed": self = .queueRenamed(queue, name: event.own_name.string ?? "")
        case "suspended": self = .suspended(queue)
        case "resumed": self = .resumed(queue)
        case "limit":
            guard event.has_limit else { return nil }
            self = .limitChanged(queue, limit: Int(clamping: event.limit))
        case "allCancelled": self = .allCancelled(queue)
        default: return nil
        }
    }
}

extension trace_text {
    /// Nil where the trace has no such member.
    var bytes: UnsafeRawBufferPointer? {
        start.map { UnsafeRawBufferPointer(start: $0, count: length) }
    }

    /// Without the blanks that may follow a number.
    fileprivate var trimmedBytes: Slice<UnsafeRawBufferPointer>? {
        guard let bytes else { return nil }
        let end = bytes.lastIndex { ![0x20, 0x0a, 0x0d, 0x09].contains($0) }.map { $0 + 1 } ?? 0
        return bytes[..<end]
    }

    var string: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    func equals(_ word: StaticString) -> Bool {
        guard let bytes, bytes.count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { bytes.elementsEqual($0) }
    }

    func number<Number: FixedWidthInteger>(radix: Int) -> Number? {
        string.flatMap { Number($0, radix: radix) }
    }

    fileprivate var operation: OperationID? { identifier.map(OperationID.init) }

    fileprivate var queue: QueueID? { identifier.map(QueueID.init) }

    /// `0x` and hexadecimal digits.
    private var identifier: UInt64? {
        guard let string, string.hasPrefix("0x") else { return nil }
        return UInt64(string.dropFirst(2), radix: 16)
    }
}
