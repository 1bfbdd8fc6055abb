import CRecorder
import EventLog
public import Foundation

/// The base class of operations whose work goes on after their body has returned.
///
/// Override `main()`: begin the work there and return. Call `finish()` or `finish(throwing:)` when the work
/// is done, from any thread, once or more. The operation finishes once, and never before it was started. A
/// cancelled operation still has to finish. If it is cancelled before its start, it finishes when the queue
/// starts it, without a call of `main()`. If it is cancelled later, `main()` has to check `isCancelled`, or
/// `cancel()` has to stop the work; either way, call `finish()`.
///
/// The members that are easy to get wrong are `final` here: `start()`, `isReady`, `isExecuting`,
/// `isFinished`. Override `cancel()` to stop the work, and call `super.cancel()` first. Do not finish there.
///
/// A subclass has to restate `@unchecked Sendable`; keep its mutable state behind a lock.
open class AsynchronousOperation: Operation, ObservedOperation, @unchecked Sendable {
    private enum Phase { case pending, executing, finished }

    private struct State {
        var phase = Phase.pending
        /// A thread has begun to finish it; no other thread may.
        var isEnding = false
        /// `finish` was called before the start, so the start finishes it at once.
        var isFinishRequested = false
        var failure: (any Error)?
        var runsRegardless = false
        /// Reading the dependencies takes longer than checking this flag.
        var mayHaveDependencies = false
        /// Whether it was cancelled when it finished. A later cancellation changes nothing.
        var wasCancelled = false
        var beforeFailing: (@Sendable () -> Void)?
        var receivers = OperationReceivers()
        var identity = OperationIdentity()
        /// For an operation with keys, conditions or a timeout.
        var preparation: Preparation?
        /// Set when somebody asked for the progress.
        var progress: OperationProgress?
        /// For an operation with keys or children.
        var exclusionHolder: ExclusionHolder?
        /// The group that it is a child of.
        var group: ExclusionHolder?
    }

    private let state = Locked(State())

    public override init() { super.init() }

    deinit {
        // Foundation keeps an unretained pointer to every dependent, and reads it when the dependency
        // finishes.
        guard state.withLock({ $0.mayHaveDependencies }) else { return }
        for dependency in super.dependencies { super.removeDependency(dependency) }
    }

    // MARK: For subclasses

    /// Begins the work. Called once, on the thread that the queue starts the operation on (or that called
    /// `start()`). Not called if the operation was cancelled before, or if a dependency failed. The default
    /// implementation finishes the operation at once.
    open override func main() { finish() }

    /// Ends the operation: it succeeded, or was cancelled if `isCancelled` is set. Any thread; later calls do
    /// nothing. If called before the start, it takes effect at the start, without `main()`.
    ///
    /// Dependents become ready before this returns, on this thread.
    public final func finish() { finish(with: nil) }

    /// Ends the operation with an error, which `failure` returns from then on. Otherwise like `finish()`.
    public final func finish(throwing error: any Error) { finish(with: error) }

    /// The error that the operation failed with. Nil until it has finished, and if it did not fail. Any
    /// thread.
    public final var failure: (any Error)? {
        state.withLock { $0.phase == .finished ? $0.failure : nil }
    }

    /// Like `failure`, but a `CancellationError` if it was cancelled without another error.
    final var failureOrCancellation: (any Error)? {
        state.withLock { state in
            guard state.phase == .finished else { return nil }
            return state.failure ?? (state.wasCancelled ? CancellationError() : nil)
        }
    }

    /// Throws a `CancellationError` if the operation was cancelled. Any thread.
    public final func checkCancellation() throws {
        if isCancelled { throw CancellationError() }
    }

    // MARK: State

    /// Whether the work goes on after `main()` has returned. True by default. If you override it to return
    /// false, the operation finishes when `main()` returns, unless it has finished before.
    open override var isAsynchronous: Bool { true }

    public final override var isExecuting: Bool { state.withLock { $0.phase == .executing } }

    public final override var isFinished: Bool { state.withLock { $0.phase == .finished } }

    /// True when its dependencies have finished, or it was cancelled, as for every operation. (Overridden
    /// only to record the time.)
    public final override var isReady: Bool {
        let receivers = receivers
        let questions = receivers.readinessQuestions
        guard super.isReady else { return false }
        receivers.recordReady(questions)
        return true
    }

