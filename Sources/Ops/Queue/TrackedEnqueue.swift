import EventLog
import Foundation

/// Operations that are being added to a queue: what they wait for, and the receivers of their events: a log,
/// observers or both.
///
/// Create it before they are added. Pass each to `track` before it is added, and to `arm` afterwards.
struct TrackedEnqueue {
    /// How an operation is recorded from then on.
    struct Tracked {
        var log: EnqueueLogger.Recording?
        var watched: WatchedOperation?
    }

    /// The barriers that keep added operations from being ready.
    private final class Pending: Sendable {
        let barriers: QueueBarriers
        /// The barriers that have not finished. Operations that are added wait for them.
        let unfinished: [QueueBarrier]

        init(_ barriers: QueueBarriers, _ unfinished: [QueueBarrier]) {
            self.barriers = barriers
            self.unfinished = unfinished
        }
    }

    // Four words fit into registers. With more of them, each operation takes 150 more instructions.
    private let observation: LoggedQueue?
    /// Zero without a parent.
    private let parent: UInt64
    private let observers: ObserverSink?
    /// Nil most of the time.
    private let pending: Pending?

    init(
        to queue: OperationQueue, _ tracker: QueueTracker, _ observation: LoggedQueue?,
        parent: OperationID?, _ observers: ObserverSink?
    ) {
        self.observation = observation
        self.parent = parent?.rawValue ?? 0
        self.observers = observers
        let unfinished = tracker.barriers.unfinished
        let isPending = !unfinished.isEmpty || tracker.mayHoldUntrackedBarrier(queue)
        pending = isPending ? Pending(tracker.barriers, unfinished) : nil
    }

    private var log: EnqueueLogger? {
        observation.map { EnqueueLogger(queue: $0, parent: parent == 0 ? nil : OperationID(parent)) }
    }

    private var unfinished: [QueueBarrier] { pending?.unfinished ?? [] }

    /// Reports `operation` to its log and observers, and records it from now on.
    ///
    /// - Parameter isNew: false if it may have been reported already.
    func track(_ operation: Operation, isNew: Bool = true) -> Tracked {
        var tracked = Tracked()
        if let log, isNew || !log.queue.writer.hasEnqueue(of: operation) {
            tracked.log = log.enqueue(operation, behind: unfinished, isReadinessPending: pending != nil)
        }
        if let observers {
            tracked.watched = observers.enqueue(
                operation, behind: unfinished, isReadinessPending: pending != nil,
                recorded: observation.map { ($0.writer.identity(of: operation).id, $0.id) })
        }
        return tracked
    }

    /// Call this when Foundation has added `operation`, together with the edges of the barriers.
    ///
    /// The operation waits for the barriers even if Foundation says that it is ready, because Foundation adds
    /// no edges to a barrier that is running.
    func arm(_ operation: Operation, _ tracked: Tracked) {
        pending?.barriers.whenFinished(unfinished) { [weak operation] in
            guard let operation else { return }
            tracked.log?.arm(operation)
            tracked.watched?.arm(operation)
        }
    }

    /// Reports a barrier behind `waiting`, and passes `add` the closure to add as the barrier. It runs
    /// `body`, and reports when.
    func addBarrier(
        behind waiting: [Operation], to barriers: QueueBarriers, _ body: @escaping @Sendable () -> Void,
        add: (@escaping @Sendable () -> Void) -> Void
    ) {
        let unfinished = unfinished
        let logged = log?.enqueueBarrier(behind: waiting, unfinished)
        let watched = observers?.enqueueBarrier(
            behind: waiting, unfinished,
            recorded: logged.flatMap { logged in observation.map { (logged.id, $0.id) } })
        if let logged {
            let isReadyAtOnce = waiting.isEmpty && unfinished.isEmpty
            FinishSentinel.observe(waiting) {
                barriers.whenFinished(unfinished) {
                    logged.recordReady(notBefore: isReadyAtOnce ? nil : logged.enqueueTime)
                }
            }
        }
        let barrier = QueueBarrier(OperationReceivers(log: logged, watched: watched))
        let end = BarrierEnd(barrier, in: barriers)
        add {
            barrier.receivers.recordExecuting()
            barrier.receivers.runBody(body)
            end.record(.succeeded)
        }
        // Only now, because operations that another thread added meanwhile do not wait for it.
        barriers.add(barrier)
    }
}

/// The end of a barrier: after its closure; or, if it was cancelled before, when Foundation releases the
/// closure without running it.
private final class BarrierEnd: Sendable {
    private let barrier: QueueBarrier
    private let barriers: QueueBarriers

    init(_ barrier: QueueBarrier, in barriers: QueueBarriers) {
        self.barrier = barrier
        self.barriers = barriers
    }

    deinit { record(.cancelled, notBefore: barrier.receivers.log?.enqueueTime) }

    func record(_ outcome: Outcome, notBefore: LogTime? = nil) {
        barrier.receivers.log?.recordFinished(outcome, notBefore: notBefore)
        barrier.receivers.watched?.recordFinished(outcome)
        barriers.end(barrier)
    }
}
