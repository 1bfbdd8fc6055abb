public import Foundation

/// The base class of operations whose work goes on after their body has returned.
///
/// Override `main()`: begin the work there and return; call `finish()` or `finish(throwing:)` when it is
/// done, from any thread, once or more. The operation finishes once, never before it was started, and always
/// after it was cancelled: cancelled before its start, it finishes when the queue starts it, and `main()` is
/// not called; cancelled later, it is up to `main()` to look at `isCancelled`, or to `cancel()` to reach the
/// work, and still to call `finish()`.
///
/// What makes operations go wrong by hand is `final` here: `start()`, `isReady`, `isExecuting`, `isFinished`.
/// Override `cancel()` to stop the work, and call `super.cancel()` first; do not finish there.
///
/// A subclass has to restate `@unchecked Sendable`; keep its mutable state behind a lock.
open class AsynchronousOperation: Operation, ObservedOperation, @unchecked Sendable {
    private enum Phase { case pending, executing, finished }

    private struct State {
        var phase = Phase.pending
        /// Somebody has begun to finish it: nobody else may.
        var isEnding = false
        /// `finish` was called before the start: the start finishes at once.
        var isFinishRequested = false
        var failure: (any Error)?
        var runsRegardless = false
        /// Reading the dependencies takes longer than knowing that the operation has none yet.
        var mayHaveDependencies = false
        /// As it was at the end: a cancellation after that changes nothing.
        var wasCancelled = false
        var beforeFailing: (@Sendable () -> Void)?
        var listeners = OperationListeners()
        /// Of one that has keys, conditions or a timeout.
        var preparation: Preparation?
        /// Of one whose progress somebody asked for.
        var progress: OperationProgress?
        /// Of one that has keys, or children.
        var exclusionHolder: ExclusionHolder?
        /// Of the group that it is a child of.
        var group: ExclusionHolder?
    }

    private let state = Locked(State())
    private let knownIdentity = OperationIdentity()

    public override init() { super.init() }

    deinit {
        // Foundation keeps an unretained pointer to every dependent, and reads it when the dependency
        // finishes.
        guard state.withLock({ $0.mayHaveDependencies }) else { return }
        for dependency in super.dependencies { super.removeDependency(dependency) }
    }

    // MARK: For subclasses

    /// Begins the work. Called once, on the thread that the queue starts the operation on (or that called
    /// `start()`), unless the operation was cancelled before, or something that it depends on failed. By
    /// itself it finishes at once.
    open override func main() { finish() }

    /// Ends the operation: it succeeded, or was cancelled when `isCancelled` is set. Any thread; later calls
    /// do nothing. Called before the start, it takes effect at the start, without `main()`.
    ///
    /// Dependents are let go before this returns, on this thread.
    public final func finish() { finish(with: nil) }

    /// Ends the operation with an error, which `failure` gives from then on. As `finish()` otherwise.
    public final func finish(throwing error: any Error) { finish(with: error) }

    /// The error that the operation finished with. Nil before, and when it had none. Any thread.
    public final var failure: (any Error)? {
        state.withLock { $0.phase == .finished ? $0.failure : nil }
    }

    /// As `failure`, and a `CancellationError` where it was cancelled and had none.
    final var failureOrCancellation: (any Error)? {
        state.withLock { state in
            guard state.phase == .finished else { return nil }
            return state.failure ?? (state.wasCancelled ? CancellationError() : nil)
        }
    }

    /// Throws a `CancellationError` when the operation was cancelled. Any thread.
    public final func checkCancellation() throws {
        if isCancelled { throw CancellationError() }
    }

    // MARK: State

    /// Whether the work goes on after `main()` has returned. True; override it to return false, and the
    /// operation finishes by itself when `main()` returns, where nothing has finished it before.
    open override var isAsynchronous: Bool { true }

    public final override var isExecuting: Bool { state.withLock { $0.phase == .executing } }

    public final override var isFinished: Bool { state.withLock { $0.phase == .finished } }

