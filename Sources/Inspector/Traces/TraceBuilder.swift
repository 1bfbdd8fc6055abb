import CLogFormat
import EventLog
import InspectorColumns

extension Trace {
    /// Creates a trace from the events of a log. Linear in their number.
    ///
    /// If the log contradicts itself (an operation enqueued or finished twice), the first event counts, and
    /// `losses` has the number of others.
    public init(_ contents: EventLogContents) {
        let builder = TraceBuilder()
        let texts = contents.pass(to: builder)
        self = builder.finish(
            ReadLog(
                header: contents.header, texts: texts, eventCount: contents.events.count,
                losses: contents.losses, notes: contents.notes))
    }
}

/// Assigns the events of a log to operations and queues.
package final class TraceBuilder: EventConsumer {
    /// A pointer, because a property of an object is checked for exclusive access at each event, which takes
    /// longer than some events do.
    private let parts: UnsafeMutablePointer<TraceParts>

    package init() {
        parts = .allocate(capacity: 1)
        parts.initialize(to: TraceParts())
    }

    deinit {
        parts.deinitialize(count: 1)
        parts.deallocate()
    }

    /// Makes room for about as many operations.
    func reserve(operations: Int) { parts.pointee.reserve(operations) }

    /// - Parameter origins: those of the operations with the identifiers from 1 on.
    func keep(_ origins: SpanOrigins) { parts.pointee.origins = origins }

    package func consume(_ event: EventFields, _ texts: InternedTexts) { parts.pointee.add(event, texts) }

    /// The trace. The builder is empty afterwards.
    package func finish(_ log: consuming ReadLog) -> Trace {
        let read = parts.move()
        parts.initialize(to: TraceParts())
        return read.finish(log)
    }
}

/// A trace that is being read.
private struct TraceParts {
    private var operations = OperationColumns()
    private var closures = UnnamedClosures()
    private var identifiers = IndexTable()
    private var edges = EdgeList()
    private var queues = QueueList()
    private var marks: [TraceMark] = []
    private var blockingWaits: [BlockingWait] = []
    private var repeatedTransitions: [Trace.RepeatedTransition] = []
    private var receivedContexts: [ReceivedContext] = []
    private var threadTimes = ThreadTimes()
    private var stackSamples = StackSampleCollector()
    private var bodyUses: [Int32: Trace.BodyUse] = [:]
    private var bodyThreads: [Int32: ProcessThread] = [:]
    private var finishedElsewhere: Set<Int32> = []
    private var tasks = TaskCollector()
    /// By the operation's identifier.
    private var searches: [UInt64: TraceTasks.Search] = [:]
    fileprivate var origins = SpanOrigins()
    /// The number of contexts that are not valid.
    private var invalidContexts = 0
    /// For each thread, the waits that have not ended, the innermost last.
    private var openWaits: [ProcessThread: [Int]] = [:]
    private var end = Int64.min
    private var contradictions = 0

    mutating func reserve(_ count: Int) {
        operations.reserve(count)
        identifiers.reserve(count)
    }

