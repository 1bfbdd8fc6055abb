import CRecorder
import EventLog
import Foundation

/// What the log says of one operation in a queue: sees to it that each transition stands there once.
///
/// Every method may be called on any thread, and more than once. None calls out to code of the program's, and
/// none takes a queue's lock: Foundation asks operations for `isReady` with that lock held.
final class OperationObservation: Sendable {
    let id: OperationID
    let queue: QueueObservation
    /// When the operation was enqueued: intervals in its log do not begin before that.
    let enqueueTime: LogTime
    private let notes: TransitionNotes

    private var writer: EventLogWriter { queue.writer }

    /// Logs the enqueue.
    ///
    /// - Parameter isReadinessPending: an answer to `isReady` says nothing until `armReadiness(of:)`.
    init(
        _ enqueue: LogEvent.Enqueue, code: ClosureCode? = nil, in queue: QueueObservation,
        isReadinessPending: Bool = false
    ) {
        id = enqueue.operation
        self.queue = queue
        notes = TransitionNotes(isReadinessPending ? .isReadinessPending : [])
        enqueueTime = queue.writer.append(.enqueued(enqueue), code: code)
    }

    /// Logs an enqueue of which there is nothing more to say; it is ready at once.
    init(
        readyAtOnce id: OperationID, kind: UInt32, parent: OperationID?, code: ClosureCode?,
        in queue: QueueObservation
    ) {
        self.id = id
        self.queue = queue
        notes = TransitionNotes(.ready)
        enqueueTime = queue.appendEnqueue(of: id, kind: kind, parent: parent, code: code, isReady: true)
    }

    /// To be called when `operation` has all the edges of its enqueue.
    func armReadiness(of operation: Operation) {
        guard notes.remove(.isReadinessPending) else { return }
        let question = readinessQuestion
        if ForeignObservation.isKnownReady(operation) { noteReady(question) }
    }

    /// To be taken before the operation is asked whether it is ready.
    var readinessQuestion: TransitionNotes.Question { notes.question }

    /// Notes that it is ready.
    ///
    /// - Parameter question: as it was before the operation gave that answer. Nil where it is known
    ///   otherwise.
    func noteReady(_ question: TransitionNotes.Question? = nil, notBefore: LogTime? = nil) {
        guard !notes.contains(any: [.ready, .isReadinessPending, .finished]) else { return }
        // The time first, then the note: whoever starts it meanwhile has a later time.
        let time = writer.now
        guard notes.insertReady(question ?? notes.question, unless: .executing) else { return }
        writer.append(.ready(id), notBefore: notBefore, at: time)
    }

    func noteExecuting(notBefore: LogTime? = nil) {
        guard notes.insert(.executing, unless: .finished) else { return }
        // Nobody asked whether it was ready: it has been, at some time.
        if notes.insert(.ready) { writer.append(.ready(id), notBefore: enqueueTime) }
        writer.append(.executing(id), notBefore: notBefore)
    }

    /// Runs the body of the operation: what it enqueues are this one's children.
    func runBody(_ body: () -> Void) {
        let before = writer.log.enter(id)
        CurrentOperation.$value.withValue(CurrentOperation(log: writer.log.number, id: id)) { body() }
        writer.log.leave(to: before)
    }

    /// As `runBody`. The end of the body is only worth a record where the operation goes on.
    func noteBody(_ body: () -> Void) {
        runBody(body)
        if !notes.contains(any: .finished) { writer.append(.bodyEnded(id)) }
    }

    /// For an operation whose body began later than it did.
    func noteBodyBegan() { writer.append(.bodyBegan(id)) }

    func noteMark(_ text: String) { writer.append(.marked(text, by: id)) }

    func noteCancelled(notBefore: LogTime? = nil) {
        guard notes.insert(.cancelled, unless: .finished) else { return }
        writer.append(.cancelled(id), notBefore: notBefore)
    }

    func noteFinished(_ outcome: Outcome, notBefore: LogTime? = nil) {
        guard notes.insert(.finished) else { return }
        writer.append(.finished(id, outcome), notBefore: notBefore)
    }

    /// Logs that this thread waits for `operation`, which this is about, while it is in `body`.
    func noteWait(for operation: Operation, _ body: () -> Void) {
        guard !recorder_is_queue_waiting() else { return body() }
        writer.noteWait(.waitBegan(.operation(id), by: writer.currentOperation), for: operation, body)
    }

    /// Logs an edge that `add` adds. The operation is to be asked after that whether it is ready.
    func noteDependency(on predecessor: Operation, _ add: () -> Void) {
        notes.beginEdge()
        writer.append(.dependencyAdded(id, predecessor: writer.identify(predecessor)))
        add()
        notes.endEdge()
    }

    func noteDependencyRemoved(on predecessor: Operation) {
        writer.append(.dependencyRemoved(id, predecessor: writer.identify(predecessor)))
    }
}
