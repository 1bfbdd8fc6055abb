import Foundation
import Synchronization

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
    private let noted: Atomic<UInt8>

    private var writer: EventLogWriter { queue.writer }

    /// Logs the enqueue.
    ///
    /// - Parameter isReadinessPending: an answer to `isReady` says nothing until `armReadiness(of:)`.
    init(_ enqueue: LogEvent.Enqueue, in queue: QueueObservation, isReadinessPending: Bool = false) {
        id = enqueue.operation
        self.queue = queue
        noted = Atomic(isReadinessPending ? Noted.isReadinessPending.rawValue : 0)
        enqueueTime = queue.writer.append(.enqueued(enqueue))
    }

    /// To be called when `operation` has all the edges of its enqueue.
    func armReadiness(of operation: Operation) {
        let before = noted.bitwiseAnd(~Noted.isReadinessPending.rawValue, ordering: .acquiringAndReleasing)
            .oldValue
        let wasPending = Noted(rawValue: before).contains(.isReadinessPending)
        if wasPending && operation.isReady { noteReady(notBefore: enqueueTime) }
    }

    private func isNoted(_ any: Noted) -> Bool {
        !Noted(rawValue: noted.load(ordering: .acquiring)).isDisjoint(with: any)
    }

    /// True for the first who notes it, where none of the others is noted.
    private func note(_ what: Noted, unless others: Noted = []) -> Bool {
        guard !isNoted(others.union(what)) else { return false }
        let before = noted.bitwiseOr(what.rawValue, ordering: .acquiringAndReleasing).oldValue
        return Noted(rawValue: before).isDisjoint(with: what)
    }

    func noteReady(notBefore: LogTime? = nil) {
        guard note(.ready, unless: [.isReadinessPending, .finished]) else { return }
        writer.append(.ready(id), notBefore: notBefore)
    }

    func noteExecuting(notBefore: LogTime? = nil) {
        guard note(.executing, unless: .finished) else { return }
        writer.append(.executing(id), notBefore: notBefore)
    }

    /// Runs the body of the operation: what it enqueues are this one's children. Its end is only worth a record where
    /// the operation goes on.
    func noteBody(_ body: () -> Void) {
        let before = writer.log.enter(id)
        CurrentOperation.$id.withValue(id) { body() }
        writer.log.leave(to: before)
        if !isNoted(.finished) { writer.append(.bodyEnded(id)) }
    }

    func noteCancelled(notBefore: LogTime? = nil) {
        guard note(.cancelled, unless: .finished) else { return }
        writer.append(.cancelled(id), notBefore: notBefore)
    }

    func noteFinished(_ outcome: Outcome, notBefore: LogTime? = nil) {
        guard note(.finished) else { return }
        writer.append(.finished(id, outcome), notBefore: notBefore)
    }

    /// Logs that this thread waits for the operation while it is in `body`.
    func noteWait(_ body: () -> Void) {
        writer.append(.waitBegan(.operation(id), by: writer.currentOperation))
        body()
        writer.append(.waitEnded)
    }

    func noteDependency(on predecessor: Operation, isRemoved: Bool = false) {
        // It waits again; when it is ready the next time, that counts.
        if !isRemoved && !isNoted(.executing) {
            noted.bitwiseAnd(~Noted.ready.rawValue, ordering: .acquiringAndReleasing)
        }
        let predecessor = writer.identify(predecessor)
        writer.append(
            isRemoved
                ? .dependencyRemoved(id, predecessor: predecessor)
                : .dependencyAdded(id, predecessor: predecessor))
    }

}
