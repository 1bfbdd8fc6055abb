import CRecorder
import EventLog
public import Foundation

/// Sets the kind of an operation, for tables and pictures. Without it, the kind is the name of the class.
///
/// Operations are counted by kind, so use few kinds, not one for each operation.
public protocol KindedOperation: Operation {
    /// Read when the operation is enqueued, and when it is first named as a dependency. Any thread, and a
    /// queue's lock may be held. Return a constant, or read a value behind your own lock.
    var kind: String { get }
}

/// The kind of `operation` in the log.
func operationKind(of operation: Operation) -> String {
    if let kinded = operation as? any KindedOperation { return kinded.kind }
    if operation is ObservedBlock { return ClosureName.unknownKind }
    let type = type(of: operation)
    return recorder_class_name(ClassTable(of: type).metadata).map { String(cString: $0) }
        ?? String(describing: type)
}
