import Foundation

/// An operation of a class of ours, which says itself what happens to it.
protocol ObservedOperation: Operation {
    /// Called once, before the operation is added to its queue.
    func attach(_ observation: OperationObservation)
}

/// The operation that runs a closure given to `addOperation(_:)`: the one that Foundation would make, and it says
/// what happens to it.
///
/// `@unchecked Sendable` restates the superclass's; its own state is behind a lock.
final class ObservedBlock: BlockOperation, ObservedOperation, @unchecked Sendable {
    private let slot = Locked<OperationObservation?>(nil)

    private var observation: OperationObservation? { slot.withLock { $0 } }

    func attach(_ observation: OperationObservation) { slot.withLock { $0 = observation } }

    override func main() {
        guard let observation else { return super.main() }
        observation.noteExecuting()
        CurrentOperation.$id.withValue(observation.id) { super.main() }
    }

    override var isReady: Bool {
        let isReady = super.isReady
        if isReady { observation?.noteReady() }
        return isReady
    }

    /// Foundation reads this on the finishing thread before it lets any dependent go: the first `true` is the finish.
    override var isFinished: Bool {
        let isFinished = super.isFinished
        if isFinished { observation?.noteFinished(isCancelled ? .cancelled : .succeeded) }
        return isFinished
    }

    override func cancel() {
        if !isFinished { observation?.noteCancelled() }
        super.cancel()
    }

    @available(*, noasync)
    override func waitUntilFinished() {
        guard let observation else { return super.waitUntilFinished() }
        observation.noteWait { super.waitUntilFinished() }
    }

    override func addDependency(_ operation: Operation) {
        observation?.noteDependency(on: operation)
        super.addDependency(operation)
    }

    override func removeDependency(_ operation: Operation) {
        super.removeDependency(operation)
        observation?.noteDependency(on: operation, isRemoved: true)
    }
}
