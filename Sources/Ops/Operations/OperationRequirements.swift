extension AsynchronousOperation {
    /// What no other operation may have while the body runs: see `ExclusionKey`. Set it before the operation
    /// is enqueued.
    ///
    /// An operation that had to wait for its keys runs `main()` on a thread that is not its queue's: on the
    /// main thread where it was started there. Cancelled while it waits, it finishes at once. A mark in the
    /// trace says what it waits for.
    public final var exclusionKeys: Set<ExclusionKey> {
        get { existingPreparation?.keys ?? [] }
        set { preparation.keys = newValue }
    }

    /// Adds what must hold before the body runs: see `Condition`. To be called before the operation is
    /// enqueued.
    ///
    /// `main()` then runs on a thread that is not its queue's: on the main thread where the operation was
    /// started there. Cancelled while a condition is evaluated, the operation finishes when that has
    /// returned.
    public final func addCondition(_ condition: Condition) { preparation.add(condition) }

    /// Cancels the operation when it has not finished `limit` after its start, the wait for its keys and
    /// conditions included. It then finishes as after every cancellation, and its `failure` is a
    /// `TimeoutFailure`; a body that does not mind a cancellation keeps it from finishing. To be called
    /// before the operation is enqueued; the last call counts.
    ///
    /// - Parameter clock: asked to sleep for `limit`, in a task.
    public final func setTimeout(_ limit: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        preparation.setTimeout(limit, clock)
    }
}
