import Synchronization

/// A value behind a lock, for operations that hand something on.
final class Shared<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) { mutex = Mutex(value) }

    var value: Value {
        get { mutex.withLock { $0 } }
        set { mutex.withLock { $0 = newValue } }
    }

    func update(_ body: (inout sending Value) -> Void) { mutex.withLock { body(&$0) } }
}
