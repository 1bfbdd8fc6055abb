import Foundation

/// An operation of a class of this package, which reports its own transitions.
protocol ObservedOperation: Operation {
    /// The operation's identifier in a log, and whether it was assigned just now.
    func identity(in writer: EventLogWriter) -> (id: OperationID, isNew: Bool)

    /// Whether its enqueue is in that log.
    func isEnqueued(in writer: EventLogWriter) -> Bool

    /// The operation as observers see it, created if needed. Nil if it is too late for that.
    func watch() -> WatchedOperation?
}

extension Operation {
    /// This operation, if it is of a class of this package. Checking the two classes is faster than checking
    /// for the protocol.
    var observed: (any ObservedOperation)? {
        (self as? AsynchronousOperation) ?? (self as? ObservedBlock)
    }
}

/// The identifiers of an operation that stores them itself.
struct OperationIdentity: Sendable {
    private struct Known {
        /// The identifier in the first log that knew the operation. There is seldom another.
        var first: (log: UInt64, id: OperationID)?
        var others: [UInt64: OperationID] = [:]
    }

    private let known = Locked(Known())

    /// The identifier in the log of `writer`, assigned if needed.
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
