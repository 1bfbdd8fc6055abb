import CRecorder
import EventLog
import Foundation

/// The entry of one operation in a queue's log. It logs each transition once.
///
/// Every method may be called on any thread, and more than once. None calls the program's code, and none
/// takes a queue's lock: Foundation reads `isReady` while it holds that lock.
final class OperationObservation: Sendable {
    let id: OperationID
    let log: LogReference
    /// When the operation was enqueued. Intervals in its log do not begin before that.
    let enqueueTime: LogTime
    private let flags: TransitionFlags

    /// For what happens seldom.
    private var writer: EventLogWriter? { log.writer }

    /// Logs the enqueue.
    ///
    /// - Parameter isReadinessPending: an answer to `isReady` means nothing until `armReadiness(of:)`.
    init(
        _ enqueue: LogEvent.Enqueue, code: ClosureCode? = nil, in writer: EventLogWriter,
        isReadinessPending: Bool = false
    ) {
        id = enqueue.operation
        log = writer.reference
        flags = TransitionFlags(isReadinessPending ? .isReadinessPending : [])
        enqueueTime = writer.append(.enqueued(enqueue), code: code)
    }

    /// For an operation whose enqueue was logged together with its readiness.
    init(readyAtOnce id: OperationID, in log: LogReference, enqueueTime: LogTime) {
        self.id = id
        self.log = log
        self.enqueueTime = enqueueTime
        flags = TransitionFlags(.ready)
    }

    /// Call this when `operation` has all the edges of its enqueue.
    func armReadiness(of operation: Operation) {
        guard flags.remove(.isReadinessPending) else { return }
        let question = readinessQuestion
        if ClassInterposition.isKnownReady(operation) { recordReady(question) }
    }

    /// Take this before asking the operation whether it is ready.
    var readinessQuestion: TransitionFlags.Question { flags.question }

    /// Records that it is ready.
    ///
    /// - Parameter question: taken before the operation answered. Nil if its readiness is known in another
    ///   way.
    func recordReady(_ question: TransitionFlags.Question? = nil, notBefore: LogTime? = nil) {
        guard !flags.contains(any: [.ready, .isReadinessPending, .finished]) else { return }
        // Take the time before the flag is set: a thread that starts it meanwhile then has a later time.
        let time = log.now
        guard flags.insertReady(question ?? flags.question, unless: .executing) else { return }
        if let notBefore {
            writer?.append(.ready(id), notBefore: notBefore, at: time)
        } else {
            log.append(.ready, subject: id.rawValue, at: time)
        }
    }

    func recordExecuting(notBefore: LogTime? = nil) {
        guard flags.insert(.executing, unless: .finished) else { return }
        // Nobody asked whether it was ready, so the time is not known exactly.
        if flags.insert(.ready) { writer?.append(.ready(id), notBefore: enqueueTime) }
        if let notBefore {
            writer?.append(.executing(id), notBefore: notBefore)
        } else {
            log.append(.executing, subject: id.rawValue)
        }
    }

    /// Runs the body of a barrier. Operations that it enqueues become the barrier's children.
    func runBody(_ body: () -> Void) {
        let before = log.beginBody(of: id, self)
        CurrentOperation.with(CurrentOperation(log: log.number, id: id), body)
        log.endBody(of: id, before)
    }

    /// Runs the body of the operation. Logs its end, unless this thread finishes the operation before.
    func recordBody(of operation: Operation, _ body: () -> Void) {
        let before = log.beginBody(of: id, operation)
        CurrentOperation.with(CurrentOperation(log: log.number, id: id), body)
        log.leaveBody(of: id, before)
    }

    /// Runs the part of the body that is in a task.
    func recordTask(_ body: () async -> Void) async {
        await CurrentOperation.with(CurrentOperation(log: log.number, id: id), inTask: body)
    }

    /// For an operation whose body began later than the operation.
    func recordBodyBegan() { log.append(.bodyBegan, subject: id.rawValue) }

    func recordMark(_ text: String) { writer?.append(.marked(text, by: id)) }

    func recordCancelled(notBefore: LogTime? = nil) {
        guard flags.insert(.cancelled, unless: .finished) else { return }
        writer?.append(.cancelled(id), notBefore: notBefore)
    }

    func recordFinished(_ outcome: Outcome, notBefore: LogTime? = nil) {
        guard flags.insert(.finished) else { return }
        if case .succeeded = outcome, notBefore == nil {
            log.appendSuccess(of: id)
        } else {
            let end = log.recordEnd(of: id)
            writer?.append(.finished(id, outcome), notBefore: notBefore, at: notBefore == nil ? end : nil)
        }
    }

    /// Logs that this thread waits for `operation`, which this entry is about, while `body` runs.
    func recordWait(for operation: Operation, _ body: () -> Void) {
        guard !recorder_is_queue_waiting(), let writer else { return body() }
        writer.recordWait(.waitBegan(.operation(id), by: writer.waitingOperation), for: operation, body)
    }

    /// Logs an edge that `add` adds. Afterwards, ask the operation whether it is ready.
    func recordDependency(on predecessor: Operation, _ add: () -> Void) {
        flags.beginEdge()
        if let writer { writer.append(.dependencyAdded(id, predecessor: writer.identify(predecessor))) }
        add()
        flags.endEdge()
    }

    func recordDependencyRemoved(on predecessor: Operation) {
        guard let writer else { return }
        writer.append(.dependencyRemoved(id, predecessor: writer.identify(predecessor)))
    }
}
