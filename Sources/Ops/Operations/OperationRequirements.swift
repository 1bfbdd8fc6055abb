extension AsynchronousOperation {
    /// The keys that no other operation may hold while the body runs: see `ExclusionKey`. Set them before the
    /// operation is enqueued.
    ///
    /// An operation that had to wait for its keys runs `main()` outside its queue's threads; on the main
    /// thread if it was started there. If it is cancelled while it waits, it finishes at once. A mark in the
    /// trace shows what it waits for.
    public final var exclusionKeys: Set<ExclusionKey> {
        get { existingPreparation?.keys ?? [] }
        set { preparation.keys = newValue }
    }

    /// Adds a condition that must hold before the body runs: see `Condition`. Call it before the operation is
    /// enqueued.
    ///
    /// `main()` then runs outside the queue's threads; on the main thread if the operation was started there.
    /// If it is cancelled while a condition is evaluated, it finishes when the evaluation has returned.
    public final func addCondition(_ condition: Condition) { preparation.add(condition) }

    /// Cancels the operation if it has not finished `limit` after its start, including the wait for its keys
    /// and conditions. It then finishes as after any cancellation, and its `failure` is a `TimeoutFailure`. A
    /// body that ignores cancellation keeps it from finishing. Call it before the operation is enqueued; the
    /// last call counts.
    ///
    /// - Parameter clock: the clock that sleeps for `limit`, in a task.
    public final func setTimeout(_ limit: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        preparation.setTimeout(limit, clock)
    }
}
