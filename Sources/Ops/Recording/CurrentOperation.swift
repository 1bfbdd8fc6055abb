import Synchronization

/// The operation whose body the calling code belongs to. It becomes the parent of operations that the code
/// enqueues.
///
/// A task-local value applies on a thread as well as in a task, and tasks that a body starts inherit it.
struct CurrentOperation {
    /// The number of the log that the identifier belongs to. In another log it means another operation.
    let log: UInt64
    let id: OperationID

    @TaskLocal private static var bound: CurrentOperation?
    /// Whether a value was ever bound: looking for one takes a hundred instructions.
    private static let hasBound = Atomic(false)

    static var value: CurrentOperation? { hasBound.load(ordering: .relaxed) ? bound : nil }

    /// Binds `value` while `body` runs.
    static func with(_ value: CurrentOperation?, _ body: () -> Void) {
        if !hasBound.load(ordering: .relaxed) { hasBound.store(true, ordering: .relaxed) }
        $bound.withValue(value) { body() }
    }

    func id(in log: LogReference) -> OperationID? { log.number == self.log ? id : nil }
}
