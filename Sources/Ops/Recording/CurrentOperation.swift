import Synchronization

/// The operation whose body the calling code belongs to. It becomes the parent of operations that the code
/// enqueues.
///
/// A task-local value applies on a thread as well as in a task, and tasks that a body starts inherit it.
struct CurrentOperation {
    /// The number of the log that the identifier belongs to. In another log it means another operation.
    let log: UInt64
    let id: OperationID
    /// The task that is its body: the hash value. Nil if a thread runs its body.
    private var task: Int?

    init(log: UInt64, id: OperationID) { (self.log, self.id) = (log, id) }

    @TaskLocal private static var bound: CurrentOperation?
    /// Whether a value was ever bound: looking for one takes a hundred instructions.
    private static let hasBound = Atomic(false)

    static var value: CurrentOperation? { hasBound.load(ordering: .relaxed) ? bound : nil }

    /// The operation whose body the calling task is; nil in a task that the body started. That one inherits
    /// `value`, but what it waits for does not keep the operation from finishing.
    static var ofTask: CurrentOperation? {
        guard let value, let task = value.task, task == withUnsafeCurrentTask(body: { $0?.hashValue }) else {
            return nil
        }
        return value
    }

    /// Binds `value` while `body` runs in the task that is its operation's body.
    static func with(_ value: CurrentOperation, inTask body: () async -> Void) async {
        if !hasBound.load(ordering: .relaxed) { hasBound.store(true, ordering: .relaxed) }
        var value = value
        value.task = withUnsafeCurrentTask { $0?.hashValue }
        await $bound.withValue(value) { await body() }
    }

    /// Binds `value` while `body` runs.
    static func with(_ value: CurrentOperation?, _ body: () -> Void) {
        if !hasBound.load(ordering: .relaxed) { hasBound.store(true, ordering: .relaxed) }
        $bound.withValue(value) { body() }
    }

    func id(in log: LogReference) -> OperationID? { log.number == self.log ? id : nil }
}