    /// As every operation's: true when its dependencies have finished, or it was cancelled. (Overridden only
    /// to note the moment.)
    public final override var isReady: Bool {
        let listeners = listeners
        let questions = listeners.readinessQuestions
        guard super.isReady else { return false }
        listeners.noteReady(questions)
        return true
    }

    /// Whether `main()` is called although something that the operation depends on failed or was cancelled.
    /// False in the beginning: the operation then fails with a `DependencyFailure` that names the first such,
    /// in the order of `dependencies`. Of a class that is neither an `AsynchronousOperation` nor a
    /// `ResultOperation`, only a cancellation is known. Set it before the operation is enqueued.
    public final var runsRegardless: Bool {
        get { state.withLock { $0.runsRegardless } }
        set { state.withLock { $0.runsRegardless = newValue } }
    }

    /// Called by the queue. Calls `main()`, or finishes when the operation was cancelled.
    public final override func start() {
        let isCancelled = isCancelled
        guard !isFinished else { return }
        willChangeValue(for: \.isExecuting)
        // Looked at and changed at once: of two threads that start it, one does.
        let (phase, state) = state.withLock { state in
            let phase = state.phase
            if phase == .pending && !isCancelled && !state.isFinishRequested { state.phase = .executing }
            return (phase, state)
        }
        precondition(phase != .executing, "an operation was started twice")
        let listeners = state.listeners
        let isRunning = phase == .pending && state.phase == .executing
        if isRunning { listeners.noteExecuting() }
        didChangeValue(for: \.isExecuting)
        guard isRunning else { return phase == .pending ? end() : () }
        state.progress?.startInQueue()
        if state.mayHaveDependencies, !state.runsRegardless || !listeners.isEmpty || OutsideLog() != nil,
            let failure = DependencyFailure(firstOf: super.dependencies)
        {
            guard state.runsRegardless else { return finish(throwing: failure) }
            // For whoever reads the trace: it is meant.
            mark("runs regardless: \(failure)")
        }
        guard let preparation = state.preparation else { return runBody(listeners) }
        preparation.begin(self) {
            listeners.log?.noteBodyBegan()
            self.runBody(listeners)
        }
    }

    private func runBody(_ listeners: OperationListeners) {
        listeners.noteBody(mayWorkOn: isAsynchronous) { main() }
        if !isAsynchronous { finish() }
    }

    /// Sets the flag. Before the start, the operation becomes ready at once and finishes when its queue
    /// starts it.
    open override func cancel() {
        if !isFinished { listeners.noteCancelled() }
        super.cancel()
        existingPreparation?.cancel(self)
    }

    @available(*, noasync)
    open override func waitUntilFinished() {
        guard let log = listeners.log, !isFinished else { return super.waitUntilFinished() }
        log.noteWait(for: self) { super.waitUntilFinished() }
    }

    open override func addDependency(_ operation: Operation) {
        let listeners = state.withLock { state in
            state.mayHaveDependencies = true
            return state.listeners
        }
        guard !listeners.isEmpty else { return super.addDependency(operation) }
        listeners.noteDependency(on: operation) { super.addDependency(operation) }
        // Foundation asked before the edge was noted to be in place.
        _ = isReady
    }

    open override func removeDependency(_ operation: Operation) {
        super.removeDependency(operation)
        listeners.noteDependencyRemoved(on: operation)
    }

    // MARK: Finishing

    private func finish(with failure: (any Error)?) {
        let isRunning = state.withLock { state in
            if !state.isEnding && !state.isFinishRequested { state.failure = failure }
            // The first call decides; one that comes before the start is remembered until then.
            if state.phase == .pending { state.isFinishRequested = true }
            return state.phase == .executing
        }
        if isRunning { end() }
    }

