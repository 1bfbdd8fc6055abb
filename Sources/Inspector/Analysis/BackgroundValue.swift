import Dispatch
import Synchronization

/// A value that is computed on another thread while this one does something else.
package final class BackgroundValue<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)
    private let group = DispatchGroup()
    private let make: @Sendable () -> Value

    package init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
        DispatchQueue.global().async(group: group) {
            let value = make()
            self.made.withLock { $0 = value }
        }
    }

    /// Waits until the value exists.
    package var value: Value {
        group.wait()
        return made.withLock { $0 } ?? make()
    }
}
