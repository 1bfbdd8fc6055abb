import Foundation

/// One value for each operation, kept while the operation lives.
///
/// Retains no operation: one is known by its address for as long as it lives, and an address that is used
/// again is recognized by the weak reference having become nil.
final class OperationTable<Value: Sendable>: Sendable {
    private struct Entry {
        weak var operation: Operation?
        let value: Value
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var sweepAt = 4_096
    }

    private let state = Locked(State())

    /// The value of `operation`, and whether it was made just now. `make` is called with a lock held.
    func value(of operation: Operation, make: () -> Value) -> (value: Value, isNew: Bool) {
        let key = ObjectIdentifier(operation)
        let (value, isNew, isSweepDue) = state.withLock { state in
            if let entry = state.entries[key], entry.operation === operation {
                return (entry.value, false, false)
            }
            let value = make()
            state.entries[key] = Entry(operation: operation, value: value)
            return (value, true, state.entries.count >= state.sweepAt)
        }
        if isSweepDue { sweep() }
        return (value, isNew)
    }

    /// Forgets the operations that are gone.
    private func sweep() {
        // Looking at a weak reference can make this the last owner; the operation then must not be
        // deallocated with the lock held, because its deinitializer is not ours. So what was looked at is let
        // go afterwards.
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
