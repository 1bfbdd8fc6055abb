import CRecorder
import Foundation

/// Finds what observers know of an operation.
enum WatchedOperations {
    /// Operations whose classes cannot be observed.
    private static let others = OperationTable<WatchedOperation>()

    /// The one of an operation that is named as a predecessor, made if needed. Nil of a closure that
    /// was enqueued before anybody observed.
    static func sighted(_ operation: Operation) -> WatchedOperation? {
        switch WatchedClass.of(operation).following {
        case .own: operation.observed?.watch()
        case .interposed: ForeignOperationWatch.findOrMake(operation)
        case .passive: others.value(of: operation) { WatchedOperation() }.value
        }
    }

    /// That of an operation which is about to be enqueued. Nil where that is known already.
    static func beginning(_ operation: Operation, _ found: WatchedClass) -> WatchedOperation? {
        let watched =
            switch found.following {
            case .own: operation.observed?.watch()
            case .interposed: ForeignOperationWatch.beginning(operation)
            case .passive: others.value(of: operation) { WatchedOperation() }.value
            }
        return watched?.isFollowed == false ? watched : nil
    }
}

extension WatchedOperation {
    /// Whether this thread is adding operations: the edges that it adds are a queue's own, for its barriers.
    var isAddedByQueue: Bool { recorder_is_enqueuing() }
}
