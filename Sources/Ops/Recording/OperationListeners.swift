import EventLog
import Foundation

/// Who is told what happens to an operation of ours: a log, observers, both or nobody. What cannot be seen
/// from outside is told to the log of `opviz record` as well, where there is one.
struct OperationListeners {
    var log: OperationObservation?
    var watched: WatchedOperation?

    var isEmpty: Bool { log == nil && watched == nil }

    /// To be taken before the operation is asked whether it is ready.
    var readinessQuestions: (log: TransitionNotes.Question?, watched: TransitionNotes.Question?) {
        (log?.readinessQuestion, watched?.readinessQuestion)
    }

    /// - Parameter questions: as they were before it gave that answer.
    func noteReady(_ questions: (log: TransitionNotes.Question?, watched: TransitionNotes.Question?)) {
        log?.noteReady(questions.log)
        watched?.noteReady(questions.watched)
    }

    func noteExecuting() {
        log?.noteExecuting()
        watched?.noteExecuting()
    }

    /// Runs the body of the operation.
    ///
    /// - Parameter mayWorkOn: not so where the operation finishes with it.
    func noteBody(mayWorkOn: Bool, _ body: () -> Void) {
        guard let watched else { return noteLoggedBody(body) }
        watched.runBody(mayWorkOn: mayWorkOn) { noteLoggedBody(body) }
    }

    /// Runs the closure of a barrier, which ends with it.
    func runBody(_ body: () -> Void) {
        func runLogged() { if let log { log.runBody(body) } else { body() } }
        if let watched { watched.runBody(mayWorkOn: false, runLogged) } else { runLogged() }
    }

    private func noteLoggedBody(_ body: () -> Void) {
        if let log { log.noteBody(body) } else { body() }
    }

    func noteMark(_ text: String, by operation: Operation) {
        log?.noteMark(text)
        OutsideLog()?.mark(text, by: operation)
        watched?.noteMark(text)
    }

    func noteCancelled() {
        log?.noteCancelled()
        watched?.noteCancelled()
    }

    /// - Parameter failure: what it finished with.
    func noteFinished(_ operation: Operation, _ failure: (any Error)?, isCancelled: Bool) {
        // What an error says of itself may take its time: it is asked where somebody listens.
        let outside = failure == nil ? nil : OutsideLog()
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

    /// Tells of an edge that `add` adds. The operation is to be asked after that whether it is ready.
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
