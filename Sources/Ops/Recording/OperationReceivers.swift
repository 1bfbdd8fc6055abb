import EventLog
import Foundation

/// The receivers of an operation of this package: a log, observers, both or none. Events that cannot be seen
/// from outside also go to the log of `opviz record`, if there is one.
struct OperationReceivers {
    var log: OperationObservation?
    var watched: WatchedOperation?

    var isEmpty: Bool { log == nil && watched == nil }

    /// Take these before asking the operation whether it is ready.
    var readinessQuestions: (log: TransitionFlags.Question?, watched: TransitionFlags.Question?) {
        (log?.readinessQuestion, watched?.readinessQuestion)
    }

    /// - Parameter questions: taken before the operation answered.
    func recordReady(_ questions: (log: TransitionFlags.Question?, watched: TransitionFlags.Question?)) {
        log?.recordReady(questions.log)
        watched?.recordReady(questions.watched)
    }

    func recordExecuting() {
        log?.recordExecuting()
        watched?.recordExecuting()
    }

    /// Runs the body of the operation.
    ///
    /// - Parameter mayWorkOn: false if the operation finishes when the body ends.
    func recordBody(of operation: Operation, mayWorkOn: Bool, _ body: () -> Void) {
        guard let watched else { return recordLoggedBody(of: operation, body) }
        watched.runBody(mayWorkOn: mayWorkOn) { recordLoggedBody(of: operation, body) }
    }

    /// Runs the closure of a barrier, which finishes when the closure ends.
    func runBody(_ body: () -> Void) {
        func runLogged() { if let log { log.runBody(body) } else { body() } }
        if let watched { watched.runBody(mayWorkOn: false, runLogged) } else { runLogged() }
    }

    private func recordLoggedBody(of operation: Operation, _ body: () -> Void) {
        if let log { log.recordBody(of: operation, body) } else { body() }
    }

    func recordMark(_ text: String, by operation: Operation) {
        log?.recordMark(text)
        HostLog()?.mark(text, by: operation)
        watched?.recordMark(text)
    }

    func recordCancelled() {
        log?.recordCancelled()
        watched?.recordCancelled()
    }

    /// - Parameter failure: the error that it finished with.
    func recordFinished(_ operation: Operation, _ failure: (any Error)?, isCancelled: Bool) {
        // Describing an error may take long, so do it only if there is a receiver.
        let outside = failure == nil ? nil : HostLog()
        guard !isEmpty || outside != nil else { return }
        let outcome: Outcome =
            switch failure {
            case nil: isCancelled ? .cancelled : .succeeded
            case is CancellationError: .cancelled
            case let failure?: .failed(message: String(describing: failure))
            }
        outside?.willFinish(operation, outcome)
        log?.recordFinished(outcome)
        watched?.recordFinished(outcome, error: failure)
    }

    /// Reports an edge that `add` adds. Afterwards, ask the operation whether it is ready.
    func recordDependency(on predecessor: Operation, _ add: () -> Void) {
        func addLogged() {
            if let log { log.recordDependency(on: predecessor, add) } else { add() }
        }
        if let watched { watched.recordDependency(on: predecessor, addLogged) } else { addLogged() }
    }

    func recordDependencyRemoved(on predecessor: Operation) {
        log?.recordDependencyRemoved(on: predecessor)
        watched?.recordDependencyRemoved(on: predecessor)
    }
}
