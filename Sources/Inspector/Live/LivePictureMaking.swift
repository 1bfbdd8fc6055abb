import EventLog
internal import HeapModule

/// Creates the picture of a state. Looks up only the names that are shown.
struct LivePictureMaking {
    let state: LiveState
    let header: LogHeader
    /// Returns the text for a number in the log.
    let text: (UInt32) -> String

    /// The latest known time, in nanoseconds since the start of the log.
    private var now: Int64 { header.lastAlive }

    /// Counts, rates, queues and rows, but not results of analyses. Cost: linear in unfinished operations.
    ///
    /// - Parameter rows: the largest number of operations in each list.
    func picture(rows: Int) -> LivePicture {
        var picture = LivePicture(header: header)
        picture.executing = state.count(.executing)
        picture.waiting = state.count(.pending) + state.count(.ready)
        picture.lost = state.count(.lost)
        picture.failed = state.failed
        picture.cancelled = state.cancelled
        picture.finished = state.succeeded + state.failed + state.cancelled
        picture.finishedPerSecond = state.finishRate.perSecond(at: now)
        picture.eventsPerSecond = state.eventRate.perSecond(at: now)
        picture.history = state.finishes.values(at: now)
        picture.queues = state.queues.all.enumerated().map { queue($1, number: $0) }
        picture.tasks = LivePicture.Tasks(state.tasks, at: now, text: text)
        let (executing, waiting) = longest(rows)
        let waits = blockingWaits
        picture.executingRows = executing.map { row($0, since: $0.executing, occupation(of: $0, waits)) }
        picture.waitingRows = waiting.map { row($0, since: $0.enqueued, reason(of: $0)) }
        return picture
    }

    private func queue(_ queue: LiveQueue, number: Int) -> LivePicture.Queue {
        LivePicture.Queue(
            number: number, name: name(of: queue), limit: queue.limit, executing: queue.executing,
            pending: queue.pending,
            ready: queue.ready, suspended: queue.isSuspended ? max(0, now - queue.suspendedSince) : nil,
            finished: queue.finished, finishedPerSecond: queue.rate.perSecond(at: now),
            lacksSlots: queue.lacksSlots, idle: idle(queue))
    }

    private func idle(_ queue: LiveQueue) -> Int64? {
        if queue.executing + queue.waiting > 0 || queue.isSuspended { return nil }
        return max(0, now - max(0, queue.lastTurnover))
    }

    /// Executing and waiting operations, each the oldest first.
    private func longest(_ rows: Int) -> (executing: [LiveOperation], waiting: [LiveOperation]) {
        var executing = Oldest(rows)
        var waiting = Oldest(rows)
        for operation in state.operations.open {
            switch operation.phase {
            case .executing: executing.add(operation.id, since: operation.executing)
            case .pending, .ready: waiting.add(operation.id, since: operation.enqueued)
            case .unseen, .finished, .lost: break
            }
        }
        return (
            executing.identifiers.compactMap { state.operations[$0] },
            waiting.identifiers.compactMap { state.operations[$0] }
        )
    }

    private func row(_ operation: LiveOperation, since: Int64, _ reason: String) -> LivePicture.Row {
        let queue = operation.queue < 0 ? "" : name(of: state.queues[Int(operation.queue)])
        return LivePicture.Row(
            operation: operation.id, name: name(of: operation), kind: kind(of: operation), queue: queue,
            duration: max(0, now - since),
            thread: operation.thread, reason: reason)
    }

    // MARK: Reasons

    /// For each operation, the innermost wait of its thread.
    private var blockingWaits: [UInt64: LiveWaits.Wait] {
        var waits: [UInt64: LiveWaits.Wait] = [:]
        for ofThread in state.waits.all.values {
            for wait in ofThread where wait.operation != 0 { waits[wait.operation] = wait }
        }
        return waits
    }

    /// What the thread of an executing operation is blocked on, or which key the operation waits for.
    private func occupation(of operation: LiveOperation, _ waits: [UInt64: LiveWaits.Wait]) -> String {
        if let wait = waits[operation.id] {
            switch wait.target {
            case .operation(let id): return name(ofID: id)
            case .queue(let id):
                let queue = state.queues.existingIndex(of: id).map { name(of: state.queues[$0]) }
                return "all of \(queue ?? "a queue")"
            }
        }
        guard operation.mark != 0 else { return "" }
        let said = text(operation.mark)
        guard case .waitsForKey = KnownMark(said) else { return "" }
        return said
    }

    private func reason(of operation: LiveOperation) -> String {
        if operation.phase == .pending {
            let open = operation.predecessors.filter {
                state.operations[$0].map { $0.phase != .finished } ?? false
            }
            guard let first = open.first else { return "not ready, for a reason that is not in the log" }
            return Prose.list([name(ofID: first)], of: open.count)
        }
        guard operation.queue >= 0 else { return "" }
        let queue = state.queues[Int(operation.queue)]
        if queue.isSuspended { return "its queue is suspended" }
        return queue.lacksSlots ? "a slot" : "a thread"
    }

    // MARK: Names

    private func name(ofID id: UInt64) -> String { state.operations[id].map(name) ?? "?" }

    private func name(of operation: LiveOperation) -> String {
        let name = text(operation.name)
        return name.isEmpty ? kind(of: operation) : name
    }

    private func kind(of operation: LiveOperation) -> String { operation.kind.map(text) ?? "?" }

    private func name(of queue: LiveQueue) -> String {
        let name = text(queue.name)
        return name.isEmpty ? "queue \(QueueID(queue.id))" : name
    }
}

/// At most this many operations, those with the earliest times; for equal times, the lower identifiers.
private struct Oldest {
    private struct Candidate: Comparable {
        let since: Int64
        let operation: UInt64

        static func < (one: Candidate, other: Candidate) -> Bool {
            (one.since, one.operation) < (other.since, other.operation)
        }
    }

    private let limit: Int
    private var kept = Heap<Candidate>()

    init(_ limit: Int) { self.limit = limit }

    /// The oldest first.
    var identifiers: [UInt64] { kept.unordered.sorted().map(\.operation) }

    mutating func add(_ operation: UInt64, since: Int64) {
        let candidate = Candidate(since: since, operation: operation)
        if kept.count >= limit {
            guard let last = kept.max, candidate < last else { return }
            kept.removeMax()
        }
        kept.insert(candidate)
    }
}
