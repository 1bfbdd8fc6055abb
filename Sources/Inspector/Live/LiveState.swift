import CLogFormat
import EventLog

/// What a running program is doing, computed from the events of its log.
///
/// States only advance: if events of different threads are read in another order than they happened, the
/// later state stays. Cost: constant per event. Memory: unfinished operations, and a fixed number of the last
/// finished ones.
final class LiveState: FollowedEventConsumer {
    struct Repeated {
        let transition: Trace.RepeatedTransition.Transition
        let operation: UInt64
        let time: Int64
    }

    /// How long a finish is kept if its enqueue was not read, in nanoseconds. 5 s.
    private static let earlyFinishLifetime: Int64 = 5_000_000_000
    private static let mostRepeated = 100

    private(set) var operations = LiveOperations()
    private(set) var queues = LiveQueues()
    var tasks = LiveTasks()
    /// What a search of the process's memory found, by operation.
    var searches: [UInt64: LogEvent.OperationSearch] = [:]
    private(set) var waits = LiveWaits()
    /// The latest starts and finishes of operations that had already started or finished.
    private(set) var repeated: [Repeated] = []
    private(set) var counts = Array(repeating: 0, count: LiveOperation.Phase.allCases.count)
    private(set) var (succeeded, failed, cancelled) = (0, 0, 0)
    /// The numbers of texts with locations of the code of closures and tasks.
    private(set) var origins: Set<UInt32> = []
    private(set) var usualTimes = LiveUsualTimes()
    private(set) var finishes = LiveHistory()
    private(set) var finishRate = LiveRate()
    private(set) var eventRate = LiveRate()
    /// Finished operations whose enqueue has not been read, in the order of their finishes.
    private var early: ArraySlice<(id: UInt64, time: Int64)> = []

    func count(_ phase: LiveOperation.Phase) -> Int { counts[phase.rawValue] }

    func consume(_ event: EventFields) {
        eventRate.add(at: event.time)
        let id = event.subject
        if event.isOfTask {
            tasks.consume(event)
            // Of its function, or of the one in which it is suspended.
            if event.type == .taskCreated || event.type == .runEnded, event.text != 0 {
                origins.insert(event.text)
            }
            return
        }
        switch event.type {
        case .enqueued: enqueue(event)
        case .sighted:
            guard !operations.isRecent(id) else { return }
            operations.withOperation(id) { operation in
                operation.kind = operation.kind ?? event.text
                if let name = event.name, operation.name == 0 { operation.name = name }
            }
        case .dependencyAdded:
            guard let predecessor = event.predecessors.first else { return }
            change(id) { operation in
                if operation.executing == LiveOperation.never { operation.ready = LiveOperation.never }
                operation.predecessors.append(predecessor)
            }
        case .dependencyRemoved:
            guard let predecessor = event.predecessors.first else { return }
            change(id) { operation in
                operation.predecessors.removeAll { $0 == predecessor }
            }
        case .ready: change(id) { if $0.ready == LiveOperation.never { $0.ready = event.time } }
        case .executing: start(event)
        case .cancelled: change(id) { if $0.cancelled == LiveOperation.never { $0.cancelled = event.time } }
        case .bodyBegan:
            change(id) { operation in
                (operation.bodyBegan, operation.bodyEnded) = (event.time, LiveOperation.never)
                operation.bodyThread = event.thread
                operation.usedCPU = LiveOperation.never
            }
        case .bodyEnded:
            if change(id, { $0.bodyEnded = event.time }) == nil {
                operations.changeRecent(id) { $0.bodyEnded = event.time }
            }
        case .bodyUsed: use(event)
        case .finished: finish(event)
        case .unnotifiedFinish: change(id) { $0.unnotifiedFinish = event.time }
        case .queueOpened: queues.open(event)
        case .queueRenamed: queues.rename(event)
        case .suspended: queues.suspend(event)
        case .resumed: queues.resume(event)
        case .limitChanged: queues.limit(event)
        case .mark:
            guard let operation = event.parent else { return }
            change(operation) { ($0.mark, $0.marked) = (event.text, event.time) }
        case .waitForOperation, .waitForQueue, .waitEnded: waits.consume(event)
        case .executorOpened: tasks.open(event)
        // Nothing on the screen depends on them.
        case .taskCreated, .taskEnqueued, .runBegan, .runEnded, .taskResumed, .taskMoved, .taskCancelled,
            .taskSearched, .operationSearched,
            .allCancelled, .contextSent, .contextReceived, .slotFree, .leftCPU, .preempted, .blocked,
            .waitedForCPU, .switchesLost, .frame, .sampled, .sampledInKernel, .sampledBlocked, .sampling:
            break
        // No event has the type of a record that adds to events, or that is about the stream.
        case .thread, .anchor, .notBefore, .name, .parent, .dependency, .number, .code, .process: break
        }
    }

    /// Events were missed, so the state of open operations is unknown. A later event of an operation makes it
    /// known again. Operations without any event before the next loss are forgotten.
    func noteLoss() {
        var gone: [UInt64] = []
        operations.changeAll { operation in
            if operation.isLost {
                gone.append(operation.id)
                return
            }
            let old = operation.phase
            guard old != .unseen else { return }
            operation.isLost = true
            count(old, .lost, operation.queue)
        }
        for id in gone {
            operations.retire(id)
            counts[LiveOperation.Phase.lost.rawValue] -= 1
        }
        waits.noteLoss()
        tasks.noteLoss()
    }

