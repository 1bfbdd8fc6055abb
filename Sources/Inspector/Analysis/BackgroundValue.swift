import Dispatch

/// A value that is computed on another thread while this one does something else.
package final class BackgroundValue<Value: Sendable>: Sendable {
    private let made: LazyValue<Value>

    package init(_ make: @escaping @Sendable () -> Value) {
        let made = LazyValue(make)
        self.made = made
        DispatchQueue.global().async { _ = made.value }
    }

    /// Waits until the value exists. If no thread was free to begin with it, this one computes it.
    package var value: Value { made.value }
}
