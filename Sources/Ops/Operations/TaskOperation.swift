public import Foundation

/// An operation with an asynchronous body, which runs in a task. Its return value is the operation's
/// `output`.
///
///     let fetch = TaskOperation(name: "fetch") { try await client.get(url) }
///
/// Or derive from it and override `run()`. When the queue starts the operation, it creates a task for the
/// body, which runs on Swift's threads for tasks. The queue's thread is free again at once; the operation
/// keeps its slot until the body has returned. The whole program has only as many of Swift's threads as the
/// processor has cores, so a body that blocks one delays all tasks.
///
/// **Outcome.** If the body returns, the operation succeeds. If it throws, the operation fails with that
/// error, or counts as cancelled if the error is a `CancellationError`.
///
/// **Cancellation.** `cancel()` cancels the task; the operation finishes when the body has returned. If it is
/// cancelled before its start, it finishes when its queue starts it, and the body does not run. The output of
/// a cancelled operation is dropped. If you finish it by hand, with `finish()`, it cancels its task and stops
/// waiting for it. It then has no output, and fails for that reason.
///
/// **Dependencies.** If a dependency failed or was cancelled, the body does not run, and the operation fails
/// with a `DependencyFailure`, unless it runs regardless: see `runsRegardless`.
///
/// **Priority.** The task's priority follows the operation's `qualityOfService` at the start.
/// `.userInteractive` and `.userInitiated` become `.high`, the highest priority of tasks; `.utility` and
/// `.background` stay as they are. `.default` takes the starting thread's priority.
///
/// **Trace.** Operations that the body enqueues, in its task or in tasks that it starts, are children of this
/// one. (Not those in `Task.detached`.)
///
/// **Cost.** One task, and a switch to its thread. The closure and everything it captures is released at the
/// end.
open class TaskOperation<Output: Sendable>: OutputOperation<Output>, @unchecked Sendable {
    private struct State {
        var body: (@Sendable () async throws -> Output)?
        var task: Task<Void, Never>?
    }

    private let state: Locked<State>

    /// - Parameters:
    ///   - name: see `Operation.name`.
    ///   - kind: see `KindedOperation.kind`; nil for the name of the class.
    ///   - qualityOfService: the operation's, which decides the task's priority.
    ///   - runsRegardless: whether the body runs even if a dependency failed or was cancelled.
    ///   - body: called at most once, in a task. Nil in subclasses that override `run()`.
    public init(
        name: String? = nil, kind: String? = nil, qualityOfService: QualityOfService = .default,
        runsRegardless: Bool = false, body: (@Sendable () async throws -> Output)? = nil
    ) {
        state = Locked(State(body: body))
        super.init(
            name: name, kind: kind, qualityOfService: qualityOfService, runsRegardless: runsRegardless)
    }

    /// The body. Called at most once, in the operation's task. Check `Task.isCancelled`, as everywhere in
    /// Swift.
    ///
    /// The default implementation calls the closure of the initializer.
    open func run() async throws -> Output {
        if let body = state.withLock({ $0.body }) { return try await body() }
        // It was finished by hand just now, or never had a closure.
        precondition(isFinished, "\(type(of: self)) has no closure and does not override run()")
        throw CancellationError()
    }

    /// Creates the task.
    public final override func main() {
        do {
            try takeInput()
        } catch {
            return finish(throwing: error)
        }
        let task = Task(priority: qualityOfService.taskPriority) { await recordTask { await perform() } }
        state.withLock { $0.task = task }
        // If it was cancelled or finished before the task was stored, nobody cancelled the task.
        if isCancelled || isFinished { task.cancel() }
    }

    /// Cancels the operation and its task.
    open override func cancel() {
        super.cancel()
        state.withLock { $0.task }?.cancel()
    }

    /// The operation is about to create its task. For operations with an input.
    func takeInput() throws {}

    private func perform() async {
        do {
            try Task.checkCancellation()
            finish(returning: try await run())
        } catch {
            finish(throwing: error)
        }
    }

    override func didEnd() {
        // The state is released here, not while the lock is held. The task may be the current one, whose body
        // is over.
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        ended.task?.cancel()
    }
}

extension QualityOfService {
    /// Nil for the priority of the current thread.
    fileprivate var taskPriority: TaskPriority? {
        switch self {
        case .userInteractive, .userInitiated: .high
        case .utility: .utility
        case .background: .background
        default: nil
        }
    }
}
