import EventLog
import Foundation
import Synchronization

/// Tells observers of operations that are being added to a queue.
///
/// A class, because it rarely exists, and is then passed as one word.
final class ObserverSink {
    private static let lastOperation = Atomic<UInt64>(0)
    private static let lastQueue = Atomic<UInt64>(0)

    private let observers = OperationObservers.all
    private let queue: QueueID
    private let queueName: String?
    private let parent: WatchedOperation?

    init(queue: QueueID, name: String?, parent: WatchedOperation?) {
        self.queue = queue
        queueName = name
        self.parent = parent
    }

    /// Tells of `operation`, before it is added.
    ///
    /// - Parameters:
    ///   - isReadinessPending: an answer to `isReady` says nothing until it is armed.
    ///   - recorded: what the log calls it and its queue, where it is in one.
    /// - Returns: what is to be armed when it was added. Nil where it is known already.
    func enqueue(
        _ operation: Operation, behind barriers: [QueueBarrier], isReadinessPending: Bool,
        recorded: (id: OperationID, queue: QueueID)?
    ) -> WatchedOperation? {
        let found = WatchedClass.of(operation)
        (operation as? ObservedBlock)?.beginWatch()
        guard let watched = WatchedOperations.beginning(operation, found) else { return nil }
        let known = ForeignObservation.mayHaveEdges(operation) ? operation.base.storedDependencies : []
        let isNew = enqueue(
            watched, recorded, kind: found.kind ?? operationKind(of: operation),
            name: operation.base.storedName, priority: operation.base.storedPriority, after: known, barriers,
            isReadinessPending: isReadinessPending)
        guard isNew else { return nil }
        if operation.base.storedIsCancelled { watched.noteCancelled() }
        if found.following == .passive {
            followEnd(of: operation, watched)
            return nil
        }
        if found.isReadyWithoutEdges, known.isEmpty, !isReadinessPending { watched.noteReady() }
        return watched
    }

    /// Tells of a barrier behind `waiting`.
    func enqueueBarrier(
        behind waiting: [Operation], _ barriers: [QueueBarrier], recorded: (id: OperationID, queue: QueueID)?
    ) -> WatchedOperation {
        let watched = WatchedOperation()
        _ = enqueue(
            watched, recorded, kind: "Barrier", name: nil, priority: 0, after: waiting, barriers,
            isReadinessPending: false)
        watched.noteReadinessIsUnseen()
        return watched
    }

    private func enqueue(
        _ watched: WatchedOperation, _ recorded: (id: OperationID, queue: QueueID)?, kind: String,
        name: String?, priority: Int, after predecessors: [Operation], _ barriers: [QueueBarrier],
        isReadinessPending: Bool
    ) -> Bool {
        let details = WatchedOperation.Details(
            id: recorded?.id ?? OperationID(Self.next(Self.lastOperation)), kind: kind, name: name,
            queue: recorded?.queue ?? queue, queueName: queueName, priority: priority)
        return watched.enqueue(
            details, to: observers, parent: parent,
            predecessors: predecessors.compactMap { WatchedOperations.sighted($0) }
                + barriers.compactMap(\.listeners.watched),
            isReadinessPending: isReadinessPending)
    }

    /// Of an operation whose class cannot be observed only the end is seen.
    private func followEnd(of operation: Operation, _ watched: WatchedOperation) {
        FinishSentinel.watch([operation]) { [weak operation] in
            guard let operation else { return }
            let isCancelled = operation.base.storedIsCancelled
            if isCancelled { watched.noteCancelled() }
            watched.noteFinished(isCancelled ? .cancelled : .succeeded)
        }
    }

    /// What observers call a queue that has no name in a log. Never given twice in a process.
    static var nextQueueID: QueueID { QueueID(next(lastQueue)) }

    /// Logs count from 1: with the highest bit it is never a number of theirs.
    private static func next(_ last: borrowing Atomic<UInt64>) -> UInt64 {
        1 << 63 | last.add(1, ordering: .relaxed).newValue
    }
}
