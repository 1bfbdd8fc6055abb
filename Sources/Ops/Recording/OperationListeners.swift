import EventLog
import Foundation

/// Who is told what happens to an operation of ours: a log, observers, both or nobody. What cannot be seen from outside is
/// told to the log of `opviz record` as well, where there is one.
struct OperationListeners {
    var log: OperationObservation?
    var watched: WatchedOperation?

    var isEmpty: Bool { log == nil && watched == nil }

    func noteReady() {
        log?.noteReady()
        watched?.noteReady()
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

    func noteDependency(on predecessor: Operation, isRemoved: Bool = false) {
        log?.noteDependency(on: predecessor, isRemoved: isRemoved)
        watched?.noteDependency(on: predecessor, isRemoved: isRemoved)
    }
}
