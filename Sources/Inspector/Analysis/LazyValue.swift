import Synchronization

/// A value that is computed when it is first needed, once for all copies of what it is part of.
final class LazyValue<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)
    private let make: @Sendable () -> Value

    init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    /// Other threads wait while it is computed.
    var value: Value {
        made.withLock { made in
            let value = made ?? make()
            made = value
            return value
        }
    }
}
