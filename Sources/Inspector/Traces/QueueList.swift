import EventLog

/// The queues of a trace that is being read.
struct QueueList {
    private var queues: [TracedQueue] = []
    private var indices = IndexTable()
    /// For each suspended queue, since when it is suspended.
    private var suspendedSince: [Int: Int64] = [:]

    /// - Parameter process: the process in which the log first names the queue.
    mutating func index(of identifier: UInt64, process: Int32) -> Int {
        let (index, isNew) = indices.index(of: identifier)
        if isNew {
            queues.append(TracedQueue(id: QueueID(identifier), name: "", process: Int(process)))
        }
        return index
    }

    // MARK: Events about a queue

    mutating func open(_ event: EventFields, _ texts: InternedTexts) {
        rename(event, texts)
        limit(event)
        if event.isSuspended { suspend(event) }
    }

    mutating func rename(_ event: EventFields, _ texts: InternedTexts) {
        queues[index(of: event)].name = texts[event.text]
    }

    mutating func suspend(_ event: EventFields) {
        let queue = index(of: event)
        if suspendedSince[queue] == nil { suspendedSince[queue] = event.time }
    }

    mutating func resume(_ event: EventFields) { resume(index(of: event), at: event.time) }

    mutating func limit(_ event: EventFields) {
        queues[index(of: event)].limits.append((event.time, event.limit))
    }

    mutating func cancel(_ event: EventFields) { queues[index(of: event)].cancellations.append(event.time) }

    private mutating func index(of event: EventFields) -> Int {
        index(of: event.subject, process: event.process)
    }

    /// All queues. Those that are still suspended stay so to the end.
    mutating func finish(at end: Int64) -> [TracedQueue] {
        for queue in Array(suspendedSince.keys) { resume(queue, at: end) }
        return queues
    }

    private mutating func resume(_ queue: Int, at time: Int64) {
        guard let start = suspendedSince.removeValue(forKey: queue), start < time else { return }
        queues[queue].suspensions.append(start..<time)
    }
}
