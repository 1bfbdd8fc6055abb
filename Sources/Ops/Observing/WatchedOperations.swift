import CRecorder
import Foundation

/// Finds the observers' entry for an operation.
enum WatchedOperations {
    /// Operations whose classes cannot be observed.
    private static let others = OperationTable<WatchedOperation>()

    /// The entry for an operation that is named as a predecessor, created if needed. Nil for a closure that
    /// was enqueued before any observer was installed.
    static func sighted(_ operation: Operation) -> WatchedOperation? {
        switch WatchedClass.of(operation).observationMethod {
        case .own: operation.observed?.watch()
        case .interposed: InterposedEvents.findOrMake(operation)
        case .passive: others.value(of: operation) { WatchedOperation() }.value
        }
    }

    /// The entry for an operation that is about to be enqueued. Nil if its enqueue is known already.
    static func beginning(_ operation: Operation, _ found: WatchedClass) -> WatchedOperation? {
        let watched: WatchedOperation?
        switch found.observationMethod {
        case .own:
            let block = operation as? ObservedBlock
            block?.beginWatch()
            watched = block?.watch() ?? operation.observed?.watch()
        case .interposed: watched = InterposedEvents.beginning(operation)
        case .passive: watched = others.value(of: operation) { WatchedOperation() }.value
        }
        return watched?.isReported == false ? watched : nil
    }
}

extension WatchedOperation {
    /// Whether this thread is adding operations. Edges that it adds then are the queue's own, for its
    /// barriers.
    var isAddedByQueue: Bool { recorder_is_enqueuing() }
}
