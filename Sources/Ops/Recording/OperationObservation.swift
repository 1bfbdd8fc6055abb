import Foundation

/// What the log says of one operation in a queue: sees to it that each transition stands there once.
///
/// Every method may be called on any thread, and more than once. None calls out to code of the program's, and none
/// takes a queue's lock: Foundation asks operations for `isReady` with that lock held.
final class OperationObservation: Sendable {
    private struct Noted: OptionSet {
        let rawValue: UInt8
        static let ready = Noted(rawValue: 1)
        static let executing = Noted(rawValue: 2)
        static let cancelled = Noted(rawValue: 4)
        static let finished = Noted(rawValue: 8)
        /// Foundation asks for `isReady` before it adds the edges of a barrier that is waiting: too early.
        static let isReadinessPending = Noted(rawValue: 16)
    }

    let id: OperationID
    let queue: QueueObservation
    /// When the operation was enqueued: nothing of it that is logged as an interval began before that.
    let enqueueTime: LogTime
    private let noted: Locked<Noted>

    private var writer: EventLogWriter { queue.writer }

    /// Logs the enqueue.
    ///
    /// - Parameter isReadinessPending: an answer to `isReady` says nothing until `armReadiness(of:)`.
    init(_ enqueue: LogEvent.Enqueue, in queue: QueueObservation, isReadinessPending: Bool) {
        id = enqueue.operation
        self.queue = queue
        noted = Locked(isReadinessPending ? [.isReadinessPending] : [])
        enqueueTime = queue.writer.append(.enqueued(enqueue))
    }

    /// To be called when `operation` has all the edges of its enqueue.
    func armReadiness(of operation: Operation) {
        let wasPending = noted.withLock { noted in
            defer { noted.subtract(.isReadinessPending) }
            return noted.contains(.isReadinessPending)
        }
        if wasPending && operation.isReady { noteReady(notBefore: enqueueTime) }
    }

    func noteReady(notBefore: LogTime? = nil) {
        guard
            noted.withLock({
                $0.isDisjoint(with: [.isReadinessPending, .finished]) && $0.insert(.ready).inserted
            })
        else { return }
        writer.append(.ready(id), notBefore: notBefore)
    }

    func noteExecuting(notBefore: LogTime? = nil) {
        guard noted.withLock({ !$0.contains(.finished) && $0.insert(.executing).inserted }) else { return }
        queue.refresh()
        writer.append(.executing(id), notBefore: notBefore)
    }

    /// Runs the body of the operation: what it enqueues are this one's children. Its end is only worth a record where
    /// the operation goes on.
    func noteBody(_ body: () -> Void) {
        CurrentOperation.$id.withValue(id) { body() }
        if !noted.withLock({ $0.contains(.finished) }) { writer.append(.bodyEnded(id)) }
    }

    func noteCancelled(notBefore: LogTime? = nil) {
        guard noted.withLock({ !$0.contains(.finished) && $0.insert(.cancelled).inserted }) else { return }
        writer.append(.cancelled(id), notBefore: notBefore)
    }

    func noteFinished(_ outcome: Outcome, notBefore: LogTime? = nil) {
        guard noted.withLock({ $0.insert(.finished).inserted }) else { return }
        writer.append(.finished(id, outcome), notBefore: notBefore)
    }

    /// Logs that this thread waits for the operation while it is in `body`.
    func noteWait(_ body: () -> Void) {
        writer.append(.waitBegan(.operation(id), by: CurrentOperation.id))
        body()
        writer.append(.waitEnded)
    }

    func noteDependency(on predecessor: Operation, isRemoved: Bool = false) {
        let predecessor = writer.identify(predecessor)
        writer.append(
            isRemoved
                ? .dependencyRemoved(id, predecessor: predecessor)
                : .dependencyAdded(id, predecessor: predecessor))
    }

}

extension EventLogWriter {
    /// The identifier of `operation`. The log is told of one that it has never heard of.
    func identify(_ operation: Operation) -> OperationID {
        let (id, isNew) = registry.identify(operation)
        if isNew { append(.sighted(id, kind: operationKind(of: operation), name: operation.name)) }
        return id
    }
}
