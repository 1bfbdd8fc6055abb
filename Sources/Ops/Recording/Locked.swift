import Foundation

/// A value that can only be accessed while its lock is held.
///
/// Uses `NSLock` and not `Mutex`, because ThreadSanitizer sees only `NSLock`, and people run their tests with
/// it.
///
/// `@unchecked Sendable` is sound because `value` is private and every access to it holds `lock`.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    // The lock also makes the accesses exclusive, so that this need not be checked at each.
    @exclusivity(unchecked) private var value: Value

    package init(_ value: sending Value) { self.value = value }

    /// Runs `body` while the lock is held. The lock is not recursive: `body` must not call unknown code.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