    mutating func add(_ event: EventFields, _ texts: InternedTexts) {
        end = max(end, event.time)
        if event.isOfTask { return addTaskEvent(event, texts) }
        switch event.type {
        case .enqueued: addEnqueue(event, texts)
        case .sighted:
            let index = index(of: event)
            if !operations.enqueued.has(index) {
                operations.kinds[index] = operations.kind(event.text, texts)
                operations.names[index] = event.name ?? operations.names.absent
            }
        case .dependencyAdded:
            guard let predecessor = event.predecessors.first else { return }
            let successor = index(of: event)
            // It waits again; only the next time it is ready counts.
            if !operations.executing.has(successor) { operations.ready[successor] = nil }
            edges.connect(index(of: predecessor, event.process), successor)
        case .dependencyRemoved:
            guard let predecessor = event.predecessors.first else { return }
            let edge = Trace.Edge(
                predecessor: index(of: predecessor, event.process), successor: index(of: event))
            if !operations.executing.has(edge.successor) { edges.remove(edge) }
        case .ready:
            let index = index(of: event)
            take(Self.set(&operations.ready, index, event))
        case .executing:
            let index = index(of: event)
            if take(Self.set(&operations.executing, index, event)) {
                // 0 means unknown: other programs' files do not always state the thread.
                guard event.thread != 0 else { return }
                operations.threads[index] = operations.thread(
                    ProcessThread(process: event.process, number: event.thread))
            } else {
                repeatedTransitions.append(
                    .init(transition: .executing, operation: index, time: event.time))
            }
        case .cancelled:
            let index = index(of: event)
            take(Self.set(&operations.cancelled, index, event))
        case .bodyBegan:
            let index = index(of: event)
            // Until then, the log has the execution on the thread that it began on.
            if !operations.bodyBegan.has(index), operations.bodyEnded.has(index) {
                operations.bodyEnded[index] = nil
                bodyUses[Int32(index)] = nil
            }
            if take(Self.set(&operations.bodyBegan, index, event)), isElsewhere(event, index) {
                bodyThreads[Int32(index)] = ProcessThread(process: event.process, number: event.thread)
            }
        case .bodyEnded:
            let index = index(of: event)
            // Until then, also past a finish elsewhere, that thread was in the body.
            if !isElsewhere(event, index) { finishedElsewhere.remove(Int32(index)) }
            take(Self.set(&operations.bodyEnded, index, event))
        case .bodyUsed:
            let index = index(of: event)
            // After the end, it would contain what does not belong to the body.
            guard !operations.bodyEnded.has(index) else { return }
            bodyUses[Int32(index)] = Trace.BodyUse(
                onCPU: event.timeOnCPU, waitedForCPU: event.timeWaited, readAt: event.time,
                finish: operations.finished[index]?.notAfter)
        case .finished:
            let index = index(of: event)
            guard take(Self.set(&operations.finished, index, event)) else {
                repeatedTransitions.append(.init(transition: .finished, operation: index, time: event.time))
                return
            }
            if isElsewhere(event, index), !operations.bodyEnded.has(index) {
                finishedElsewhere.insert(Int32(index))
            }
            tasks.finishOperation(
                index, event,
                bodyBegan: isElsewhere(event, index) ? nil : operations.executing[index]?.notAfter)
            operations.outcomes[index] =
                switch event.ending {
                case .succeeded: OperationColumns.succeeded
                case .cancelled: OperationColumns.cancelled
                case .failed: OperationColumns.failed + event.text
                }
        case .queueOpened: queues.open(event, texts)
        case .queueRenamed: queues.rename(event, texts)
        case .suspended: queues.suspend(event)
        case .resumed: queues.resume(event)
        case .limitChanged: queues.limit(event)
        case .allCancelled: queues.cancel(event)
        case .mark:
            let operation = event.parent.map { index(of: $0, event.process) }
            marks.append(
                TraceMark(
                    time: event.time, thread: event.thread, process: Int(event.process),
                    text: texts[event.text], operation: operation))
        case .slotFree:
            let index = index(of: event)
            take(Self.set(&operations.slotFree, index, event))
        case .contextSent: _ = index(of: event)
        case .unnotifiedFinish:
            let index = index(of: event)
            _ = Self.set(&operations.unnotifiedFinish, index, event)
        case .operationSearched:
            // It does not make an operation known. The last search counts.
            searches[event.subject] = .init(
                time: TraceMoment.bounded(event.time), holder: event.text, unseen: event.name ?? 0)
        case .contextReceived: addContext(event, texts)
        case .waitForOperation: beginWait(for: .operation(index(of: event.subject, event.process)), event)
        case .waitForQueue:
            beginWait(for: .queue(queues.index(of: event.subject, process: event.process)), event)
        case .waitEnded:
            let thread = ProcessThread(process: event.process, number: event.thread)
            guard let wait = openWaits[thread]?.popLast() else {
                contradictions += 1
                return
            }
            blockingWaits[wait].end = event.time
        case .leftCPU: threadTimes.leave(event, .unknown)
        case .preempted: threadTimes.leave(event, .preempted)
        case .blocked: threadTimes.leave(event, .blocked)
        case .waitedForCPU: threadTimes.wait(event)
        case .switchesLost: threadTimes.lose(event)
        case .frame: stackSamples.addFrame(event, texts)
        case .sampled: stackSamples.addSample(event, .executing)
        case .sampledInKernel: stackSamples.addSample(event, .inKernel)
        case .sampledBlocked: stackSamples.addSample(event, .blocked)
        case .sampling: stackSamples.addSampling(event, texts)
        case .executorOpened: tasks.open(event, texts)
        // Those of tasks were added above. No event has the type of a record that adds to events, or that is
        // about the stream.
        case .taskCreated, .taskEnqueued, .runBegan, .runEnded, .taskResumed, .taskMoved,
            .taskCancelled, .taskSearched:
            break
        case .thread, .anchor, .notBefore, .name, .parent, .dependency, .number, .code, .process: break
        }
    }

