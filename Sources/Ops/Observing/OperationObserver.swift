/// Receives operation events as they happen, whether or not a recorder is on. Use it to bridge to tracing,
/// metrics and logging libraries, as `OpsTracing`, `OpsMetrics` and `OpsLogging` do.
///
/// Install it with `OperationObservers.install(_:)`, before the queues are used. It receives the operations
/// of every `InstrumentedQueue`, and of the queues that a `Recorder` was told to `observe`.
///
/// **Threads.** Calls come on the thread on which something happens, any number at once. The program waits
/// meanwhile, so a slow observer makes every operation slow.
///
/// **Restrictions.** Foundation holds a queue's lock during some of the calls. Call no method of
/// `OperationQueue` or `Operation` in any of them except `body(_:)`. Do not observe the observer's own
/// queues: each operation there would cause further ones.
public protocol OperationObserver: AnyObject, Sendable {
    /// The observer's state for one operation, which receives the operation's events.
    associatedtype Account: OperationAccount

    /// An operation is about to be added to a queue.
    ///
    /// Called on the thread that adds it, with the task-local values of the code that adds it.
    ///
    /// - Parameters:
    ///   - operation: its `details` are known.
    ///   - parent: the operation in whose body it is added, or the group that it is a child of.
    ///   - predecessors: the operations that it waits for, including barriers of the queue. One that was not
    ///     enqueued yet has no details and no account.
    /// - Returns: the object that receives the operation's events, until it has finished. Nil to receive no
    ///   events of it.
    func enqueued(
        _ operation: WatchedOperation, parent: WatchedOperation?, predecessors: [WatchedOperation]
    ) -> Account?
}

/// An observer's state for one operation. It lives as long as the operation's object.
///
/// Each transition is reported once. Transitions that cannot be seen are not reported: for an operation whose
/// class cannot be observed (see Documentation/WhatIsExact.md), only its end is.
public protocol OperationAccount: AnyObject, Sendable {
    /// An edge was added after the enqueue.
    func dependencyAdded(on predecessor: WatchedOperation)
    /// An edge was removed after the enqueue.
    func dependencyRemoved(on predecessor: WatchedOperation)
    /// It waits for no other operation. Called a second time if a dependency was added meanwhile. Always
    /// called before `executing`; just before it if the operation starts before anybody has asked. Not called
    /// for a barrier.
    func ready()
    /// It is being started. Called on the thread that starts it.
    func executing()
    /// It was cancelled: its flag is set. It still has to finish.
    func cancelled()
    /// The program added a mark in its body, with `Recorder.mark`.
    func marked(_ text: String)
    /// Its body has returned, but its work goes on.
    func bodyEnded()
    /// It finishes. Called on the thread that finishes it. Another thread may have seen `isFinished` a moment
    /// before, and started its dependents. This is the last call, except for a cancellation, a mark, an edge
    /// or a readiness that another thread reports at the same moment.
    ///
    /// - Parameter error: the error that it failed with. Nil for classes outside `Ops`.
    func finished(_ outcome: Outcome, error: (any Error)?)
    /// Must call `run` once, which runs the body: `main()`, or the operation's own `start()`. Use it to bind
    /// task-local values for the body and for the tasks that it creates. An operation may have more than one
    /// body, or none.
    func body(_ run: () -> Void)
}

extension OperationAccount {
    /// Does nothing.
    public func dependencyAdded(on predecessor: WatchedOperation) {}
    /// Does nothing.
    public func dependencyRemoved(on predecessor: WatchedOperation) {}
    /// Does nothing.
    public func ready() {}
    /// Does nothing.
    public func executing() {}
    /// Does nothing.
    public func cancelled() {}
    /// Does nothing.
    public func marked(_ text: String) {}
    /// Does nothing.
    public func bodyEnded() {}
    /// Does nothing.
    public func finished(_ outcome: Outcome, error: (any Error)?) {}
    /// Only calls `run`.
    public func body(_ run: () -> Void) { run() }
}
