import EventLog
import Foundation
import Synchronization

/// Notifies observers about operations that are being added to a queue.
///
/// The queue keeps it, and makes a new one when its name or owner has changed.
final class ObserverSink: Sendable {
    private static let lastOperation = Atomic<UInt64>(0)
    private static let lastQueue = Atomic<UInt64>(0)

    private let queue: QueueID
    private let storedName: String?
    private let queueName: String?
    private let owner: WatchedOperation?

    /// - Parameter owner: the parent of everything that is added, on any thread.
    init(queue: QueueID, storedName: String?, owner: WatchedOperation?) {
        self.queue = queue
        self.storedName = storedName
        queueName = StoredQueue.givenName(storedName)
        self.owner = owner
    }

    /// Whether the queue still has that name and that owner.
    func isOf(storedName: String?, owner: WatchedOperation?) -> Bool {
        self.storedName == storedName && self.owner === owner
    }

    /// Notifies observers about `operation`, before it is added.
    ///
    /// - Parameters:
    ///   - isReadinessPending: an answer to `isReady` means nothing until the result is armed.
    ///   - recorded: its identifier and its queue's in the log, if it is in one.
    /// - Returns: what to arm when it was added. Nil if observers know it already.
    func enqueue(
        _ operation: Operation, behind barriers: [QueueBarrier], isReadinessPending: Bool,
        recorded: (id: OperationID, queue: QueueID)?
    ) -> WatchedOperation? {
        let found = WatchedClass.of(operation)
        guard let watched = WatchedOperations.beginning(operation, found) else { return nil }
        let known = ClassInterposition.mayHaveEdges(operation) ? operation.base.storedDependencies : []
        let isNew = watched.enqueue(
            details(
                recorded, kind: found.kind ?? operationKind(of: operation), name: operation.base.storedName,
                priority: operation.base.storedPriority),
            to: OperationObservers.all, parent: parent, predecessors: predecessors(known, barriers),
            isReadinessPending: isReadinessPending)
        guard isNew else { return nil }
        if ClassInterposition.isCancelled(operation) { watched.recordCancelled() }
        if found.observationMethod == .passive {
            observeEnd(of: operation, watched)
            return nil
        }
        if found.isReadyWithoutEdges, known.isEmpty, !isReadinessPending { watched.recordReady() }
        return watched
    }

    /// Notifies observers about a barrier behind `waiting`.
    func enqueueBarrier(
        behind waiting: [Operation], _ barriers: [QueueBarrier], recorded: (id: OperationID, queue: QueueID)?
    ) -> WatchedOperation {
        let watched = WatchedOperation()
        _ = watched.enqueue(
            details(recorded, kind: KnownKind.barrier, name: nil, priority: 0), to: OperationObservers.all,
            parent: parent, predecessors: predecessors(waiting, barriers), isReadinessPending: false)
        watched.recordUnseenReadiness()
        return watched
    }

    private var parent: WatchedOperation? { owner ?? WatchedOperation.current }

    private func details(
        _ recorded: (id: OperationID, queue: QueueID)?, kind: String, name: String?, priority: Int
    ) -> WatchedOperation.Details {
        WatchedOperation.Details(
            id: recorded?.id ?? OperationID(Self.next(Self.lastOperation)), kind: kind, name: name,
            queue: recorded?.queue ?? queue, queueName: queueName, priority: priority)
    }

    private func predecessors(_ operations: [Operation], _ barriers: [QueueBarrier]) -> [WatchedOperation] {
        // Most operations wait for nothing, and need no new arrays.
        if operations.isEmpty && barriers.isEmpty { return [] }
        return operations.compactMap { WatchedOperations.sighted($0) }
            + barriers.compactMap(\.receivers.watched)
    }

    /// Reports only the end of an operation whose class cannot be observed.
    private func observeEnd(of operation: Operation, _ watched: WatchedOperation) {
        FinishSentinel.observe([operation]) { [weak operation] in
            guard let operation else { return }
            let isCancelled = operation.base.storedIsCancelled
            if isCancelled { watched.recordCancelled() }
            watched.recordFinished(isCancelled ? .cancelled : .succeeded)
        }
    }

    /// The next identifier for a queue that is not in a log. Never repeats in a process.
    static var nextQueueID: QueueID { QueueID(next(lastQueue)) }

    /// Logs count from 1, so a number with the highest bit set never clashes with theirs.
    private static func next(_ last: borrowing Atomic<UInt64>) -> UInt64 {
        1 << 63 | last.add(1, ordering: .relaxed).newValue
    }
}