    /// Finishes, once: the first caller does it, the others do nothing.
    private func end() {
        let isCancelled = isCancelled
        let before = state.withLock { state in
            defer { state.isEnding = true }
            return state
        }
        guard !before.isEnding else { return }
        let wasExecuting = before.phase == .executing
        let failure = willEnd(before.preparation?.failure ?? before.failure, isCancelled: isCancelled)
        if failure != nil || isCancelled { before.beforeFailing?() }
        if wasExecuting { willChangeValue(for: \.isExecuting) }
        willChangeValue(for: \.isFinished)
        // Before anybody can know of it: none of the dependents is in the log as started earlier than this,
        // and whoever waited may end the log.
        before.listeners.noteFinished(self, failure, isCancelled: isCancelled)
        let progress = state.withLock { state in
            state.phase = .finished
            state.failure = failure
            state.wasCancelled = isCancelled
            return state.progress
        }
        before.preparation?.end(self)
        progress?.end()
        if wasExecuting { didChangeValue(for: \.isExecuting) }
        didChangeValue(for: \.isFinished)
        // Foundation keeps both for ever; cycles through them would never be freed.
        if before.mayHaveDependencies {
            for dependency in super.dependencies { super.removeDependency(dependency) }
        }
        completionBlock = nil
        didEnd()
    }

    /// Has `body` called, on the thread that finishes the operation, when it is about to finish without
    /// success: before anything that depends on it may begin. For the group that it is a child of.
    final func beforeFailing(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.beforeFailing = body }
    }

    /// The operation is about to finish: gives the error that it finishes with. Called once. For those with
    /// an output.
    func willEnd(_ failure: (any Error)?, isCancelled: Bool) -> (any Error)? { failure }

    /// The operation has finished. For groups, and for operations with a task.
    func didEnd() {}

    // MARK: Parts that most operations do not have

    /// Made now if needed.
    final var preparation: Preparation {
        state.withLock { state in
            let preparation = state.preparation ?? Preparation()
            state.preparation = preparation
            return preparation
        }
    }

    final var existingPreparation: Preparation? { state.withLock { $0.preparation } }

    /// Made now if needed.
    final var operationProgress: OperationProgress {
        let (progress, isNew, phase) = state.withLock { state in
            let progress = state.progress ?? OperationProgress()
            defer { state.progress = progress }
            return (progress, state.progress == nil, state.phase)
        }
        guard isNew else { return progress }
        didMake(progress)
        // Asked for too late for the start, or for the end.
        if phase != .pending { progress.start() }
        if phase == .finished { progress.end() }
        return progress
    }

    final var existingProgress: OperationProgress? { state.withLock { $0.progress } }

    /// Somebody has asked for the progress. For groups.
    func didMake(_ progress: OperationProgress) {}

    /// As the keys know this operation. Made now if needed.
    final var exclusionHolder: ExclusionHolder {
        state.withLock { state in
            if let holder = state.exclusionHolder { return holder }
            let holder = ExclusionHolder()
            holder.setGroup(state.group)
            state.exclusionHolder = holder
            return holder
        }
    }

    /// Makes the operation a child of `group`.
    final func setGroup(_ group: GroupOperation) {
        let group = group.exclusionHolder
        state.withLock { state in
            state.group = group
            state.exclusionHolder?.setGroup(group)
        }
    }

    // MARK: Observation

    /// Puts a mark into the log that is said of this operation, and tells observers.
    final func mark(_ text: String) { listeners.noteMark(text, by: self) }

    private var listeners: OperationListeners { state.withLock { $0.listeners } }

    func identity(in writer: EventLogWriter) -> (id: OperationID, isNew: Bool) {
        knownIdentity.value(in: writer)
    }

    func isEnqueued(in writer: EventLogWriter) -> Bool { listeners.log?.queue.writer === writer }

    /// Called once, before the operation is added to its queue.
    final func attach(_ observation: OperationObservation) {
        state.withLock { $0.listeners.log = observation }
    }

    final func watch() -> WatchedOperation? {
        state.withLock { state in
            let watched = state.listeners.watched ?? WatchedOperation()
            state.listeners.watched = watched
            return watched
        }
    }

    /// Nil of one that no observer was told of.
    final var watched: WatchedOperation? {
        listeners.watched.flatMap { $0.isFollowed ? $0 : nil }
    }
}