    private mutating func addTaskEvent(_ event: EventFields, _ texts: InternedTexts) {
        if event.time != TraceMoment.bounded(event.time) {
            var possible = event
            possible.time = TraceMoment.bounded(event.time)
            addTaskEvent(possible, texts)
            return
        }
        switch event.type {
        case .taskCreated: tasks.create(event, texts)
        case .taskEnqueued: tasks.enqueue(event)
        case .taskResumed: tasks.resume(event)
        case .runBegan: tasks.begin(event)
        case .runEnded: tasks.end(event)
        case .taskMoved: tasks.move(event)
        case .taskCancelled: tasks.cancel(event)
        case .taskSearched: tasks.search(event)
        case .finished: tasks.finish(event)
        default: break
        }
    }

    consuming func finish(_ log: consuming ReadLog) -> Trace {
        closures.name(&operations, &log.texts)
        var trace = Trace(header: log.header)
        trace.operations = TracedOperations(OperationStore(operations, log.texts))
        trace.edges = edges.unique(operations: operations.count)
        trace.queues = queues.finish(at: max(end, log.header.lastAlive))
        let lossesOfTasks = tasks.losses
        trace.tasks = tasks.finish(log.texts, at: TraceMoment.bounded(max(end, log.header.lastAlive)))
        if trace.isMerged {
            let names = ProcessNames(trace).names
            for queue in trace.queues.indices {
                trace.queues[queue].processName = names[trace.queues[queue].process]
            }
        }
        trace.marks = marks
        trace.blockingWaits = blockingWaits
        trace.receivedContexts = receivedContexts
        trace.threadTimes = threadTimes
        trace.stackSamples = stackSamples.finish()
        trace.bodyUses = bodyUses
        trace.bodyThreads = bodyThreads
        trace.finishedElsewhere = finishedElsewhere
        for (identifier, search) in searches {
            guard let index = identifiers.existingIndex(of: identifier) else { continue }
            trace.searches[Int32(index)] = search
        }
        trace.origins = origins
        trace.repeatedTransitions = repeatedTransitions
        trace.losses = log.losses + stackSamples.losses + (threadTimes.loss.map { [$0] } ?? [])
        trace.notes = log.notes
        if invalidContexts > 0 {
            trace.losses.append(
                "\(Prose.counted(invalidContexts, "cause")) in other processes "
                    + "\(invalidContexts == 1 ? "is" : "are") not a traceparent of W3C Trace Context, and "
                    + "\(invalidContexts == 1 ? "was" : "were") left out")
        }
        if contradictions > 0 {
            trace.losses.append(
                Prose.counted(
                    contradictions,
                    "event contradicts an earlier one (an operation enqueued, started or finished twice) "
                        + "and was left out",
                    "events contradict earlier ones (an operation enqueued, started or finished twice) "
                        + "and were left out"
                ))
        }
        trace.losses += lossesOfTasks
        return trace
    }

