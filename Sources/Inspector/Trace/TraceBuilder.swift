import EventLog

extension Trace {
    /// Makes a trace of the events of a log. Linear in their number.
    ///
    /// Where the log contradicts itself (an operation enqueued or finished twice), what it says first stands, and
    /// `losses` counts the rest.
    public init(_ contents: EventLogContents) {
        var builder = TraceBuilder(contents.header)
        for event in contents.events { builder.add(event) }
        self = builder.finish(losses: contents.losses)
    }
}

/// Puts the events of a log together: what belongs to which operation, and which to which queue.
struct TraceBuilder {
    private var trace: Trace
    private var operations: [OperationID: Int] = [:]
    private var queues: [QueueID: Int] = [:]
    private var edges: Set<Trace.Edge> = []
    /// Edges taken back before their successor started: it did not wait for them in the end.
    private var removedEdges: Set<Trace.Edge> = []
    /// By queue: since when it is suspended.
    private var suspendedSince: [Int: Int64] = [:]
    /// By thread: waits that have not ended, the innermost last.
    private var openWaits: [UInt64: [Int]] = [:]
    private var end: Int64
    private var contradictions = 0

    init(_ header: LogHeader) {
        trace = Trace(header: header)
        end = header.lastAlive
    }

    mutating func add(_ event: LogEvent) {
        end = max(end, event.time)
        let moment = TraceMoment(
            notBefore: min(event.notBefore ?? event.time, event.time), notAfter: event.time)
        switch event.body {
        case .enqueued(let enqueue): add(enqueue, at: moment)
        case .sighted(let id, let kind, let name):
            let index = index(of: id)
            if trace.operations[index].enqueued == nil {
                trace.operations[index].kind = kind
                trace.operations[index].name = name
            }
        case .dependencyAdded(let id, let predecessor):
            let successor = index(of: id)
            // It waits again: when it becomes ready the next time, that counts.
            if trace.operations[successor].executing == nil { trace.operations[successor].ready = nil }
            connect(index(of: predecessor), successor)
        case .dependencyRemoved(let id, let predecessor):
            let edge = Trace.Edge(predecessor: index(of: predecessor), successor: index(of: id))
            if trace.operations[edge.successor].executing == nil { removedEdges.insert(edge) }
        case .ready(let id): set(\.ready, of: id, to: moment)
        case .executing(let id):
            if set(\.executing, of: id, to: moment) {
                trace.operations[index(of: id)].thread = event.thread
            } else {
                noteRepeated(.executing, of: id, at: event.time)
            }
        case .cancelled(let id): set(\.cancelled, of: id, to: moment)
        case .finished(let id, let outcome):
            if set(\.finished, of: id, to: moment) {
                trace.operations[index(of: id)].outcome = outcome
            } else {
                noteRepeated(.finished, of: id, at: event.time)
            }
        case .queueOpened(let id, let name, let limit, let isSuspended):
            let index = queueIndex(of: id)
            trace.queues[index].name = name
            trace.queues[index].limits.append((event.time, limit))
            if isSuspended { suspend(index, at: event.time) }
        case .queueRenamed(let id, let name): trace.queues[queueIndex(of: id)].name = name
        case .suspended(let id): suspend(queueIndex(of: id), at: event.time)
        case .resumed(let id): resume(queueIndex(of: id), at: event.time)
        case .limitChanged(let id, let limit):
            trace.queues[queueIndex(of: id)].limits.append((event.time, limit))
        case .allCancelled(let id): trace.queues[queueIndex(of: id)].cancellations.append(event.time)
        case .bodyBegan(let id): set(\.bodyBegan, of: id, to: moment)
        case .bodyEnded(let id): set(\.bodyEnded, of: id, to: moment)
        case .marked(let text, let id):
            let operation = id.map { index(of: $0) }
            trace.marks.append(
                TraceMark(time: event.time, thread: event.thread, text: text, operation: operation))
        case .waitBegan(let target, let id): beginWait(for: target, by: id, event)
        case .waitEnded: endWait(event)
        }
    }

