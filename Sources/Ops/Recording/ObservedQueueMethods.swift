import Foundation

/// Methods that replace `OperationQueue`'s in the tables of observed classes. They are called on queues of
/// any class, so they only call `super`, which is a direct call, and use no state of their own. This class
/// has no instances.
final class ObservedQueueMethods: OperationQueue, @unchecked Sendable {
    override var maxConcurrentOperationCount: Int {
        get { super.maxConcurrentOperationCount }
        set {
            // The limit of the main queue cannot change.
            if super.maxConcurrentOperationCount != 1 || self !== OperationQueue.main {
                ForeignQueues.observation(of: self)?.noteRaised(to: newValue)
            }
            super.maxConcurrentOperationCount = newValue
            ForeignQueues.observation(of: self)?.refresh(from: self)
        }
    }

    override var isSuspended: Bool {
        get { super.isSuspended }
        set {
            if !newValue { ForeignQueues.observation(of: self)?.noteResumed() }
            super.isSuspended = newValue
            ForeignQueues.observation(of: self)?.refresh(from: self)
        }
    }

    override var name: String? {
        get { super.name }
        set {
            super.name = newValue
            ForeignQueues.observation(of: self)?.noteName(of: self)
        }
    }

    override func cancelAllOperations() {
        ForeignQueues.noteCancellation(of: self)
        super.cancelAllOperations()
    }

    @available(*, noasync)
    override func waitUntilAllOperationsAreFinished() {
        guard let queue = ForeignQueues.observation(of: self) else {
            return super.waitUntilAllOperationsAreFinished()
        }
        queue.noteWait(for: self) { super.waitUntilAllOperationsAreFinished() }
    }

    override func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) {
        ForeignQueues.addBarrier(to: self, barrier) { super.addBarrierBlock($0) }
    }
}