    // MARK: Operations

    private mutating func addEnqueue(_ event: EventFields, _ texts: InternedTexts) {
        let index = index(of: event)
        guard !operations.enqueued.has(index) else {
            contradictions += 1
            return
        }
        operations.queues[index] = Int32(queues.index(of: event.enqueuedQueue, process: event.process))
        if let parent = event.parent.map({ self.index(of: $0, event.process) }), parent != index {
            operations.parents[index] = Int32(parent)
        }
        let parent = operations.parents[index]
        tasks.enqueueOperation(
            index, event,
            bodyBegan: parent < 0 ? nil : operations.executing[Int(parent)]?.notAfter ?? .max)
        operations.kinds[index] = operations.kind(event.text, texts)
        operations.names[index] = event.name ?? operations.names.absent
        let priority = event.priority
        if priority != 0 { operations.priorities[index] = Int32(clamping: priority) }
        operations.enqueued[index] = Self.moment(event)
        if let origin = event.origin {
            operations.closures[index] = true
            closures.add(index, origin, kind: operations.kinds[index], operations, texts)
        }
        for predecessor in event.predecessors {
            edges.connect(self.index(of: predecessor, event.process), index)
        }
    }

    /// Whether the event is of another thread than the one that the body began on, as far as the log says.
    private func isElsewhere(_ event: EventFields, _ index: Int) -> Bool {
        if let thread = bodyThreads[Int32(index)] { return event.thread != thread.number }
        let start = operations.threads[index]
        return event.thread != 0 && start != OperationColumns.none
            && operations.threadNumbers[Int(start)] != event.thread
    }

    /// False if the log already has the transition.
    private static func set(_ transition: inout MomentColumn, _ index: Int, _ event: EventFields) -> Bool {
        guard !transition.has(index) else { return false }
        transition[index] = moment(event)
        return true
    }

    /// Counts events that contradict the log.
    @discardableResult
    private mutating func take(_ isTaken: Bool) -> Bool {
        if !isTaken { contradictions += 1 }
        return isTaken
    }

    private static func moment(_ event: EventFields) -> TraceMoment {
        TraceMoment(notBefore: min(event.notBefore ?? event.time, event.time), notAfter: event.time)
    }

    /// The operation that the event is about, which belongs to the event's process.
    private mutating func index(of event: EventFields) -> Int {
        let index = index(of: event.subject, event.process)
        if operations.processes[index] != event.process { operations.processes[index] = event.process }
        return index
    }

    /// - Parameter process: the process of the event that names it, until an event is about it.
    private mutating func index(of identifier: UInt64, _ process: Int32) -> Int {
        let (index, isNew) = identifiers.index(of: identifier)
        if isNew {
            operations.append(identifier)
            if process != 0 { operations.processes[index] = process }
        }
        return index
    }

    private mutating func addContext(_ event: EventFields, _ texts: InternedTexts) {
        let operation = event.subject == 0 ? nil : index(of: event)
        guard let context = TraceContext(traceparent: texts[event.text]) else {
            invalidContexts += 1
            return
        }
        receivedContexts.append(
            ReceivedContext(
                time: event.time, process: Int(event.process), operation: operation, context: context))
    }

    // MARK: Blocking waits

    private mutating func beginWait(for target: BlockingWait.Target, _ event: EventFields) {
        let operation = event.parent.map { index(of: $0, event.process) }
        let thread = ProcessThread(process: event.process, number: event.thread)
        openWaits[thread, default: []].append(blockingWaits.count)
        blockingWaits.append(
            BlockingWait(
                target: target, operation: operation, thread: event.thread, process: Int(event.process),
                start: event.time))
    }
}
