/// Writes events as JSON, in the Chrome Trace Event Format that the Perfetto UI opens.
///
/// A log is `LogHeader.jsonPrologue()`, the bytes of the events as they come, and `epilogue`. It can be cut after any
/// event and still be read.
public struct JSONLogEncoder: Sendable {
    /// What stands after the last event.
    public static let epilogue = Array("\n]}\n".utf8)

    /// By process of the header.
    private let processIDs: [Int32]
    private var bytes: [UInt8] = []
    private var isFirst = true
    /// The kind of every operation that has not finished: viewers want it on each of its events.
    private var kinds: [OperationID: String] = [:]
    private var views: ViewerTracks

    /// - Parameter header: names the processes that the events belong to.
    public init(header: LogHeader) {
        processIDs = header.eventProcessIDs
        views = ViewerTracks(header)
    }

    /// What `takeBytes` would give now.
    public var byteCount: Int { bytes.count }

    /// The bytes of all events encoded since the last call.
    public mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Appends one event. The order of the calls is the order of the log.
    public mutating func encode(_ event: LogEvent) {
        switch event.body {
        case .enqueued(let enqueue):
            kinds[enqueue.operation] = enqueue.kind
            encodeEnqueue(enqueue, of: event)
        case .sighted(let operation, let kind, let name):
            kinds[operation] = kind
            begin(event, of: operation, phase: "n", "sighted")
            append(",\"name\":", name)
            end(event)
        case .dependencyAdded(let operation, let predecessor):
            begin(event, of: operation, phase: "n", "dependency")
            append(",\"predecessor\":\"\(predecessor)\"")
            end(event)
        case .dependencyRemoved(let operation, let predecessor):
            begin(event, of: operation, phase: "n", "dependencyRemoved")
            append(",\"predecessor\":\"\(predecessor)\"")
            end(event)
        case .ready(let operation):
            begin(event, of: operation, phase: "n", "ready")
            end(event)
        case .executing(let operation):
            begin(event, of: operation, phase: "n", "executing")
            end(event)
        case .cancelled(let operation):
            begin(event, of: operation, phase: "n", "cancelled")
            end(event)
        case .finished(let operation, let outcome):
            encodeFinish(of: operation, outcome, event)
        case .queueOpened(let queue, let name, let limit, let isSuspended):
            begin(event, on: queue, "opened")
            append(",\"name\":", name)
            append(",\"limit\":\(limit),\"suspended\":\(isSuspended)")
            end(event)
        case .queueRenamed(let queue, let name):
            begin(event, on: queue, "renamed")
            append(",\"name\":", name)
            end(event)
        case .suspended(let queue):
            begin(event, on: queue, "suspended")
            end(event)
        case .resumed(let queue):
            begin(event, on: queue, "resumed")
            end(event)
        case .limitChanged(let queue, let limit):
            begin(event, on: queue, "limit")
            append(",\"limit\":\(limit)")
            end(event)
        case .allCancelled(let queue):
            begin(event, on: queue, "allCancelled")
            end(event)
        case .bodyBegan(let operation):
            begin(event, of: operation, phase: "n", "bodyBegan")
            end(event)
        case .bodyEnded(let operation):
            begin(event, of: operation, phase: "n", "bodyEnded")
            end(event)
        case .slotFree(let operation):
            begin(event, of: operation, phase: "n", "slotFree")
            end(event)
        case .contextSent(let operation):
            begin(event, of: operation, phase: "n", "contextSent")
            end(event)
        case .unnotifiedFinish(let operation):
            begin(event, of: operation, phase: "n", "unnotifiedFinish")
            end(event)
        case .contextReceived(let operation?, let traceparent):
            begin(event, of: operation, phase: "n", "contextReceived")
            append(",\"traceparent\":", traceparent)
            end(event)
        case .contextReceived(nil, let traceparent):
            begin(event, category: "process", phase: "i", name: "context received", "contextReceived")
            append(",\"traceparent\":", traceparent)
            end(event)
        case .marked(let text, let operation):
            begin(event, category: "mark", phase: "i", name: text, "mark")
            append(",\"text\":", text)
            if let operation { append(",\"operation\":\"\(operation)\"") }
            end(event)
        case .waitBegan(let target, let operation):
            begin(event, category: "wait", phase: "B", name: "wait", "waitBegan")
            switch target {
            case .operation(let id): append(",\"on\":\"\(id)\"")
            case .queue(let id): append(",\"queue\":\"\(id)\"")
            }
            if let operation { append(",\"operation\":\"\(operation)\"") }
            end(event)
        case .waitEnded:
            begin(event, category: "wait", phase: "E", name: "wait", "waitEnded")
            end(event)
        }
        for view in views.follow(event) {
            separate()
            bytes.append(contentsOf: view)
        }
    }

