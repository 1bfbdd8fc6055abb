import Foundation

/// An operation of a class of ours, which says itself what happens to it.
protocol ObservedOperation: Operation {
    /// The operation's identifier in a log, and whether it was given just now.
    func identity(in writer: EventLogWriter) -> (id: OperationID, isNew: Bool)

    /// Whether `attach` was called with an observation of that log.
    func isEnqueued(in writer: EventLogWriter) -> Bool

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
    // One for each log that knows the operation; seldom more than one.
    private let known = Locked<[(log: UInt64, id: OperationID)]>([])

    /// The identifier in the log of `writer`, given now where there is none.
    func value(in writer: EventLogWriter) -> (id: OperationID, isNew: Bool) {
        known.withLock { known in
            if let own = known.first(where: { $0.log == writer.log.number }) { return (own.id, false) }
            let id = writer.registry.nextOperation()
            known.append((writer.log.number, id))
            return (id, true)
        }
    }
}
