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
struct OperationIdentity {
    /// The identifier in the first log that knew the operation. There is seldom another.
    private var first: (log: UInt64, id: OperationID)?
    private var others: [UInt64: OperationID] = [:]

    /// The identifier in a log, assigned if needed.
    mutating func value(in log: LogReference) -> (id: OperationID, isNew: Bool) {
        if let first, first.log == log.number { return (first.id, false) }
        if let id = others[log.number] { return (id, false) }
        let id = log.nextOperation()
        if first == nil { first = (log.number, id) } else { others[log.number] = id }
        return (id, true)
    }
}
