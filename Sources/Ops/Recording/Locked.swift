import Foundation

/// A value that is only reachable with its lock held.
///
/// `NSLock` rather than `Mutex`: ThreadSanitizer sees the one and not the other, and people run their tests
/// under it.
///
/// `@unchecked Sendable` is sound because `value` is private and every access to it holds `lock`.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: sending Value) { self.value = value }

    /// Runs `body` with the lock held. It is not recursive: `body` must not call out to code it does not
    /// know.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
