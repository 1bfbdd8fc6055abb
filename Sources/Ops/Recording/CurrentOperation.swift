import Synchronization

/// The operation whose body the calling code belongs to. It becomes the parent of operations that the code
/// enqueues.
///
/// A task-local value applies on a thread as well as in a task, and tasks that a body starts inherit it.
struct CurrentOperation {
    /// The number of the log that the identifier belongs to. In another log it means another operation.
    let log: UInt64
    let id: OperationID
    /// The task that is its body; nil if a thread runs its body.
    private var task: BodyTask?

    init(log: UInt64, id: OperationID) { (self.log, self.id) = (log, id) }

    @TaskLocal private static var bound: CurrentOperation?
    /// Whether a value was ever bound: looking for one takes a hundred instructions.
    private static let hasBound = Atomic(false)

    static var value: CurrentOperation? { hasBound.load(ordering: .relaxed) ? bound : nil }

    /// The operation whose body the calling task is; nil in a task that the body started. That one inherits
    /// `value`, but what it waits for need not keep the operation from finishing. (A child task does, but
    /// cannot be told from others.)
    static var ofTask: CurrentOperation? {
        guard let value, let task = value.task, task.isCurrent else { return nil }
        return value
    }

    /// Binds `value` while `body` runs in the task that is its operation's body.
    static func with(_ value: CurrentOperation, inTask body: () async -> Void) async {
        if !hasBound.load(ordering: .relaxed) { hasBound.store(true, ordering: .relaxed) }
        let task = BodyTask()
        var value = value
        value.task = task
        await $bound.withValue(value) { await body() }
        task.end()
    }

    /// Binds `value` while `body` runs.
    static func with(_ value: CurrentOperation?, _ body: () -> Void) {
        if !hasBound.load(ordering: .relaxed) { hasBound.store(true, ordering: .relaxed) }
        $bound.withValue(value) { body() }
    }

    func id(in log: LogReference) -> OperationID? { log.number == self.log ? id : nil }
}

/// The task that is the body of an operation, as long as it is.
private final class BodyTask: Sendable {
    /// Of its address: another task may have that later.
    private let hash = withUnsafeCurrentTask { $0?.hashValue }
    private let hasEnded = Atomic(false)

    var isCurrent: Bool {
        !hasEnded.load(ordering: .relaxed) && withUnsafeCurrentTask { $0?.hashValue } == hash
    }

    func end() { hasEnded.store(true, ordering: .relaxed) }
}
