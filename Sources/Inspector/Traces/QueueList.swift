import CLogFormat
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

    /// Adds the information in an event about a queue.
    mutating func add(_ event: EventFields, _ texts: InternedTexts) {
        let index = index(of: event.subject, process: event.process)
        switch event.type {
        case .queueOpened:
            queues[index].name = texts[event.text]
            queues[index].limits.append((event.time, event.number ?? 0))
            if event.isSuspended { suspend(index, at: event.time) }
        case .queueRenamed: queues[index].name = texts[event.text]
        case .suspended: suspend(index, at: event.time)
        case .resumed: resume(index, at: event.time)
        case .limitChanged: queues[index].limits.append((event.time, event.number ?? 0))
        case .allCancelled: queues[index].cancellations.append(event.time)
        default: break
        }
    }

    /// All queues. Those that are still suspended stay so to the end.
    mutating func finish(at end: Int64) -> [TracedQueue] {
        for queue in Array(suspendedSince.keys) { resume(queue, at: end) }
        return queues
    }

    private mutating func suspend(_ queue: Int, at time: Int64) {
        if suspendedSince[queue] == nil { suspendedSince[queue] = time }
    }

    private mutating func resume(_ queue: Int, at time: Int64) {
        guard let start = suspendedSince.removeValue(forKey: queue), start < time else { return }
        queues[queue].suspensions.append(start..<time)
    }
}
