public import Foundation

extension Operation {
    /// Returns when the operation has finished; at once where it has. Blocks no thread meanwhile.
    ///
    /// For tasks, which may not call `waitUntilFinished()`. Add the operation to a queue before: this waits
    /// for ever otherwise. Cancelling the waiting task leaves the operation alone, and the task waits on.
    public func finished() async {
        await withCheckedContinuation { finished in FinishSentinel.watch([self]) { finished.resume() } }
    }

    /// Of an operation that was cancelled and finished before what it depends on: Foundation would read it
    /// when that finishes, though it may be gone by then. Classes of ours have done so themselves.
    func forgetUnfinishedDependencies() {
        guard isCancelled, !(self is AsynchronousOperation) else { return }
        for dependency in dependencies where !dependency.isFinished { removeDependency(dependency) }
    }
}
