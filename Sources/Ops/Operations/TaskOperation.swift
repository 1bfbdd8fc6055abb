public import Foundation

/// An operation whose body is asynchronous Swift: it runs in a task, and what it returns is the operation's
/// `output`.
///
///     let fetch = TaskOperation(name: "fetch") { try await client.get(url) }
///
/// Or derive from it and override `run()`. When the queue starts the operation, it makes a task for the body,
/// which runs on the threads that Swift keeps for tasks. The thread of the queue is free again at once, the
/// operation's slot when the body has returned. There are as many of those threads as the processor has
/// cores, for the whole program: a body that blocks one makes all tasks wait.
///
/// **Outcome.** A body that returns makes the operation succeed; one that throws makes it fail with that
/// error, or count as cancelled where the error is a `CancellationError`.
///
/// **Cancellation.** `cancel()` cancels the task; the operation finishes when the body has returned.
/// Cancelled before its start, it finishes when its queue starts it, and the body does not run. What the body
/// of a cancelled operation returns is dropped. Finished by hand, with `finish()`, it cancels its task and
/// waits for it no longer; it has no output then, and fails for the want of it.
///
/// **Dependencies.** Where one of them failed or was cancelled, the body does not run, and the operation
/// fails with a `DependencyFailure`, unless it was made to run regardless: see `runsRegardless`.
///
/// **Priority.** The task's is that of the operation's `qualityOfService` at the start: `.high`, the highest
/// that tasks have, for both of the user's; `.utility` and `.background` as they are. `.default` takes what
/// the starting thread has.
///
/// **Trace.** Operations that the body enqueues, in its task or in others that it starts, are this one's
/// children. (Not those in `Task.detached`.)
///
/// **Cost.** One task, and a hop to its thread. The closure and what it holds are released at the end.
open class TaskOperation<Output: Sendable>: OutputOperation<Output>, @unchecked Sendable {
    private struct State {
        var body: (@Sendable () async throws -> Output)?
        var task: Task<Void, Never>?
    }

    private let state: Locked<State>

    /// - Parameters:
    ///   - name: see `Operation.name`.
    ///   - kind: see `KindedOperation.kind`; nil for the name of the class.
    ///   - qualityOfService: the operation's, from which the task's priority follows.
    ///   - runsRegardless: the body runs although a dependency failed or was cancelled.
    ///   - body: called in a task, once at most. Nil in subclasses that override `run()`.
    public init(
        name: String? = nil, kind: String? = nil, qualityOfService: QualityOfService = .default,
        runsRegardless: Bool = false, body: (@Sendable () async throws -> Output)? = nil
    ) {
        state = Locked(State(body: body))
        super.init(
            name: name, kind: kind, qualityOfService: qualityOfService, runsRegardless: runsRegardless)
    }

    /// The body. Called once at most, in the operation's task. Look at `Task.isCancelled`, as everywhere in
    /// Swift.
    ///
    /// By itself it calls the closure of the initializer.
    open func run() async throws -> Output {
        if let body = state.withLock({ $0.body }) { return try await body() }
        // It was finished by hand just now, or never had one.
        precondition(isFinished, "\(type(of: self)) has no closure and does not override run()")
        throw CancellationError()
    }

    /// Makes the task.
    public final override func main() {
        do {
            try takeInput()
        } catch {
            return finish(throwing: error)
        }
        let task = Task(priority: qualityOfService.taskPriority) { await perform() }
        state.withLock { $0.task = task }
        // Whoever cancelled or finished it before it was stored did not find it.
        if isCancelled || isFinished { task.cancel() }
    }

    /// Sets the flag, and cancels the task.
    open override func cancel() {
        super.cancel()
        state.withLock { $0.task }?.cancel()
    }

    /// The operation is about to make its task. For those with an input.
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
        // What it holds is released here, and not with the lock held. The task may be the current one, whose
        // body is over.
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        ended.task?.cancel()
    }
}

extension QualityOfService {
    /// Nil for that of the current thread.
    fileprivate var taskPriority: TaskPriority? {
        switch self {
        case .userInteractive, .userInitiated: .high
        case .utility: .utility
        case .background: .background
        default: nil
        }
    }
}
