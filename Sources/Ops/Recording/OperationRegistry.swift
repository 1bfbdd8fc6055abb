import Foundation

/// Gives every operation and queue its identifier, once.
///
/// Retains nothing: an operation is known by its address for as long as it lives, and an address that is used
/// again is recognized by the weak reference having become nil.
final class OperationRegistry: Sendable {
    private struct Entry {
        weak var operation: Operation?
        let id: OperationID
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var sweepAt = 4_096
    }

    private let log: RecordLog
    private let state = Locked(State())

    init(_ log: RecordLog) { self.log = log }

    /// The identifier of `operation`, and whether it was given just now.
    func identify(_ operation: Operation) -> (id: OperationID, isNew: Bool) {
        let key = ObjectIdentifier(operation)
        let (id, isNew, isSweepDue) = state.withLock { state in
            if let entry = state.entries[key], entry.operation === operation {
                return (entry.id, false, false)
            }
            let id = log.nextOperation()
            state.entries[key] = Entry(operation: operation, id: id)
            return (id, true, state.entries.count >= state.sweepAt)
        }
        if isSweepDue { sweep() }
        return (id, isNew)
    }

    /// An identifier for an operation that is no object anybody can see.
    func nextOperation() -> OperationID { log.nextOperation() }

    func nextQueue() -> QueueID { log.nextQueue() }

    /// Forgets the operations that are gone.
    private func sweep() {
        // Looking at a weak reference can make this the last owner; the operation then must not be deallocated with
        // the lock held, because its deinitializer is not ours. So what was looked at is let go afterwards.
        var alive: [Operation] = []
        state.withLock { state in
            state.entries = state.entries.filter { _, entry in
                guard let operation = entry.operation else { return false }
                alive.append(operation)
                return true
            }
            state.sweepAt = max(4_096, state.entries.count * 2)
        }
        withExtendedLifetime(alive) {}
    }
}
