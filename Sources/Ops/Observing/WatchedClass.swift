import CRecorder
import Foundation

/// What observers report for all operations of a class, determined once.
final class WatchedClass: Sendable {
    private let type: ObjectIdentifier
    /// A plugin may have been loaded where another one was.
    private let mark: UInt16

    let observationMethod: OperationClass.ObservationMethod
    /// Nil if each operation states its own kind.
    let kind: String?
    /// Whether an operation is ready as soon as it waits for nothing.
    let isReadyWithoutEdges: Bool

    static func of(_ operation: Operation) -> WatchedClass {
        let type: AnyClass = Swift.type(of: operation)
        let metadata = ClassTable(of: type).metadata
        let mark = recorder_class_mark(metadata)
        if let kept = recorder_class_kept(metadata, mark) {
            // Sound because only `made` is kept, below, and is never released.
            let found = Unmanaged<WatchedClass>.fromOpaque(kept).takeUnretainedValue()
            if found.type == ObjectIdentifier(type), found.mark == mark { return found }
        }
        let made = WatchedClass(of: operation, mark: mark)
        let retained = Unmanaged.passRetained(made)
        if !recorder_class_keep(metadata, mark, retained.toOpaque()) { retained.release() }
        return made
    }

    private init(of operation: Operation, mark: UInt16) {
        type = ObjectIdentifier(Swift.type(of: operation))
        self.mark = mark
        // The library of `opviz record` has already replaced the methods of these classes.
        observationMethod =
            if operation.observed != nil {
                .own
            } else if !recorder_is_recorded_from_outside(), ClassInterposition.observesClass(of: operation) {
                .interposed
            } else {
                .passive
            }
        kind = operation is any KindedOperation ? nil : operationKind(of: operation)
        isReadyWithoutEdges =
            switch observationMethod {
            case .own: true
            case .interposed: ClassInterposition.hasBaseReadiness(operation)
            case .passive: false
            }
    }
}
