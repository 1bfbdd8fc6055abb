public import Foundation

extension Operation {
    /// Returns when the operation has finished; at once if it has. Does not block a thread.
    ///
    /// For tasks, which must not call `waitUntilFinished()`. Add the operation to a queue first, or this
    /// waits for ever. Cancelling the waiting task does not cancel the operation, and the task keeps waiting.
    public func finished() async {
        await withCheckedContinuation { finished in FinishSentinel.observe([self]) { finished.resume() } }
    }

    /// Removes the dependencies of an operation that was cancelled and finished before them. Otherwise
    /// Foundation would read this operation when they finish, when it may be gone. Classes of this package
    /// have already done so.
    func forgetUnfinishedDependencies() {
        guard isCancelled, !(self is AsynchronousOperation) else { return }
        for dependency in dependencies where !dependency.isFinished { removeDependency(dependency) }
    }
}
