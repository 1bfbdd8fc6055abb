import EventLog
import Foundation

/// Operations that are being added to a queue: what they wait for, and who is told: a log, observers or both.
///
/// Taken before they are added. Each is to be given to `track` before that, and to `arm` after.
struct TrackedEnqueue {
    /// How an operation is followed from then on.
    struct Tracked {
        var log: LogSink.Following?
        var watched: WatchedOperation?
    }

    // Side by side, not as an optional `LogSink`: to destroy that takes 200 instructions.
    private let observation: QueueObservation?
    private let parent: OperationID?
    private let observers: ObserverSink?
    /// Nil unless readiness is pending, since it is retained for each operation that is added.
    private let barriers: QueueBarriers?
    /// The barriers that have not finished: what is added waits for them.
    private let unfinished: [QueueBarrier]
    /// Whether an operation's being ready means nothing before it has been added.
    private var isReadinessPending: Bool { barriers != nil }

    init(
        to queue: OperationQueue, _ tracker: QueueTracker, _ observation: QueueObservation?,
        parent: OperationID?, _ observers: ObserverSink?
    ) {
        self.observation = observation
        self.parent = parent
        self.observers = observers
        unfinished = tracker.barriers.unfinished
        let isReadinessPending = !unfinished.isEmpty || tracker.mayHoldUntrackedBarrier(queue)
        barriers = isReadinessPending ? tracker.barriers : nil
    }

    private var log: LogSink? { observation.map { LogSink(queue: $0, parent: parent) } }

    /// Tells of `operation`, and sees to it that what happens to it is told.
    ///
    /// - Parameter isNew: not so where it may have been told already.
    func track(_ operation: Operation, isNew: Bool = true) -> Tracked {
        var tracked = Tracked()
        if let log, isNew || !log.queue.writer.hasEnqueue(of: operation) {
            tracked.log = log.enqueue(operation, behind: unfinished, isReadinessPending: isReadinessPending)
        }
        if let observers {
            tracked.watched = observers.enqueue(
                operation, behind: unfinished, isReadinessPending: isReadinessPending,
                recorded: observation.map { ($0.writer.identity(of: operation).id, $0.id) })
        }
        return tracked
    }

    /// To be called when Foundation has added `operation`, and with it the edges of the barriers.
    ///
    /// It waits for the barriers, also where Foundation says that it is ready: it gives no edges of a barrier
    /// that is running.
    func arm(_ operation: Operation, _ tracked: Tracked) {
        barriers?.whenFinished(unfinished) { [weak operation] in
            guard let operation else { return }
            tracked.log?.arm(operation)
            tracked.watched?.arm(operation)
        }
    }

    /// Tells of a barrier behind `waiting`, and gives `add` what is to be added as the barrier: it runs
    /// `body`, and says when.
    func addBarrier(
        behind waiting: [Operation], to barriers: QueueBarriers, _ body: @escaping @Sendable () -> Void,
        add: (@escaping @Sendable () -> Void) -> Void
    ) {
        let logged = log?.enqueueBarrier(behind: waiting, unfinished)
        let watched = observers?.enqueueBarrier(
            behind: waiting, unfinished, recorded: logged.map { ($0.id, $0.queue.id) })
        if let logged {
            let isReadyAtOnce = waiting.isEmpty && unfinished.isEmpty
            FinishSentinel.watch(waiting) { [unfinished] in
                barriers.whenFinished(unfinished) {
                    logged.noteReady(notBefore: isReadyAtOnce ? nil : logged.enqueueTime)
                }
            }
        }
        let barrier = QueueBarrier(OperationListeners(log: logged, watched: watched))
        let end = BarrierEnd(barrier, in: barriers)
        add {
            barrier.listeners.noteExecuting()
            barrier.listeners.runBody(body)
            end.note(.succeeded)
        }
        // Only now: what another thread added meanwhile does not wait for it.
        barriers.add(barrier)
    }
}

/// The end of a barrier: after its closure; or, cancelled before, when Foundation lets go of the closure
/// unrun.
private final class BarrierEnd: Sendable {
    private let barrier: QueueBarrier
    private let barriers: QueueBarriers

    init(_ barrier: QueueBarrier, in barriers: QueueBarriers) {
        self.barrier = barrier
        self.barriers = barriers
    }

    deinit { note(.cancelled, notBefore: barrier.listeners.log?.enqueueTime) }

    func note(_ outcome: Outcome, notBefore: LogTime? = nil) {
        barrier.listeners.log?.noteFinished(outcome, notBefore: notBefore)
        barrier.listeners.watched?.noteFinished(outcome)
        barriers.end(barrier)
    }
}
