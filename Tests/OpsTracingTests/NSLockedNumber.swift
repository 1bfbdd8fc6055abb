import Foundation

/// A number behind a lock. `@unchecked Sendable` is sound because every access to it holds the lock.
final class NSLockedNumber: @unchecked Sendable {
    private let lock = NSLock()
    private var number: UInt64 = 0

    var value: UInt64 { lock.withLock { number } }

    func add(_ amount: UInt64) { lock.withLock { number += amount } }
}
