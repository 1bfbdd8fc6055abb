import Foundation

/// What is known of the class of an operation, so that it is found out once.
final class OperationClass: Sendable {
    /// How operations of the class are followed.
    enum Following {
        /// Of ours: they say themselves what happens to them.
        case own
        /// Their methods were replaced.
        case interposed
        case outside
    }

    let following: Following
    /// The number in the log of the kind of all operations of the class. Nil where each says its own.
    let kind: UInt32?
    /// An operation that waits for nothing is ready.
    let isReadyWithoutEdges: Bool

    init(of operation: Operation, in log: RecordLog) {
        following =
            if operation is any ObservedOperation {
                .own
            } else if ForeignObservation.observesClass(of: operation) {
                .interposed
            } else {
                .outside
            }
        kind = operation is any KindedOperation ? nil : log.number(of: operationKind(of: operation))
        isReadyWithoutEdges =
            switch following {
            case .own: true
            case .interposed: ForeignObservation.hasBaseReadiness(operation)
            case .outside: false
            }
    }
}

/// The classes that a log has seen.
final class OperationClasses: Sendable {
    private let classes = Locked<[ObjectIdentifier: OperationClass]>([:])

    func of(_ operation: Operation, in log: RecordLog) -> OperationClass {
        let key = ObjectIdentifier(type(of: operation))
        if let known = classes.withLock({ $0[key] }) { return known }
        // Looks at the operation, so without the lock; another thread comes to the same result.
        let found = OperationClass(of: operation, in: log)
        classes.withLock { $0[key] = found }
        return found
    }
}
