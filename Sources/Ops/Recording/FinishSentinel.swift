import Foundation

/// Notices, a little late, that other operations have finished, without any change to them.
///
/// On Linux it is never enqueued. Foundation asks the dependents of a finished operation whether they are
/// ready now, on the thread on which it finished; this is a dependent that answers, and calls `action`. It
/// comes in no particular order with the other dependents, so what it sees is logged as an interval.
///
/// It retains the operations it watches until they have finished.
///
/// `@unchecked Sendable` restates the superclass's; its own state is behind a lock.
final class FinishSentinel: Operation, @unchecked Sendable {
    private struct State {
        var isArmed = false
        var action: (@Sendable () -> Void)?
        /// Foundation keeps no reference to a dependent, and reads it when the dependency finishes.
        var keepAlive: FinishSentinel?
    }

    private let state = Locked(State())

    /// Calls `action` once, when every one of `operations` has finished: at once, on this thread, when they
    /// have already; else on the thread on which the last one finishes.
    static func watch(_ operations: [Operation], action: @escaping @Sendable () -> Void) {
        #if canImport(Darwin)
            // Nobody asks an operation there that is in no queue.
            let last = BlockOperation(block: action)
            for operation in operations { last.addDependency(operation) }
            watching.addOperation(last)
        #else
            watchUnqueued(operations, action: action)
        #endif
    }

    #if canImport(Darwin)
        /// Of nobody, so that nothing there is cancelled or waits for a slot.
        private static let watching = OperationQueue()
    #endif

    private static func watchUnqueued(_ operations: [Operation], action: @escaping @Sendable () -> Void) {
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
        // Looked at before the question: while it is given its edges it is ready again and again, and the
        // thread that has such an answer may stand still until it has them all. To act on that would be too
        // early, and would free this sentinel while Foundation knows it.
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