    consuming func finish(losses: [String]) -> Trace {
        for queue in suspendedSince.keys { resume(queue, at: end) }
        if !removedEdges.isEmpty { trace.edges.removeAll { removedEdges.contains($0) } }
        trace.losses = losses
        if contradictions > 0 {
            trace.losses.append(
                "\(contradictions) events contradict earlier ones (an operation enqueued, started or finished twice) "
                    + "and were left out")
        }
        return trace
    }

    // MARK: Operations

    private mutating func add(_ enqueue: LogEvent.Enqueue, at moment: TraceMoment) {
        let index = index(of: enqueue.operation)
        guard trace.operations[index].enqueued == nil else {
            contradictions += 1
            return
        }
        let queue = queueIndex(of: enqueue.queue)
        let parent = enqueue.parent.map { self.index(of: $0) }
        trace.operations[index].kind = enqueue.kind
        trace.operations[index].name = enqueue.name
        trace.operations[index].queue = queue
        trace.operations[index].parent = parent == index ? nil : parent
        trace.operations[index].priority = enqueue.priority
        trace.operations[index].enqueued = moment
        for predecessor in enqueue.dependencies { connect(self.index(of: predecessor), index) }
    }

    /// False where the log has said so before.
    @discardableResult
    private mutating func set(
        _ transition: WritableKeyPath<TracedOperation, TraceMoment?>, of id: OperationID,
        to moment: TraceMoment
    ) -> Bool {
        let index = index(of: id)
        guard trace.operations[index][keyPath: transition] == nil else {
            contradictions += 1
            return false
        }
        trace.operations[index][keyPath: transition] = moment
        return true
    }

    private mutating func noteRepeated(
        _ transition: Trace.RepeatedTransition.Transition, of id: OperationID, at time: Int64
    ) {
        trace.repeatedTransitions.append(
            .init(transition: transition, operation: index(of: id), time: time))
    }

    private mutating func connect(_ predecessor: Int, _ successor: Int) {
        let edge = Trace.Edge(predecessor: predecessor, successor: successor)
        removedEdges.remove(edge)
        guard predecessor != successor, edges.insert(edge).inserted else { return }
        trace.edges.append(edge)
    }

    private mutating func index(of id: OperationID) -> Int {
        if let index = operations[id] { return index }
        let index = trace.operations.count
        operations[id] = index
        trace.operations.append(TracedOperation(id: id, kind: "?"))
        return index
    }

    // MARK: Waits

    private mutating func beginWait(for target: LogEvent.WaitTarget, by id: OperationID?, _ event: LogEvent) {
        let target: BlockingWait.Target =
            switch target {
            case .operation(let id): .operation(index(of: id))
            case .queue(let id): .queue(queueIndex(of: id))
            }
        let operation = id.map { index(of: $0) }
        openWaits[event.thread, default: []].append(trace.blockingWaits.count)
        trace.blockingWaits.append(
            BlockingWait(target: target, operation: operation, thread: event.thread, start: event.time))
    }

    private mutating func endWait(_ event: LogEvent) {
        guard let wait = openWaits[event.thread]?.popLast() else {
            contradictions += 1
            return
        }
        trace.blockingWaits[wait].end = event.time
    }

    // MARK: Queues

    private mutating func queueIndex(of id: QueueID) -> Int {
        if let index = queues[id] { return index }
        let index = trace.queues.count
        queues[id] = index
        trace.queues.append(TracedQueue(id: id, name: ""))
        return index
    }

    private mutating func suspend(_ queue: Int, at time: Int64) {
        if suspendedSince[queue] == nil { suspendedSince[queue] = time }
    }

    private mutating func resume(_ queue: Int, at time: Int64) {
        guard let start = suspendedSince.removeValue(forKey: queue), start < time else { return }
        trace.queues[queue].suspensions.append(start..<time)
    }
}
