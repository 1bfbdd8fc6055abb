public import Foundation

/// An operation made of others: it starts them on a queue of its own when it is started, and finishes when all of
/// them have.
///
/// Cancelling it cancels its children, and it finishes when they have; cancelled before its start, it finishes when it is
/// started, and they right after. Finished by hand, it cancels those that have not finished. A child that failed makes the group fail with the
/// error of the first of them, in the order in which they were added. No thread is blocked while children run.
open class GroupOperation: AsynchronousOperation, @unchecked Sendable {
    private enum Phase { case collecting, running, over }

    private struct State {
        var phase = Phase.collecting
        var children: [Operation] = []
        /// How many of the children the current finisher waits for.
        var awaitedCount = 0
    }

    /// The queue that the children run on.
    public let queue: InstrumentedQueue
    private let state = Locked(State())

    /// - Parameters:
    ///   - name: the operation's name, and its queue's.
    ///   - maxConcurrentOperationCount: how many children may run at once; -1 as many as the system likes.
    ///   - recorder: where the inner queue's events go.
    public init(
        name: String? = nil,
        maxConcurrentOperationCount: Int = OperationQueue.defaultMaxConcurrentOperationCount,
        recorder: Recorder = .shared
    ) {
        queue = InstrumentedQueue(recorder: recorder)
        super.init()
        self.name = name
        queue.name = name
        queue.maxConcurrentOperationCount = maxConcurrentOperationCount
    }

    /// Adds a child. It starts when the group does; added by a child that runs, as soon as it is ready. Any thread.
    ///
    /// - Returns: false when the group is over, or was finished by hand: the child is not run.
    @discardableResult
    public final func add(_ operation: Operation) -> Bool {
        (operation as? AsynchronousOperation)?.setGroup(self)
        let phase = state.withLock { state in
            if state.phase != .over { state.children.append(operation) }
            return state.phase
        }
        if phase == .running {
            queue.addOperation(operation)
            if isCancelled { operation.cancel() }
        }
        return phase != .over
    }

    /// The children, in the order in which they were added.
    public final var children: [Operation] { state.withLock { $0.children } }

    /// Starts the children.
    public final override func main() {
        queue.setOwner(CurrentOperation.value)
        let children = state.withLock { state in
            state.phase = .running
            return state.children
        }
        queue.addOperations(children)
        if isCancelled { cancelChildren() }
        awaitChildren()
    }

    open override func cancel() {
        super.cancel()
        cancelChildren()
    }

    private func cancelChildren() {
        // Those included that are not in the queue yet.
        for child in children { child.cancel() }
    }

    /// Ended otherwise than by its children, cancelled before its start or finished by hand, the group gives up on them:
    /// they are cancelled, and finish, so that whoever waits for them is let go.
    final override func didEnd() {
        let (wasCollecting, children) = state.withLock { state in
            guard state.phase != .over else { return (false, [Operation]()) }
            defer { state.phase = .over }
            return (state.phase == .collecting, state.children)
        }
        for child in children { child.cancel() }
        if wasCollecting { queue.addOperations(children) }
    }

    /// Finishes the group when all children have, those included that are added until then.
    private func awaitChildren() {
        let awaited = state.withLock { state in
            let awaited = Array(state.children[state.awaitedCount...])
            state.awaitedCount = state.children.count
            if awaited.isEmpty { state.phase = .over }
            return awaited
        }
        guard !awaited.isEmpty else { return finishWithChildren() }
        Operation.whenFinished(awaited) { self.awaitChildren() }
    }

    private func finishWithChildren() {
        for case let child as AsynchronousOperation in children {
            if let failure = child.failure { return finish(throwing: failure) }
        }
        finish()
    }
}

extension OperationQueue {
    /// Adds `operations` together, without waiting for them; callable from asynchronous functions.
    fileprivate func addOperations(_ operations: [Operation]) {
        addOperations(operations, waitUntilFinished: false)
    }
}
