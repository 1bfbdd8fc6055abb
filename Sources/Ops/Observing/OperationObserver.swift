/// Hears of operations as they run, whether a recorder is on or not: for bridges to what a program traces,
/// measures and logs with. `OpsTracing`, `OpsMetrics` and `OpsLogging` are such.
///
/// Install it with `OperationObservers.install(_:)`, before the queues are used. It hears of the operations
/// of every `InstrumentedQueue`, and of the queues that a `Recorder` was told to `observe`.
///
/// **Threads.** Calls come on the thread on which something happens, any number at once; the program waits
/// meanwhile: an observer that is slow makes every operation slow.
///
/// **What it may not do.** Foundation holds a queue's lock during some of the calls: call no method of
/// `OperationQueue` or `Operation` in any of them but `body(_:)`. Do not observe queues of its own: each
/// operation there would make others.
public protocol OperationObserver: AnyObject, Sendable {
    /// What it keeps of one operation, and what is told what happens to it.
    associatedtype Account: OperationAccount

    /// An operation is about to be added to a queue.
    ///
    /// On the thread that adds it; the task-local values there are those of the code that adds it.
    ///
    /// - Parameters:
    ///   - operation: its `details` are known.
    ///   - parent: the operation in whose body it is added, or the group that it is a child of.
    ///   - predecessors: what it waits for, barriers of the queue included. One that was never enqueued has
    ///     no details, and no
    ///     account, up to now.
    /// - Returns: what is to be told of the operation, as long as there is something to tell. Nil to hear no
    ///   more of it.
    func enqueued(
        _ operation: WatchedOperation, parent: WatchedOperation?, predecessors: [WatchedOperation]
    ) -> Account?
}

/// What an observer keeps of one operation. It lives as long as the operation's object.
///
/// Each transition is told once. What nobody saw is not told: of an operation whose class cannot be observed
/// (see Documentation/WhatIsExact.md), only its end.
public protocol OperationAccount: AnyObject, Sendable {
    /// An edge was added after the enqueue.
    func dependencyAdded(on predecessor: WatchedOperation)
    /// An edge was removed after the enqueue.
    func dependencyRemoved(on predecessor: WatchedOperation)
    /// It waits for no other operation. A second time where a dependency was added meanwhile. Always before
    /// `executing`: at the latest just before it, where the operation starts before anybody has asked. Of a
    /// barrier it is not told.
    func ready()
    /// It is being started. On the thread that starts it.
    func executing()
    /// Its flag was set. It still has to finish.
    func cancelled()
    /// The program said something in its body, with `Recorder.mark`.
    func marked(_ text: String)
    /// Its body has returned, and it works on.
    func bodyEnded()
    /// It finishes. On the thread that finishes it, where another thread may have seen `isFinished` a moment
    /// before, and begun what depends on it. The last call, but for a cancellation, a mark, an edge or a
    /// readiness that another thread tells of at the same moment.
    ///
    /// - Parameter error: what it failed with. Nil for classes outside `Ops`.
    func finished(_ outcome: Outcome, error: (any Error)?)
    /// Calls `run`, once, which runs the body: `main()`, or a `start()` of the operation's own. For
    /// task-local values that are to hold there, and in the tasks that it makes. An operation may have more
    /// than one body, or none.
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
    /// Calls `run`, and nothing else.
    public func body(_ run: () -> Void) { run() }
}