    /// Whether `main()` is called even if a dependency failed or was cancelled. False by default: the
    /// operation then fails with a `DependencyFailure` that names the first such dependency, in the order of
    /// `dependencies`. For a dependency that is neither an `AsynchronousOperation` nor a `ResultOperation`,
    /// only a cancellation is known. Set it before the operation is enqueued.
    public final var runsRegardless: Bool {
        get { state.withLock { $0.runsRegardless } }
        set { state.withLock { $0.runsRegardless = newValue } }
    }

    /// Called by the queue. Calls `main()`, or finishes the operation if it was cancelled.
    public final override func start() {
        let isCancelled = isCancelled
        guard !isFinished else { return }
        willChangeValue(for: \.isExecuting)
        // Checked and changed in one step: if two threads start it, only one succeeds.
        let (phase, state) = state.withLock { state in
            let phase = state.phase
            if phase == .pending && !isCancelled && !state.isFinishRequested { state.phase = .executing }
            return (phase, state)
        }
        precondition(phase != .executing, "an operation was started twice")
        let receivers = state.receivers
        let isRunning = phase == .pending && state.phase == .executing
        if isRunning { receivers.recordExecuting() }
        didChangeValue(for: \.isExecuting)
        guard isRunning else { return phase == .pending ? end() : () }
        state.progress?.startInQueue()
        if state.mayHaveDependencies, !state.runsRegardless || !receivers.isEmpty || HostLog() != nil,
            let failure = DependencyFailure(firstOf: super.dependencies)
        {
            guard state.runsRegardless else { return finish(throwing: failure) }
            // Tells the reader of the trace that this is intended.
            mark(KnownMark.runsRegardless(failure: "\(failure)").text)
        }
        guard let preparation = state.preparation else { return runBody(receivers) }
        preparation.begin(self) {
            receivers.log?.recordBodyBegan()
            self.runBody(receivers)
        }
    }

    private func runBody(_ receivers: OperationReceivers) {
        receivers.recordBody(of: self, mayWorkOn: isAsynchronous) { main() }
        if !isAsynchronous { finish() }
    }

    /// Runs the part of the body that is in a task. Called in that task. For operations with a task.
    final func recordTask(_ body: () async -> Void) async {
        if let log = receivers.log { await log.recordTask(body) } else { await body() }
    }

    /// Cancels the operation. Before its start, it becomes ready at once and finishes when its queue starts
    /// it.
    open override func cancel() {
        if !isFinished { receivers.recordCancelled() }
        super.cancel()
        existingPreparation?.cancel(self)
    }

    @available(*, noasync)
    open override func waitUntilFinished() {
        guard let log = receivers.log, !isFinished else { return super.waitUntilFinished() }
        log.recordWait(for: self) { super.waitUntilFinished() }
    }

    open override func addDependency(_ operation: Operation) {
        let receivers = state.withLock { state in
            state.mayHaveDependencies = true
            return state.receivers
        }
        guard !receivers.isEmpty else { return super.addDependency(operation) }
        receivers.recordDependency(on: operation) { super.addDependency(operation) }
        // Foundation asked before the edge was marked as in place.
        _ = isReady
    }

    open override func removeDependency(_ operation: Operation) {
        super.removeDependency(operation)
        receivers.recordDependencyRemoved(on: operation)
    }

    // MARK: Finishing

    private func finish(with failure: (any Error)?) {
        let isRunning = state.withLock { state in
            if !state.isEnding && !state.isFinishRequested { state.failure = failure }
            // The first call decides. A call before the start is remembered until then.
            if state.phase == .pending { state.isFinishRequested = true }
            return state.phase == .executing
        }
        if isRunning { end() }
    }

