import Foundation

/// Notices, a little late, that other operations have finished, without changing them.
///
/// On Linux it is never enqueued. Foundation asks the dependents of a finished operation whether they are
/// ready now, on the thread on which it finished. This is such a dependent; it calls `action` when it is
/// asked and ready. Its order among the other dependents is undefined, so what it sees is logged as an
/// interval.
///
/// It retains the operations that it observes until they have finished.
///
/// `@unchecked Sendable` restates the superclass's conformance. Its own state is behind a lock.
final class FinishSentinel: Operation, @unchecked Sendable {
    private struct State {
        var isArmed = false
        var action: (@Sendable () -> Void)?
        /// Foundation does not retain a dependent, but reads it when the dependency finishes.
        var keepAlive: FinishSentinel?
    }

    private let state = Locked(State())

    /// Calls `action` once, when every one of `operations` has finished: at once on this thread if they
    /// already have, otherwise on the thread on which the last one finishes.
    static func observe(_ operations: [Operation], action: @escaping @Sendable () -> Void) {
        #if canImport(Darwin)
            // On Darwin, an operation that is in no queue is never asked.
            let last = BlockOperation(block: action)
            for operation in operations { last.addDependency(operation) }
            watching.addOperation(last)
        #else
            observeUnqueued(operations, action: action)
        #endif
    }

    #if canImport(Darwin)
        /// A queue of its own, so that nothing in it is cancelled or waits for a slot.
        private static let watching = OperationQueue()
    #endif

    private static func observeUnqueued(_ operations: [Operation], action: @escaping @Sendable () -> Void) {
        let sentinel = FinishSentinel()
        sentinel.state.withLock { state in
            state.action = action
            state.keepAlive = sentinel
        }
        for operation in operations { sentinel.addDependency(operation) }
        sentinel.state.withLock { $0.isArmed = true }
        _ = sentinel.isReady
    }

    override var isReady: Bool {
        // Read this before the question. While the sentinel is given its edges, it is ready again and again.
        // A thread with such an answer may stand still until all edges are in place. Acting on that answer
        // would be too early, and would free this sentinel while Foundation knows it.
        let isArmed = state.withLock { $0.isArmed }
        guard super.isReady else { return false }
        guard isArmed else { return true }
        let (action, keepAlive) = state.withLock { state in
            defer {
                state.action = nil
                state.keepAlive = nil
            }
            return (state.action, state.keepAlive)
        }
        withExtendedLifetime(keepAlive) { action?() }
        return true
    }
}