    private mutating func encodeEnqueue(_ enqueue: LogEvent.Enqueue, of event: LogEvent) {
        begin(event, of: enqueue.operation, phase: "b", "enqueued")
        append(",\"name\":", enqueue.name)
        append(",\"queue\":\"\(enqueue.queue)\"")
        if let parent = enqueue.parent { append(",\"parent\":\"\(parent)\"") }
        if !enqueue.dependencies.isEmpty {
            let list = enqueue.dependencies.map { "\"\($0)\"" }.joined(separator: ",")
            append(",\"dependencies\":[\(list)]")
        }
        if enqueue.priority != 0 { append(",\"priority\":\(enqueue.priority)") }
        append(",\"origin\":", enqueue.origin)
        end(event)
    }

    private mutating func encodeFinish(of operation: OperationID, _ outcome: Outcome, _ event: LogEvent) {
        begin(event, of: operation, phase: "e", "finished")
        switch outcome {
        case .succeeded: append(",\"outcome\":\"succeeded\"")
        case .cancelled: append(",\"outcome\":\"cancelled\"")
        case .failed(let message): append(",\"outcome\":\"failed\",\"message\":", message)
        }
        end(event)
        kinds[operation] = nil
    }

    // MARK: The common parts of an event

    private mutating func begin(
        _ event: LogEvent, of operation: OperationID, phase: String, _ word: StaticString
    ) {
        separate()
        append("{\"ph\":\"\(phase)\",\"cat\":\"op\",\"name\":", kinds[operation] ?? "?")
        append(",\"id2\":{\"local\":\"\(operation)\"}")
        appendPlace(of: event, word)
    }

    private mutating func begin(_ event: LogEvent, on queue: QueueID, _ word: StaticString) {
        separate()
        append("{\"ph\":\"i\",\"s\":\"t\",\"cat\":\"queue\",\"name\":\"queue \(word)\"")
        appendPlace(of: event, word)
        append(",\"queue\":\"\(queue)\"")
    }

    private mutating func begin(
        _ event: LogEvent, category: StaticString, phase: StaticString, name: String, _ word: StaticString
    ) {
        separate()
        append("{\"ph\":\"\(phase)\",\"cat\":\"\(category)\",\"name\":", name)
        appendPlace(of: event, word)
    }

    private mutating func appendPlace(of event: LogEvent, _ word: StaticString) {
        let processID = processIDs.indices.contains(event.process) ? processIDs[event.process] : processIDs[0]
        append(",\"pid\":\(processID),\"tid\":\(event.thread),\"ts\":")
        JSONText.append(microseconds: event.time, to: &bytes)
        append(",\"args\":{\"event\":\"\(word)\"")
    }

    private mutating func end(_ event: LogEvent) {
        if let notBefore = event.notBefore {
            append(",\"notBefore\":\"")
            JSONText.append(microseconds: notBefore, to: &bytes)
            append("\"")
        }
        append("}}")
    }

    private mutating func separate() {
        if isFirst { isFirst = false } else { append(",\n") }
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Appends a key that is spelt out and a value that may hold anything; nothing when there is no value.
    private mutating func append(_ key: String, _ value: String?) {
        guard let value else { return }
        append(key)
        JSONText.append(value, to: &bytes)
    }
}