    /// Finishes the operation once: the first caller does it, the others do nothing.
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
        forgetCompletionBlockOnceItRan()
        if wasExecuting { willChangeValue(for: \.isExecuting) }
        willChangeValue(for: \.isFinished)
        // Log the finish before anybody can know of it. Then no dependent is in the log as started earlier,
        // and a thread that waited may end the log.
        before.receivers.recordFinished(self, failure, isCancelled: isCancelled)
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
        // Foundation keeps them for ever, so cycles through them would never be freed.
        if before.mayHaveDependencies {
            for dependency in super.dependencies { super.removeDependency(dependency) }
        }
        didEnd()
    }

    /// Foundation keeps the completion block for ever, too. It must not be removed before it ran: the queue's
    /// thread, back from `start()`, may be the one that saw the finish and sends the block, and reads it any
    /// time after this thread has notified it.
    private func forgetCompletionBlockOnceItRan() {
        guard let block = completionBlock else { return }
        completionBlock = { [weak self] in
            block()
            self?.completionBlock = nil
        }
    }

    /// Sets a closure to call when the operation is about to finish without success, on the thread that
    /// finishes it, before any dependent may begin. Used by the group that it is a child of.
    final func beforeFailing(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.beforeFailing = body }
    }

    /// The operation is about to finish. Returns the error that it finishes with. Called once. For operations
    /// with an output.
    func willEnd(_ failure: (any Error)?, isCancelled: Bool) -> (any Error)? { failure }

    /// The operation has finished. For groups, and for operations with a task.
    func didEnd() {}

    // MARK: Parts that most operations do not have

    /// Created on first use.
    final var preparation: Preparation {
        state.withLock { state in
            let preparation = state.preparation ?? Preparation()
            state.preparation = preparation
            return preparation
        }
    }

    final var existingPreparation: Preparation? { state.withLock { $0.preparation } }

    /// Created on first use.
    final var operationProgress: OperationProgress {
        let (progress, isNew, phase) = state.withLock { state in
            let progress = state.progress ?? OperationProgress()
            defer { state.progress = progress }
            return (progress, state.progress == nil, state.phase)
        }
        guard isNew else { return progress }
        didMake(progress)
        // The progress was requested after the start, or after the end.
        if phase != .pending { progress.start() }
        if phase == .finished { progress.end() }
        return progress
    }

    final var existingProgress: OperationProgress? { state.withLock { $0.progress } }

    /// Somebody has asked for the progress. For groups.
    func didMake(_ progress: OperationProgress) {}

    /// This operation's identity as a holder of keys. Created on first use.
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

    /// Adds a mark for this operation to the log, and notifies observers.
    final func mark(_ text: String) { receivers.recordMark(text, by: self) }

    private var receivers: OperationReceivers { state.withLock { $0.receivers } }

    func identity(in writer: EventLogWriter) -> (id: OperationID, isNew: Bool) {
        state.withLock { $0.identity.value(in: writer.reference) }
    }

    func isEnqueued(in writer: EventLogWriter) -> Bool { receivers.log?.log.number == writer.log.number }

    /// Logs a plain enqueue, as ready at once. Call this before the operation is added. False if there is
    /// more to log.
    final func enqueuePlainly(in queue: UnsafePointer<recorder_queue>, parent: UInt64) -> Bool {
        let address = Unmanaged.passUnretained(self).toOpaque()
        let kind = recorder_plain_kind(queue, address, RECORDER_CLASS_IS_OURS)
        guard kind != 0,
            let argument = LogEvent.Body.packed(queue: QueueID(queue.pointee.identifier), kind: kind)
        else { return false }
        let log = LogReference(of: queue)
        let observation = state.withLock { state in
            let id = state.identity.value(in: log).id
            let time = recorder_append_enqueue(
                log.log, log.number, id.rawValue, argument, parent, nil, true)
            let observation = OperationObservation(readyAtOnce: id, in: log, enqueueTime: time)
            state.receivers.log = observation
            return observation
        }
        if recorder_is_cancelled(address), let writer = log.writer {
            observation.recordCancelled(notBefore: writer.start)
        }
        return true
    }

    /// Called once, before the operation is added to its queue.
    final func attach(_ observation: OperationObservation) {
        state.withLock { $0.receivers.log = observation }
    }

    final func watch() -> WatchedOperation? {
        state.withLock { state in
            let watched = state.receivers.watched ?? WatchedOperation()
            state.receivers.watched = watched
            return watched
        }
    }

    /// Nil if no observer was notified of the operation.
    final var watched: WatchedOperation? {
        receivers.watched.flatMap { $0.isReported ? $0 : nil }
    }
}
