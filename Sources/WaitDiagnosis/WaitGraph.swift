/// Which operations wait for which at one moment, and why.
///
/// Operations and queues are numbered from 0. The caller knows what the numbers stand for: objects of a
/// running program, or operations of a trace.
package struct WaitGraph: Sendable {
    package enum State: Sendable {
        /// Others depend on it, but it is in no queue.
        case notAdded
        /// Not known to be ready.
        case pending
        case ready
        case executing
        case finished
    }

    package struct Operation: Sendable {
        package var state: State
        package var isCancelled: Bool
        /// Its `isFinished` is true, but its queue was not notified.
        package var isUnnotified: Bool
        /// -1 for none.
        package var queue: Int
        /// Whether it is a Swift task. It executes until it has finished.
        package var isTask = false

        /// A Swift task that has not finished.
        package static var task: Operation {
            var task = Operation(.executing)
            task.isTask = true
            return task
        }

        package init(_ state: State, queue: Int = -1, isCancelled: Bool = false, isUnnotified: Bool = false) {
            self.state = state
            self.queue = queue
            self.isCancelled = isCancelled
            self.isUnnotified = isUnnotified
        }
    }

    package struct Queue: Sendable {
        /// `maxConcurrentOperationCount`; negative if the system decides.
        package var limit: Int
        package var isSuspended: Bool
        /// The task that has the only thread on which the queue can start operations.
        package var threadHolder: Int?
        /// What that thread waits for, blocked outside of operations and tasks.
        package var threadTarget: Target?

        package init(limit: Int = -1, isSuspended: Bool = false) {
            self.limit = limit
            self.isSuspended = isSuspended
        }
    }

    /// What a blocked thread waits for.
    package enum Target: Sendable {
        case operation(Int)
        /// Until the queue is empty.
        case queue(Int)
    }

    package var operations: [Operation] = []
    package var queues: [Queue] = []
    /// The successor depends on the predecessor.
    package var dependencies: [(predecessor: Int, successor: Int)] = []
    /// Operations whose thread is blocked. If an operation has two entries, the last one counts.
    package var waits: [(operation: Int, target: Target)] = []
    /// Executing operations that wait for an exclusion key, each with an operation that is ahead of it.
    package var keys: [(waiting: Int, holder: Int)] = []
    /// Children of executing operations that seem to wait for them. Adding a child is not waiting for it.
    package var children: [(child: Int, parent: Int)] = []
    /// Tasks that cannot go on before one of the others has gone on. Not empty.
    package var awaits: [(task: Int, reason: WaitHop.Reason, others: [Int])] = []
    /// Tasks that executing operations created. Creating a task is not waiting for it.
    package var created: [(task: Int, operation: Int)] = []

    package init() {}

    /// Whether it is in a queue and has not finished.
    func isOpen(_ operation: Int) -> Bool {
        switch operations[operation].state {
        case .pending, .ready, .executing: true
        case .notAdded, .finished: false
        }
    }

    /// Cancelled operations do not wait for dependencies.
    func waitsForDependencies(_ operation: Int) -> Bool {
        operations[operation].state == .pending && !operations[operation].isCancelled
    }
}
