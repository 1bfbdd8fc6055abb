import Foundation

/// An operation of a class of ours, which says itself what happens to it.
protocol ObservedOperation: Operation {
    /// The operation's identifier in a log, and whether it was given just now.
    func identity(in writer: EventLogWriter) -> (id: OperationID, isNew: Bool)

    /// Called once, before the operation is added to its queue.
    func attach(_ observation: OperationObservation)
}

/// The operation that runs a closure given to `addOperation(_:)`: the one that Foundation would make, and it says
/// what happens to it.
///
/// `@unchecked Sendable` restates the superclass's; its own state is behind a lock.
final class ObservedBlock: BlockOperation, ObservedOperation, @unchecked Sendable {
    private let slot = Locked<OperationObservation?>(nil)
    private let known = OperationIdentity()

    func identity(in writer: EventLogWriter) -> (id: OperationID, isNew: Bool) { known.value(in: writer) }

    private var observation: OperationObservation? { slot.withLock { $0 } }

    func attach(_ observation: OperationObservation) { slot.withLock { $0 = observation } }

    override func main() {
        guard let observation else { return super.main() }
        observation.noteExecuting()
        let log = observation.queue.writer.log
        let before = log.enter(observation.id)
        super.main()
        log.leave(to: before)
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

/// The identifier that an operation keeps itself.
struct OperationIdentity: Sendable {
    private let slot = Locked<(log: ObjectIdentifier, id: OperationID)?>(nil)

    /// The identifier in the log of `writer`, given now where there is none.
    func value(in writer: EventLogWriter) -> (id: OperationID, isNew: Bool) {
        slot.withLock { slot in
            if let known = slot, known.log == ObjectIdentifier(writer) { return (known.id, false) }
            let id = writer.registry.nextOperation()
            slot = (ObjectIdentifier(writer), id)
            return (id, true)
        }
    }
}
