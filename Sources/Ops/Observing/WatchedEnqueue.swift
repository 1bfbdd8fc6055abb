import CRecorder
import EventLog
import Foundation
import Synchronization

/// Operations that are being added to a queue, as observers are told of them.
///
/// A class, because most of the time there is none, and nobody is to carry it around.
final class WatchedEnqueue {
    private static let lastID = Atomic<UInt64>(0)

    private let observers = OperationObservers.all
    private let queue: QueueWatch
    private let queueName: String?
    private let parent: WatchedOperation?
    /// The barriers that have not finished: what is added waits for them.
    private let barriers: [WatchedOperation]

    /// - Parameter owner: the group whose children are added.
    init(_ watch: QueueWatch, of queue: OperationQueue, owner: WatchedOperation? = nil) {
        self.queue = watch
        queueName = queue.base.givenName
        parent = owner ?? WatchedOperation.current
        barriers = watch.barriers.unfinished
    }

    /// Tells of `operation`, before it is added.
    ///
    /// - Parameter recorded: what the log calls it and its queue, where it is in one.
    /// - Returns: what is to be armed when it was added. Nil where it is known already.
    func tell(_ operation: Operation, recorded: (id: OperationID, queue: QueueID)?) -> WatchedOperation? {
        let found = WatchedClass.of(operation)
        (operation as? ObservedBlock)?.beginWatch()
        guard let watched = WatchedOperations.beginning(operation, found) else { return nil }
        let known = ForeignObservation.mayHaveEdges(operation) ? operation.base.storedDependencies : []
        let details = WatchedOperation.Details(
            id: recorded?.id ?? Self.nextID, kind: found.kind ?? operationKind(of: operation),
            name: operation.base.storedName, queue: recorded?.queue ?? queue.id, queueName: queueName,
            priority: operation.base.storedPriority)
        let isNew = watched.enqueue(
            details, to: observers, parent: parent,
            predecessors: known.compactMap { WatchedOperations.sighted($0) } + barriers,
            isReadinessPending: !barriers.isEmpty)
        guard isNew else { return nil }
        if operation.base.storedIsCancelled { watched.noteCancelled() }
        if found.following == .outside {
            follow(operation, watched)
        } else if found.isReadyWithoutEdges, known.isEmpty, barriers.isEmpty {
            watched.noteReady()
        }
        return watched
    }

    /// As `tell`, of a closure that is in the log of `queue`, if that is given.
    func tell(_ closure: ObservedBlock, recordedIn queue: QueueObservation?) -> WatchedOperation? {
        tell(closure, recorded: queue.map { (closure.identity(in: $0.writer).id, $0.id) })
    }

    /// To be called when `operation` was added: it waits for the barriers, also where Foundation says that it
    /// is ready.
    func arm(_ operation: Operation, _ watched: WatchedOperation) {
        guard !barriers.isEmpty, WatchedClass.of(operation).following != .outside else { return }
        queue.barriers.whenFinished(barriers) { [weak operation] in
            if let operation { watched.arm(operation) }
        }
    }

    /// Of an operation whose class cannot be observed only the end is seen.
    private func follow(_ operation: Operation, _ watched: WatchedOperation) {
        FinishSentinel.watch([operation]) { [weak operation] in
            guard let operation else { return }
            let isCancelled = operation.base.storedIsCancelled
            if isCancelled { watched.noteCancelled() }
            watched.noteFinished(isCancelled ? .cancelled : .succeeded)
        }
    }

    /// Tells of a barrier behind `waiting`, and gives `add` what is to be added as the barrier: it runs
    /// `barrier`, and says when.
    func tellBarrier(
        behind waiting: [Operation], _ barrier: @escaping @Sendable () -> Void,
        recorded: (id: OperationID, queue: QueueID)?,
        add: (@escaping @Sendable () -> Void) -> Void
    ) {
        let watched = WatchedOperation()
        let details = WatchedOperation.Details(
            id: recorded?.id ?? Self.nextID, kind: "Barrier", name: nil,
            queue: recorded?.queue ?? queue.id, queueName: queueName, priority: 0)
        _ = watched.enqueue(
            details, to: observers, parent: parent,
            predecessors: waiting.compactMap { WatchedOperations.sighted($0) } + barriers,
            isReadinessPending: false)
        watched.noteReadinessIsUnseen()
        let end = WatchedBarrierEnd(watched, in: queue)
        add {
            watched.noteExecuting()
            watched.runBody(mayWorkOn: false, barrier)
            end.note(.succeeded)
        }
        // Only now: what another thread added meanwhile does not wait for it.
        queue.barriers.add(watched)
    }

    /// Logs count from 1: with the highest bit it is never a number of theirs.
    private static var nextID: OperationID {
        OperationID(1 << 63 | lastID.add(1, ordering: .relaxed).newValue)
    }
}

/// The end of a barrier: after its closure; or, cancelled before, when Foundation lets go of the closure
/// unrun.
private final class WatchedBarrierEnd: Sendable {
    private let barrier: WatchedOperation
    private let queue: QueueWatch

    init(_ barrier: WatchedOperation, in queue: QueueWatch) {
        self.barrier = barrier
        self.queue = queue
    }

    deinit { note(.cancelled) }

    func note(_ outcome: Outcome) {
        barrier.noteFinished(outcome)
        queue.barriers.remove(barrier)
    }
}
