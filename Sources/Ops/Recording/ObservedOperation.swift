import Foundation

/// An operation of a class of ours, which says itself what happens to it.
protocol ObservedOperation: Operation {
    /// The operation's identifier in a log, and whether it was given just now.
    func identity(in writer: EventLogWriter) -> (id: OperationID, isNew: Bool)

    /// Called once, before the operation is added to its queue.
    func attach(_ observation: OperationObservation)
}

extension Operation {
    /// This operation, where it is of a class of ours. There are two, and asking for them takes less than asking for the
    /// protocol.
    var observed: (any ObservedOperation)? {
        (self as? AsynchronousOperation) ?? (self as? ObservedBlock)
    }
}

/// The identifier that an operation keeps itself.
struct OperationIdentity: Sendable {
    private let slot = Locked<(log: ObjectIdentifier, id: OperationID)?>(nil)

    /// The identifier in the log of `writer`, given now where there is none.
    func value(in writer: EventLogWriter) -> (id: OperationID, isNew: Bool) {
        slot.withLock { slot in
            if let known = slot, known.log == ObjectIdentifier(writer) { return (known.id, false) }
            let id = writer.registry.nextOperation()
            slot = (ObjectIdentifier(writer), id)
            return (id, true)
        }
    }
}
