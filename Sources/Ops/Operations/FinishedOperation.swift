public import Foundation

extension Operation {
    /// Returns when the operation has finished; at once where it has. Blocks no thread meanwhile.
    ///
    /// For tasks, which may not call `waitUntilFinished()`. Add the operation to a queue before: this waits for ever
    /// otherwise. Cancelling the waiting task leaves the operation alone, and the task waits on.
    public func finished() async {
        await withCheckedContinuation { finished in whenFinished { finished.resume() } }
    }

    /// Calls `body` once when the operation has finished, on a thread of nobody's queue.
    private func whenFinished(_ body: @escaping @Sendable () -> Void) {
        let last = BlockOperation(block: body)
        last.addDependency(self)
        Operation.finishing.addOperation(last)
    }

    /// What waits there is in no queue of the program's, where it could be cancelled or take a slot. Never records.
    private static let finishing = InstrumentedQueue(recorder: Recorder())

    /// Of an operation that was cancelled and finished before what it depends on: Foundation would read it when that
    /// finishes, though it may be gone by then. Classes of ours have done so themselves.
    func forgetUnfinishedDependencies() {
        guard isCancelled, !(self is AsynchronousOperation) else { return }
        for dependency in dependencies where !dependency.isFinished { removeDependency(dependency) }
    }
}
