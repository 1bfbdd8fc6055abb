import EventLog
import Foundation

extension EventLogWriter {
    /// The identifier of `operation`. Adds the operation to the log if it is new there.
    ///
    /// - Parameter canReadName: false if the caller may hold a queue's lock.
    func identify(_ operation: Operation, canReadName: Bool = true) -> OperationID {
        let (id, isNew) = identity(of: operation)
        if isNew {
            append(
                .sighted(
                    id, kind: operationKind(of: operation),
                    name: canReadName ? operation.base.storedName : nil))
        }
        return id
    }

    /// Whether the log already has the enqueue of `operation`.
    func hasEnqueue(of operation: Operation) -> Bool {
        operation.observed?.isEnqueued(in: self) ?? ClassInterposition.isRecorded(operation, in: log)
    }

    /// The identifier of `operation`, the same on every thread, and whether it is new.
    func identity(of operation: Operation) -> (id: OperationID, isNew: Bool) {
        identity(of: operation, OperationClass.of(operation, in: log))
    }

    /// - Parameter found: the class of `operation`.
    func identity(of operation: Operation, _ found: OperationClass) -> (id: OperationID, isNew: Bool) {
        switch found.observationMethod {
        case .own:
            if let own = operation.observed { return own.identity(in: self) }
        case .interposed: return ClassInterposition.identify(operation, in: log)
        case .passive: break
        }
        return registry.identify(operation)
    }
}
