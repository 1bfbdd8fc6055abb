import Foundation

/// An operation of a class of ours, which says itself what happens to it.
protocol ObservedOperation: Operation {
    /// The operation's identifier in a log, and whether it was given just now.
    func identity(in writer: EventLogWriter) -> (id: OperationID, isNew: Bool)

    /// Whether its enqueue is in that log.
    func isEnqueued(in writer: EventLogWriter) -> Bool

    /// The operation as observers know it, made if needed. Nil when it is too late for that.
    func watch() -> WatchedOperation?
}

extension Operation {
    /// This operation, where it is of a class of ours. There are two, and asking for them takes less than
    /// asking for the protocol.
    var observed: (any ObservedOperation)? {
        (self as? AsynchronousOperation) ?? (self as? ObservedBlock)
    }
}

/// The identifier that an operation keeps itself.
struct OperationIdentity: Sendable {
    private struct Known {
        /// In the log that knew the operation first. Seldom is there another.
        var first: (log: UInt64, id: OperationID)?
        var others: [UInt64: OperationID] = [:]
    }

    private let known = Locked(Known())

    /// The identifier in the log of `writer`, given now if needed.
    func value(in writer: EventLogWriter) -> (id: OperationID, isNew: Bool) {
        known.withLock { known in
            let log = writer.log.number
            if let first = known.first, first.log == log { return (first.id, false) }
            if let id = known.others[log] { return (id, false) }
            let id = writer.registry.nextOperation()
            if known.first == nil { known.first = (log, id) } else { known.others[log] = id }
            return (id, true)
        }
    }
}
