import CRecorder
import Foundation

/// What observers report for all operations of a class, determined once.
struct WatchedClass: Sendable {
    private struct Key: Hashable {
        let type: ObjectIdentifier
        /// A plugin may have been loaded where another one was.
        let mark: UInt16
    }

    private static let known = Locked<[Key: WatchedClass]>([:])

    let following: OperationClass.Following
    /// Nil if each operation states its own kind.
    let kind: String?
    /// Whether an operation is ready as soon as it waits for nothing.
    let isReadyWithoutEdges: Bool

    static func of(_ operation: Operation) -> WatchedClass {
        let type = type(of: operation)
        let key = Key(
            type: ObjectIdentifier(type), mark: recorder_class_mark(ClassTable(of: type).metadata))
        if let found = known.withLock({ $0[key] }) { return found }
        let found = WatchedClass(of: operation)
        known.withLock { $0[key] = found }
        return found
    }

    private init(of operation: Operation) {
        // The library of `opviz record` has already replaced the methods of these classes.
        following =
            if operation.observed != nil {
                .own
            } else if !recorder_is_recorded_from_outside(), ForeignObservation.observesClass(of: operation) {
                .interposed
            } else {
                .passive
            }
        kind = operation is any KindedOperation ? nil : operationKind(of: operation)
        isReadyWithoutEdges =
            switch following {
            case .own: true
            case .interposed: ForeignObservation.hasBaseReadiness(operation)
            case .passive: false
            }
    }
}
