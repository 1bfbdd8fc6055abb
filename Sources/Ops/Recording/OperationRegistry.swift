import Foundation

/// Assigns every operation and queue its identifier, once. Retains nothing.
final class OperationRegistry: Sendable {
    private let log: RecordLog
    private let known = OperationTable<OperationID>()

    init(_ log: RecordLog) { self.log = log }

    /// The identifier of `operation`, and whether it was assigned just now.
    func identify(_ operation: Operation) -> (id: OperationID, isNew: Bool) {
        let (id, isNew) = known.value(of: operation) { log.reference.nextOperation() }
        return (id, isNew)
    }

    /// An identifier for an operation without a visible object.
    func nextOperation() -> OperationID { log.reference.nextOperation() }

    func nextQueue() -> QueueID { log.nextQueue() }
}
