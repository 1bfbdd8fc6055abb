import Foundation

/// One value for each operation, kept while the operation lives.
///
/// Does not retain operations. The key is an operation's address; if the address is reused, the weak
/// reference is nil.
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

    /// The value of `operation`, and whether it was created just now. `make` is called while a lock is held.
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

    /// Removes the entries of operations that were deallocated.
    private func sweep() {
        // Reading a weak reference can make this the last owner. The operation must not be deallocated while
        // the lock is held, because its deinitializer is unknown code. So these references are released
        // afterwards.
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
