/// One step of a chain of waits.
package struct WaitHop: Hashable, Sendable {
    package enum Reason: Sendable {
        /// The thread is blocked until the other has finished.
        case wait
        /// The thread is blocked until the queue that the other is in is empty.
        case queueWait
        case key
        case dependency
        /// It may wait for its child, but need not.
        case child
        /// The other operation has a slot of the queue, and no slot is free.
        case slot
        /// It awaits the other task.
        case awaited
        /// The other has the executor that it needs.
        case executor
        /// The other has the only thread of its queue.
        case thread
        /// The only thread of its queue is blocked, outside of operations and tasks, until the other has
        /// finished.
        case blockedThread
        /// It created the other, which is a task. It may wait for it, but need not.
        case created
    }

    package var operation: Int
    package var reason: Reason
    /// What it waits for.
    package var next: Int
}