    // MARK: Transitions

    private func enqueue(_ event: EventFields) {
        let id = event.subject
        let queue = queues.index(of: event.enqueuedQueue)
        guard id != 0, !operations.isRecent(id) else { return }
        let isEarly = operations.withOperation(id) { operation in
            let old = operation.phase
            guard operation.enqueued == LiveOperation.never else { return false }
            operation.isLost = false
            operation.enqueued = event.time
            operation.kind = event.text
            if let origin = event.origin {
                origins.insert(origin)
                operation.kind = LiveTexts.kind(ofClosure: origin)
                operation.name = LiveTexts.name(ofClosure: origin)
            }
            if let name = event.name { operation.name = name }
            operation.queue = Int32(queue)
            operation.priority = Int32(clamping: event.priority)
            operation.parent = event.parent ?? 0
            operation.predecessors += event.predecessors
            // If it was counted, it was counted without a queue.
            counts[old.rawValue] -= 1
            counts[operation.phase.rawValue] += 1
            queues[queue].move(from: .unseen, to: operation.phase)
            return operation.phase == .finished
        }
        if isEarly { finishForGood(id) }
    }

    private func start(_ event: EventFields) {
        guard event.subject != 0 else { return }
        if operations.isRecent(event.subject) {
            var isRepeated = true
            operations.changeRecent(event.subject) { operation in
                // The finish was on another thread, and was read first.
                guard operation.executing == LiveOperation.never, event.time <= operation.finished else {
                    return
                }
                operation.executing = event.time
                (operation.thread, operation.bodyThread) = (event.thread, event.thread)
                isRepeated = false
            }
            if isRepeated { note(.executing, event) }
            return
        }
        let isRepeated = operations.withOperation(event.subject) { operation in
            guard operation.executing == LiveOperation.never else { return true }
            let old = operation.phase
            operation.isLost = false
            operation.executing = event.time
            (operation.thread, operation.bodyThread) = (event.thread, event.thread)
            count(old, operation.phase, operation.queue)
            if operation.queue >= 0 { queues[Int(operation.queue)].turnOver(at: event.time) }
            return false
        }
        if isRepeated { note(.executing, event) }
    }

    /// After the end, it would contain what does not belong to the body.
    private func use(_ event: EventFields) {
        func take(_ operation: inout LiveOperation) {
            guard operation.bodyEnded == LiveOperation.never || event.time <= operation.bodyEnded else {
                return
            }
            operation.usesRead = event.time
            operation.usedCPU = event.timeOnCPU
            operation.waitedForCPU = event.timeWaited ?? LiveOperation.never
        }
        if change(event.subject, take) == nil { operations.changeRecent(event.subject, take) }
    }

    private func finish(_ event: EventFields) {
        guard event.subject != 0 else { return }
        if operations.isRecent(event.subject) { return note(.finished, event) }
        let isKnown: Bool? = operations.withOperation(event.subject) { operation in
            guard operation.finished == LiveOperation.never else { return nil }
            let old = operation.phase
            operation.isLost = false
            operation.finished = event.time
            operation.ending = event.ending
            operation.message = event.ending == .failed ? event.text : 0
            count(old, .finished, operation.queue)
            return operation.enqueued != LiveOperation.never
        }
        switch isKnown {
        case true?: finishForGood(event.subject)
        case false?:
            early.append((event.subject, event.time))
            forgetEarly(at: event.time)
        case nil: note(.finished, event)
        }
    }

    /// Counts a finish, and forgets the operation.
    private func finishForGood(_ id: UInt64) {
        guard let operation = operations[id] else { return }
        switch operation.ending {
        case .succeeded: succeeded += 1
        case .failed: failed += 1
        case .cancelled: cancelled += 1
        }
        finishes.add(at: operation.finished)
        finishRate.add(at: operation.finished)
        if operation.queue >= 0 { queues[Int(operation.queue)].finish(at: operation.finished) }
        if let kind = operation.kind, operation.executing != LiveOperation.never {
            usualTimes.add(max(0, operation.finished - operation.executing), kind: kind)
        }
        counts[LiveOperation.Phase.finished.rawValue] -= 1
        operations.retire(id)
    }

    /// Drops operations whose enqueue does not come, because it was lost.
    private func forgetEarly(at time: Int64) {
        while let first = early.first, time - first.time > Self.earlyFinishLifetime {
            early.removeFirst()
            if let operation = operations[first.id], operation.enqueued == LiveOperation.never {
                finishForGood(first.id)
            }
        }
    }

    /// Nil for an unknown operation.
    @discardableResult
    private func change(_ id: UInt64, _ body: (inout LiveOperation) -> Void) -> Void? {
        operations.withExisting(id) { operation in
            let old = operation.phase
            body(&operation)
            operation.isLost = false
            let new = operation.phase
            if new != old { count(old, new, operation.queue) }
        }
    }

    private func count(_ old: LiveOperation.Phase, _ new: LiveOperation.Phase, _ queue: Int32) {
        counts[old.rawValue] -= 1
        counts[new.rawValue] += 1
        if queue >= 0 { queues[Int(queue)].move(from: old, to: new) }
    }

    private func note(_ transition: Trace.RepeatedTransition.Transition, _ event: EventFields) {
        if repeated.count >= Self.mostRepeated { repeated.removeFirst() }
        repeated.append(Repeated(transition: transition, operation: event.subject, time: event.time))
    }
}
