import EventLog
import Foundation

/// The listeners of an operation of this package: a log, observers, both or none. Events that cannot be seen
/// from outside also go to the log of `opviz record`, if there is one.
struct OperationListeners {
    var log: OperationObservation?
    var watched: WatchedOperation?

    var isEmpty: Bool { log == nil && watched == nil }

    /// Take these before asking the operation whether it is ready.
    var readinessQuestions: (log: TransitionFlags.Question?, watched: TransitionFlags.Question?) {
        (log?.readinessQuestion, watched?.readinessQuestion)
    }

    /// - Parameter questions: taken before the operation answered.
    func noteReady(_ questions: (log: TransitionFlags.Question?, watched: TransitionFlags.Question?)) {
        log?.noteReady(questions.log)
        watched?.noteReady(questions.watched)
    }

    func noteExecuting() {
        log?.noteExecuting()
        watched?.noteExecuting()
    }

    /// Runs the body of the operation.
    ///
    /// - Parameter mayWorkOn: false if the operation finishes when the body ends.
    func noteBody(of operation: Operation, mayWorkOn: Bool, _ body: () -> Void) {
        guard let watched else { return noteLoggedBody(of: operation, body) }
        watched.runBody(mayWorkOn: mayWorkOn) { noteLoggedBody(of: operation, body) }
    }

    /// Runs the closure of a barrier, which finishes when the closure ends.
    func runBody(_ body: () -> Void) {
        func runLogged() { if let log { log.runBody(body) } else { body() } }
        if let watched { watched.runBody(mayWorkOn: false, runLogged) } else { runLogged() }
    }

    private func noteLoggedBody(of operation: Operation, _ body: () -> Void) {
        if let log { log.noteBody(of: operation, body) } else { body() }
    }

    func noteMark(_ text: String, by operation: Operation) {
        log?.noteMark(text)
        HostLog()?.mark(text, by: operation)
        watched?.noteMark(text)
    }

    func noteCancelled() {
        log?.noteCancelled()
        watched?.noteCancelled()
    }

    /// - Parameter failure: the error that it finished with.
    func noteFinished(_ operation: Operation, _ failure: (any Error)?, isCancelled: Bool) {
        // Describing an error may take long, so do it only if somebody listens.
        let outside = failure == nil ? nil : HostLog()
        guard !isEmpty || outside != nil else { return }
        let outcome: Outcome =
            switch failure {
            case nil: isCancelled ? .cancelled : .succeeded
            case is CancellationError: .cancelled
            case let failure?: .failed(message: String(describing: failure))
            }
        outside?.willFinish(operation, outcome)
        log?.noteFinished(outcome)
        watched?.noteFinished(outcome, error: failure)
    }

    /// Reports an edge that `add` adds. Afterwards, ask the operation whether it is ready.
    func noteDependency(on predecessor: Operation, _ add: () -> Void) {
        func addLogged() {
            if let log { log.noteDependency(on: predecessor, add) } else { add() }
        }
        if let watched { watched.noteDependency(on: predecessor, addLogged) } else { addLogged() }
    }

    func noteDependencyRemoved(on predecessor: Operation) {
        log?.noteDependencyRemoved(on: predecessor)
        watched?.noteDependencyRemoved(on: predecessor)
    }
}
