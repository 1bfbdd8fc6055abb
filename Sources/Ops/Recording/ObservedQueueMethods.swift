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
                ObservedQueues.observation(of: self)?.recordRaised(to: newValue)
            }
            super.maxConcurrentOperationCount = newValue
            ObservedQueues.observation(of: self)?.refresh(from: self)
        }
    }

    override var isSuspended: Bool {
        get { super.isSuspended }
        set {
            if !newValue { ObservedQueues.observation(of: self)?.recordResumed() }
            super.isSuspended = newValue
            ObservedQueues.observation(of: self)?.refresh(from: self)
        }
    }

    override var name: String? {
        get { super.name }
        set {
            super.name = newValue
            ObservedQueues.observation(of: self)?.recordName(of: self)
        }
    }

    override func cancelAllOperations() {
        ObservedQueues.recordCancellation(of: self)
        super.cancelAllOperations()
    }

    @available(*, noasync)
    override func waitUntilAllOperationsAreFinished() {
        guard let queue = ObservedQueues.observation(of: self) else {
            return super.waitUntilAllOperationsAreFinished()
        }
        queue.recordWait(for: self) { super.waitUntilAllOperationsAreFinished() }
    }

    override func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) {
        ObservedQueues.addBarrier(to: self, barrier) { super.addBarrierBlock($0) }
    }
}
