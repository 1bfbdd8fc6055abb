import EventLog
import Foundation

/// Operations that are being added to a queue, and who is told of them: a log, observers, or both.
struct Addition {
    /// What is to be done when an operation was added.
    struct Told {
        var logged: Enqueuing.Following?
        var watched: WatchedOperation?
    }

    let logged: Enqueuing?
    let watched: WatchedEnqueue?

    /// Nil where nobody is to be told.
    init?(logged: Enqueuing?, watched: WatchedEnqueue?) {
        guard logged != nil || watched != nil else { return nil }
        self.logged = logged
        self.watched = watched
    }

    /// To be called before `operation` is added.
    ///
    /// - Parameter isNew: not so where the log may have its enqueue already.
    func tell(_ operation: Operation, isNew: Bool = true) -> Told {
        var told = Told()
        if let logged, isNew || !logged.queue.writer.hasEnqueue(of: operation) {
            told.logged = logged.log(operation)
        }
        guard let watched else { return told }
        told.watched = watched.tell(operation, recorded: recorded(operation))
        return told
    }

    private func recorded(_ operation: Operation) -> (id: OperationID, queue: QueueID)? {
        logged.map { ($0.queue.writer.identity(of: operation).id, $0.queue.id) }
    }

    /// To be called when `operation` was added.
    func arm(_ operation: Operation, _ told: Told) {
        if let following = told.logged { logged?.arm(operation, following) }
        if let operationWatch = told.watched { watched?.arm(operation, operationWatch) }
    }

    /// Tells of a barrier behind `waiting`, and gives `add` what is to be added as the barrier.
    func addBarrier(
        behind waiting: [Operation], _ barrier: @escaping @Sendable () -> Void,
        add: (@escaping @Sendable () -> Void) -> Void
    ) {
        guard let logged else {
            watched?.tellBarrier(behind: waiting, barrier, recorded: nil, add: add)
            return
        }
        logged.queue.recordBarrier(behind: waiting, parent: logged.parent, barrier) { id, barrier in
            guard let watched else { return add(barrier) }
            watched.tellBarrier(
                behind: waiting, barrier, recorded: (id, logged.queue.id), add: add)
        }
    }
}
