import CRecorder
import EventLog
import Foundation
import Synchronization

/// What the log says of one queue: its name, its limit, its suspensions, and what is waiting in it that
/// concerns operations still to come.
final class QueueObservation: Sendable {
    /// What a queue can be set to that changes when its operations run.
    struct Settings: Equatable {
        var limit: Int
        var isSuspended: Bool

        init(of queue: OperationQueue) {
            limit = queue.base.storedLimit
            isSuspended = queue.base.storedIsSuspended
        }
    }

    private struct State {
        /// As the log says.
        var settings: Settings
        /// Operations that do not report their own cancellation.
        var foreign: [OperationID: OperationObservation] = [:]
    }

    let id: QueueID
    let writer: EventLogWriter
    /// That have not finished: every operation added now waits for them.
    let barriers = QueueBarriers<OperationObservation>()
    /// The queue held operations when it was seen first, and perhaps barriers, which nobody can ask for.
    private let mayHoldEarlier: Atomic<Bool>
    /// Additions until the queue's operations are counted again.
    private let additionsToCount = Atomic(0)
    private let state: Locked<State>

    /// Logs that `queue` was seen.
    init(of queue: OperationQueue, writer: EventLogWriter) {
        self.writer = writer
        id = writer.registry.nextQueue()
        mayHoldEarlier = Atomic(queue.operationCount > 0)
        let settings = Settings(of: queue)
        writer.append(
            .queueOpened(
                id, name: queue.base.givenName ?? "", limit: settings.limit,
                isSuspended: settings.isSuspended)
        )
        state = Locked(State(settings: settings))
    }

    // A change that lets operations go is logged before it is made, and one that holds them back after it:
    // they run within what the log says.

    func noteResumed() {
        state.withLock { state in
            guard state.settings.isSuspended else { return }
            writer.append(.resumed(id))
            state.settings.isSuspended = false
        }
    }

    /// Where `limit` is higher than before.
    func noteRaised(to limit: Int) {
        state.withLock { state in
            guard state.settings.limit >= 0, limit < 0 || limit > state.settings.limit else { return }
            writer.append(.limitChanged(id, limit: limit))
            state.settings.limit = limit
        }
    }

    /// Logs what the settings are, where the log does not say so yet. Takes no queue's lock.
    func refresh(from queue: OperationQueue) {
        state.withLock { state in
            let settings = Settings(of: queue)
            if settings.limit != state.settings.limit {
                writer.append(.limitChanged(id, limit: settings.limit))
            }
            if settings.isSuspended != state.settings.isSuspended {
                writer.append(settings.isSuspended ? .suspended(id) : .resumed(id))
            }
            state.settings = settings
        }
    }

    func noteName(of queue: OperationQueue) {
        writer.append(.queueRenamed(id, name: queue.base.givenName ?? ""))
    }

    /// Logs that everything in the queue is being cancelled. Operations of our own classes say so themselves.
    func noteCancellation() {
        writer.append(.allCancelled(id))
        let foreign = state.withLock { $0.foreign.values.sorted { $0.id < $1.id } }
        for observation in barriers.unfinished + foreign { observation.noteCancelled() }
    }

    /// Logs that this thread waits for `queue`, which this is about, to be empty while it is in `body`.
    func noteWait(for queue: OperationQueue, _ body: () -> Void) {
        writer.noteWait(.waitBegan(.queue(id), by: writer.currentOperation), for: queue, isQueue: true) {
            // Foundation waits for one operation after the other: these waits are this one.
            let wasWaiting = recorder_begin_queue_wait()
            body()
            recorder_end_queue_wait(wasWaiting)
        }
    }

    // MARK: What waits

    /// Logs the enqueue of a barrier behind `waiting`, and gives `add` what is to be added as the barrier: it
    /// runs `barrier`, and says when.
    func recordBarrier(
        behind waiting: [Operation], parent: OperationID?, _ barrier: @escaping @Sendable () -> Void,
        add: (OperationID, @escaping @Sendable () -> Void) -> Void
    ) {
        let earlier = barriers.unfinished
        let observation = OperationObservation(
            .init(
                operation: writer.registry.nextOperation(), kind: "Barrier", queue: id, parent: parent,
                dependencies: waiting.map { writer.identify($0) } + earlier.map(\.id)),
            in: self)
        let waitsForNothing = waiting.isEmpty && earlier.isEmpty
        FinishSentinel.watch(waiting) { [self] in
            barriers.whenFinished(earlier) {
                observation.noteReady(notBefore: waitsForNothing ? nil : observation.enqueueTime)
            }
        }
        let end = BarrierEnd(observation)
        add(observation.id) {
            observation.noteExecuting()
            let before = observation.queue.writer.log.enter(observation.id)
            barrier()
            observation.queue.writer.log.leave(to: before)
            end.note(.succeeded)
        }
        // Only now: what another thread added meanwhile does not wait for it.
        barriers.add(observation)
    }

    /// Whether what is added now may wait for a barrier from before the recording. Asked before it is added.
    func mayWaitForEarlier(in queue: OperationQueue) -> Bool {
        guard mayHoldEarlier.load(ordering: .relaxed) else { return false }
        let isWaiting = ForeignObservation.hasWaitingBarrier(queue) ?? mayHaveWaitingBarrier(queue)
        if !isWaiting { mayHoldEarlier.store(false, ordering: .relaxed) }
        return isWaiting
    }

    /// Where Foundation does not show its barriers: there may be one until the queue was empty once. Counting
    /// takes time in proportion to what the queue holds, so it is done once in as many additions.
    private func mayHaveWaitingBarrier(_ queue: OperationQueue) -> Bool {
        guard additionsToCount.subtract(1, ordering: .relaxed).newValue < 0 else { return true }
        let count = queue.operationCount
        additionsToCount.store(count, ordering: .relaxed)
        return count > 0
    }

    /// Logs the enqueue of an operation of which there is nothing more to say.
    ///
    /// - Parameters:
    ///   - kind: the number of its kind in the log; nil for a closure.
    ///   - code: of its closure.
    func appendEnqueue(
        of id: OperationID, kind: UInt32? = nil, parent: OperationID?, code: ClosureCode?, isReady: Bool
    ) -> LogTime {
        guard writer.isOpen,
            let argument = LogEvent.Body.packed(queue: self.id, kind: kind ?? writer.log.closureKind)
        else { return writer.now }
        return writer.log.appendEnqueue(
            id, argument: argument, parent: parent, code: code, isReady: isReady)
    }

    func addForeign(_ observation: OperationObservation) {
        state.withLock { $0.foreign[observation.id] = observation }
    }

    func removeForeign(_ id: OperationID) { state.withLock { $0.foreign[id] = nil } }
}

/// The end of a barrier: after its closure; or, cancelled before, when Foundation lets go of the closure
/// unrun.
///
/// The recorder sees nothing of a barrier but its closure.
private final class BarrierEnd: Sendable {
    private let barrier: OperationObservation

    init(_ barrier: OperationObservation) { self.barrier = barrier }

    deinit { note(.cancelled, notBefore: barrier.enqueueTime) }

    func note(_ outcome: Outcome, notBefore: LogTime? = nil) {
        barrier.noteFinished(outcome, notBefore: notBefore)
        barrier.queue.barriers.remove(barrier)
    }
}
