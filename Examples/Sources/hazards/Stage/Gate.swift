import Foundation

/// Keeps threads until it is opened, and lets everybody through from then on. It puts what would be luck in
/// order.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    /// False if it was not opened in time.
    @discardableResult
    func pass(within seconds: Double = longEnough) -> Bool {
        guard semaphore.wait(timeout: .now() + seconds) == .success else { return false }
        semaphore.signal()
        return true
    }
}

extension OperationQueue {
    /// Whether the queue becomes empty in time. Polls: a wait would stand in the trace.
    func isEmpty(within seconds: Double = longEnough) -> Bool {
        soon(within: seconds) { operationCount == 0 }
    }
}

/// Whether something becomes true in time.
func soon(within seconds: Double = longEnough, _ condition: () -> Bool) -> Bool {
    let deadline = Date() + seconds
    while !condition() {
        guard Date() < deadline else { return false }
        usleep(1000)
    }
    return true
}

/// Everything that must happen does so within this many seconds, even on the slowest machine.
let longEnough = 60.0

/// After this many seconds without an event, a program assumes that nothing else will happen.
let quietTime = 0.3
