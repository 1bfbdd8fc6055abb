import CRecorder
import EventLog
import Foundation
import Synchronization

/// Tracks one queue of any class, for its recorder's log and for observers: its identifiers there, and what
/// newly added operations wait for.
///
/// It does not retain the queue.
final class QueueTracker: Sendable {
    private struct State {
        /// The queue's observation in the latest log.
        var observation: LoggedQueue?
        /// The parent of everything that is added, on any thread.
        var owner: (logged: CurrentOperation?, watched: WatchedOperation?)
        /// Used again while the queue's name and owner stay the same.
        var sink: ObserverSink?
    }

    let recorder: Recorder
    /// Barriers that have not finished and that a log or observers know about.
    let barriers = QueueBarriers()
    /// Whether a barrier was added without being tracked, and may still be waiting.
    private let mayHoldUntracked: Atomic<Bool>
    /// How many additions remain until the queue's operations are counted again.
    private let additionsToCount = Atomic(0)
    private let watchedID = ObserverSink.nextQueueID
    private let state = Locked(State())
    private let plainQueue = PlainQueue()
    private let hasOwner = Atomic(false)

    /// - Parameter isInUse: whether the queue may already hold barriers.
    init(recorder: Recorder, isInUse: Bool = false) {
        self.recorder = recorder
        mayHoldUntracked = Atomic(isInUse)
    }

    /// Makes `operation` the parent of everything that is added from now on, on any thread.
    func setOwner(_ operation: CurrentOperation?, _ watched: WatchedOperation?) {
        state.withLock { $0.owner = (operation, watched) }
        hasOwner.store(operation != nil, ordering: .relaxed)
    }

    // MARK: The queue in a log

    /// The queue's observation in the current log. Nil while nothing is recorded, or nothing was added.
    var observation: LoggedQueue? {
        guard let writer = recorder.writer else { return nil }
        return state.withLock { $0.observation?.writer === writer ? $0.observation : nil }
    }

    /// Like `observation`, but begins it if needed. Nil while nothing is recorded.
    func observation(of queue: OperationQueue) -> LoggedQueue? {
        guard recorder.isRecording else { return nil }
        let known = state.withLock { $0.observation }
        return known?.writer.isOpen == true ? known : open(queue)
    }

    private func open(_ queue: OperationQueue) -> LoggedQueue? {
        guard let writer = recorder.writer else { return nil }
        let opened = LoggedQueue(of: queue, writer: writer)
        return state.withLock { state in
            // Two threads may add the first operation at once. Only one observation stays.
            if let observation = state.observation, observation.writer === writer { return observation }
            state.observation = opened
            plainQueue.set(opened)
            return opened
        }
    }

    /// Reports that everything in the queue is being cancelled.
    func recordCancellation() {
        observation?.recordCancellation()
        for barrier in barriers.unfinished { barrier.receivers.recordCancelled() }
    }

    // MARK: Adding operations

    /// Whether operations that are added now are recorded, for a log or an observer.
    var isTracking: Bool { recorder.isRecording || OperationObservers.isAnyInstalled }

    /// Logs the enqueue of an operation that has no name, edges or priority, in a queue without barriers.
    /// Call this before it is added; there is nothing else to do then. False if there is more to log, or if
    /// observers must be notified.
    func enqueuePlainly(_ operation: Operation) -> Bool {
        guard let queue = plainQueue.current, !OperationObservers.isAnyInstalled,
            barriers.areFinished, !mayHoldUntracked.load(ordering: .relaxed),
            !hasOwner.load(ordering: .relaxed), !recorder_is_forked_child()
        else { return false }
        let parent = LogReference(of: queue).currentOperation?.rawValue ?? 0
        if type(of: operation) == ObservedBlock.self {
            return unsafeDowncast(operation, to: ObservedBlock.self).enqueuePlainly(in: queue, parent: parent)
        }
        if let own = operation as? AsynchronousOperation {
            return own.enqueuePlainly(in: queue, parent: parent)
        }
        return recorder_enqueue_plain(queue, Unmanaged.passUnretained(operation).toOpaque(), parent)
    }

    /// Call this before operations are added to `queue`. Nil if they are not recorded.
    func beginEnqueue(to queue: OperationQueue) -> TrackedEnqueue? {
        let (observation, parent) = recorder.isRecording ? observationAndParent(queue) : (nil, nil)
        let observers = OperationObservers.isAnyInstalled ? observerSink(of: queue) : nil
        guard observation != nil || observers != nil else { return nil }
        return TrackedEnqueue(to: queue, self, observation, parent: parent, observers)
    }

    /// Reports a barrier, which `add` adds to `queue` with the closure that it is given.
    func addBarrier(
        to queue: OperationQueue, _ body: @escaping @Sendable () -> Void,
        add: (@escaping @Sendable () -> Void) -> Void
    ) {
        guard let enqueue = beginEnqueue(to: queue) else {
            add(body)
            return mayHoldUntracked.store(true, ordering: .relaxed)
        }
        enqueue.addBarrier(behind: queue.operations, to: barriers, body, add: add)
    }

    private func observationAndParent(_ queue: OperationQueue) -> (LoggedQueue?, OperationID?) {
        var (observation, owner) = state.withLock { ($0.observation, $0.owner.logged) }
        if observation?.writer.isOpen != true { observation = open(queue) }
        guard let writer = observation?.writer else { return (nil, nil) }
        plainQueue.renewClosureKind(in: writer.log)
        return (observation, owner?.id(in: writer.reference) ?? writer.currentOperation)
    }

    private func observerSink(of queue: OperationQueue) -> ObserverSink {
        let (sink, owner) = state.withLock { ($0.sink, $0.owner.watched) }
        let name = queue.base.storedName
        if let sink, sink.isOf(storedName: name, owner: owner) { return sink }
        let made = ObserverSink(queue: watchedID, storedName: name, owner: owner)
        state.withLock { $0.sink = made }
        return made
    }

    // MARK: Barriers that are not tracked

    /// Whether an operation that is added now may wait for a barrier that is not tracked. Ask before it is
    /// added.
    func mayHoldUntrackedBarrier(_ queue: OperationQueue) -> Bool {
        guard mayHoldUntracked.load(ordering: .relaxed) else { return false }
        let isWaiting = ClassInterposition.hasWaitingBarrier(queue) ?? mayHaveWaitingBarrier(queue)
        if !isWaiting { mayHoldUntracked.store(false, ordering: .relaxed) }
        return isWaiting
    }

    /// If Foundation does not show its barriers, there may be one until the queue was empty once. Counting
    /// takes time in proportion to what the queue holds, so it is done once in that many additions.
    private func mayHaveWaitingBarrier(_ queue: OperationQueue) -> Bool {
        guard additionsToCount.subtract(1, ordering: .relaxed).newValue < 0 else { return true }
        let count = queue.operationCount
        additionsToCount.store(count, ordering: .relaxed)
        return count > 0
    }
}
