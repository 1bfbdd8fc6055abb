import CRecorder
import EventLog
public import Foundation

/// Says what sort of operation this is, for tables and pictures. Without it, the kind is the name of the
/// class.
///
/// Operations of one kind are counted together, so a kind has few values: not one for each operation.
public protocol KindedOperation: Operation {
    /// Asked when the operation is enqueued, and when it is first named as a dependency. Any thread, and a
    /// queue's lock may be held: it gives a constant, or reads what is behind a lock of its own.
    var kind: String { get }
}

/// The kind that the log gives to `operation`.
func operationKind(of operation: Operation) -> String {
    if let kinded = operation as? any KindedOperation { return kinded.kind }
    if operation is ObservedBlock { return ClosureName.unknownKind }
    let type = type(of: operation)
    return recorder_class_name(ClassTable(of: type).metadata).map { String(cString: $0) }
        ?? String(describing: type)
}
