public import Foundation

/// An operation made of others: it starts them on a queue of its own when it is started, and finishes when
/// all of them have.
///
///     let page = GroupOperation(name: "page 1", maxConcurrentOperationCount: 2)
///     page.add(download)
///     page.add(parse)
///     queue.addOperation(page)
///
/// Or derive from it, and add the children in the initializer, or in `prepare()`. Where the children have
/// outputs, see `GatherOperation`. No thread is blocked while children run. Children may add children.
///
/// **Outcome.** It succeeds when all children have. Otherwise its `failure` is a `GroupFailure` that says
/// which did not, and why; `failurePolicy` says what becomes of the others.
///
/// **Cancellation.** `cancel()` cancels the children, those included that are added later; the group finishes
/// when they have, and counts as cancelled, whatever they failed with. Cancelled before its start, it
/// finishes when it is started; its children are cancelled and finish right after. Finished by hand, with
/// `finish()`, it waits for its children no longer: it cancels those that have not finished, and they live
/// until they have.
///
/// **Trace.** The children have the group as their parent; an inner queue with the group's name has its
/// limit.
open class GroupOperation: AsynchronousOperation, @unchecked Sendable {
    private enum Phase {
        case collecting
        /// Started, and on its way to the main thread.
        case awaitingMainThread
        case preparing, running, over
    }

    private struct State {
        var phase = Phase.collecting
        var children: [Operation] = []
        var known: Set<ObjectIdentifier> = []
        /// Of the children that are in the queue; and one more, while somebody sees to it that there may be
        /// others.
        var unfinishedCount = 0
        var blame = Blame()
        var completion: (@Sendable (Result<Void, any Error>) -> Void)?
    }

    /// What becomes of the other children when one fails.
    public final let failurePolicy: FailurePolicy
    /// Where `prepare()` is called.
    public final let startsOnMainThread: Bool
    /// Not public: code that suspended it, or added to it, would hide from the group when it is over.
    package final let queue: InstrumentedQueue
    private let state: Locked<State>

    /// - Parameters:
    ///   - name: the operation's name, and its queue's.
    ///   - maxConcurrentOperationCount: how many children may run at once, not 0; -1 as many as the system
    ///     likes.
    ///   - failurePolicy: what becomes of the other children when one fails.
    ///   - startsOnMainThread: `prepare()` is called on the main thread.
    ///   - qualityOfService: see `Operation.qualityOfService`; also that of children without one of their
    ///     own.
    ///   - recorder: where the inner queue's events go.
    ///   - completion: told the result once, right after the group has finished: dependents may have begun,
    ///     and must not rely on it. On the thread on which the group finished, which may be one of those that
    ///     Swift keeps for tasks: it must not block. A `CancellationError` is the result of a group that was
    ///     cancelled. Released afterwards.
    public init(
        name: String? = nil,
        maxConcurrentOperationCount: Int = OperationQueue.defaultMaxConcurrentOperationCount,
        failurePolicy: FailurePolicy = .failFast, startsOnMainThread: Bool = false,
        qualityOfService: QualityOfService = .default, recorder: Recorder = .shared,
        completion: (@Sendable (Result<Void, any Error>) -> Void)? = nil
    ) {
        self.failurePolicy = failurePolicy
        self.startsOnMainThread = startsOnMainThread
        queue = InstrumentedQueue(recorder: recorder)
        state = Locked(State(completion: completion))
        super.init()
        self.name = name
        self.qualityOfService = qualityOfService
        queue.name = name
        self.maxConcurrentOperationCount = maxConcurrentOperationCount
    }

    /// How many children may run at once, not 0; -1 as many as the system likes. Any thread, also while
    /// children run: those that run already go on.
    public final var maxConcurrentOperationCount: Int {
        get { queue.maxConcurrentOperationCount }
        set {
            precondition(newValue != 0, "a group whose children may not run never finishes")
            queue.maxConcurrentOperationCount = newValue
        }
    }

    // MARK: Children

    /// Adds a child. It starts when the group does; added later, by another child for instance, as soon as it
    /// is ready. Added to a group that was cancelled or fails fast, it is cancelled. Any thread.
    ///
    /// The child is in no queue, in no other group and not started: Foundation ends the program otherwise,
    /// when the child is put into the group's queue.
    ///
    /// - Returns: false when the group is over, or was finished by hand: the child is not run.
    @discardableResult
    public final func add(_ operation: Operation) -> Bool {
        precondition(operation !== self, "a group was added to itself")
        precondition(
            !operation.isExecuting && !operation.isFinished,
            "an operation that has been started was added to a group")
        (operation as? AsynchronousOperation)?.setGroup(self)
        let (phase, count) = state.withLock { state in
            guard state.phase != .over else { return (Phase.over, 0) }
            let isNew = state.known.insert(ObjectIdentifier(operation)).inserted
            precondition(isNew, "an operation was added to a group twice")
            state.children.append(operation)
            if state.phase == .running { state.unfinishedCount += 1 }
            return (state.phase, state.children.count)
        }
        if phase != .over { existingProgress?.take([operation], of: count) }
        if phase == .running { run([operation]) }
        return phase != .over
    }

    /// The children, in the order in which they were added. Any thread.
    public final var children: [Operation] { state.withLock { $0.children } }

    /// Called once, when the group is started and before its children are: may add children. By itself it
    /// does nothing.
    ///
    /// On the thread that the queue starts the group on (or that called `start()`); with `startsOnMainThread`
    /// on the main queue, as soon as that gets to it, and at once where the group is started on the main
    /// thread. Something has to run the main queue: the main run loop, `dispatchMain()`, or an asynchronous
    /// `main` of the program's. Where nothing does, the group waits until it is cancelled. (On Linux, a
    /// program whose `main` is asynchronous has its main queue run by other threads than the main thread.)
    ///
    /// Not called when the group is cancelled before. Cancelled meanwhile, the group finishes when this has
    /// returned.
    open func prepare() {}

    // MARK: Start

    /// Calls `prepare()`, and starts the children.
    public final override func main() {
        takeOwnership()
        if qualityOfService != .default { queue.qualityOfService = qualityOfService }
        guard startsOnMainThread && !Thread.isMainThread else { return begin(from: .collecting) }
        state.withLock { if $0.phase == .collecting { $0.phase = .awaitingMainThread } }
        let current = CurrentOperation.value
        watched?.noteAnotherBody()
        DispatchQueue.main.async {
            CurrentOperation.$value.withValue(current) { self.beginWatched(from: .awaitingMainThread) }
        }
        // Whoever cancelled it before did not see that it waits.
        if isCancelled { abandonMainThread() }
    }

    /// As `begin`, within what observers put around a body.
    private func beginWatched(from phase: Phase) {
        guard let watched else { return begin(from: phase) }
        watched.runBody { begin(from: phase) }
    }

    /// The main thread may be long in coming, and there is nothing left to do there.
    private func abandonMainThread() {
        guard state.withLock({ $0.phase == .awaitingMainThread }) else { return }
        // Not here: whoever cancels may hold a lock that it takes to finish.
        DispatchQueue.global().async { self.begin(from: .awaitingMainThread, isPreparing: false) }
    }

    /// Puts the children into the queue. For the first who gets there from `phase`; does nothing for another.
    private func begin(from phase: Phase, isPreparing: Bool = true) {
        let isMine = state.withLock { state in
            guard state.phase == phase else { return false }
            state.phase = .preparing
            return true
        }
        guard isMine else { return }
        if isPreparing { prepare() }
        let children: [Operation]? = state.withLock { state in
            // It may have been finished by hand.
            guard state.phase == .preparing else { return nil }
            state.phase = .running
            state.unfinishedCount = state.children.count + 1
            return state.children
        }
        guard let children else { return }
        run(children)
        release()
    }

    private func run(_ children: [Operation]) {
        cancelIfOver(children)
        for child in children {
            if failurePolicy == .failFast, let own = child as? AsynchronousOperation {
                own.beforeFailing { [weak self, weak own] in
                    if let own { self?.childFails(own) }
                }
            }
            // Keeps the group, and so the children, until all of them have finished: Foundation reads
            // dependents that are gone otherwise.
            FinishSentinel.watch([child]) { self.childFinished(child) }
        }
        queue.addOperations(children)
        // Whoever cancelled or failed meanwhile may not have found them.
        cancelIfOver(children)
    }

    /// What is added here is the group's, whatever thread it is added on.
    private func takeOwnership() {
        let watched = watched ?? WatchedOperation.current
        OutsideLog()?.setOwner(of: queue, self)
        guard let writer = queue.recorder.writer, isEnqueued(in: writer) else {
            return queue.tracker.setOwner(CurrentOperation.value, watched)
        }
        queue.tracker.setOwner(
            CurrentOperation(log: writer.log.number, id: identity(in: writer).id), watched)
    }

    // MARK: Cancellation and failure

    /// Sets the flag, and cancels the children.
    open override func cancel() {
        super.cancel()
        // Those included that are not in the queue yet. The last first: what depends on one that ends by this
        // does not start.
        for child in children.reversed() { child.cancel() }
        abandonMainThread()
    }

    private func cancelIfOver(_ children: [Operation]) {
        let (isOver, isFailing) = state.withLock { ($0.phase == .over, $0.blame.isFailing) }
        if isCancelled || isOver {
            for child in children.reversed() where !child.isFinished { child.cancel() }
        } else if isFailing {
            cancelForFailure(children)
        }
    }

    /// A child is about to finish without success, or has.
    private func childFails(_ child: Operation) {
        guard failurePolicy == .failFast, !isCancelled else { return }
        let children = state.withLock { $0.blame.fails(child) ? $0.children : [] }
        cancelForFailure(children)
    }

    private func cancelForFailure(_ children: [Operation]) {
        for child in children.reversed() where !child.isCancelled && !child.isFinished {
            if state.withLock({ $0.blame.isToCancel(child) }) { child.cancel() }
        }
    }

    // MARK: End

    private func childFinished(_ child: Operation) {
        if child.shortfall != nil { childFails(child) }
        if !(child is AsynchronousOperation) { existingProgress?.completeUnit() }
        child.forgetUnfinishedDependencies()
        release()
    }

    /// One child less; the last one finishes the group, unless others have been added.
    private func release() {
        while true {
            let knownCount: Int? = state.withLock { state in
                // Whoever is the last stays counted meanwhile: nobody else is it then.
                if state.unfinishedCount == 1 && state.phase == .running { return state.children.count }
                state.unfinishedCount -= 1
                return nil
            }
            guard let knownCount else { return }
            childrenFinished()
            let isOver = state.withLock { state in
                guard state.unfinishedCount == 1, state.children.count == knownCount else { return false }
                state.unfinishedCount = 0
                state.phase = .over
                return true
            }
            if isOver { return finishWithChildren() }
        }
    }

    private func finishWithChildren() {
        if !isCancelled, let failure = childrenFailure() { finish(throwing: failure) } else { finish() }
    }

    final override func didMake(_ progress: OperationProgress) {
        let children = children
        progress.take(children, of: children.count)
    }

    /// All children that were added have finished: the last moment to add others. Called by one thread at a
    /// time, as often as that is so.
    func childrenFinished() {}

    /// The error that the group finishes with, when all children have finished.
    func childrenFailure() -> (any Error)? {
        let (children, blame) = state.withLock { ($0.children, $0.blame) }
        return GroupFailure(of: children, exceptFor: blame.cancelledByGroup)
    }

    /// Ended otherwise than by its children, cancelled before its start or finished by hand, the group gives
    /// up on them: they are cancelled and finish, so that nothing keeps waiting for them.
    override func didEnd() {
        let (children, isInQueue, completion) = state.withLock { state in
            defer {
                state.phase = .over
                state.completion = nil
            }
            let isInQueue = state.phase == .running || state.phase == .over
            if !isInQueue { state.unfinishedCount = state.children.count }
            return (state.phase == .over ? [] : state.children, isInQueue, state.completion)
        }
        if isInQueue {
            for child in children.reversed() { child.cancel() }
        } else {
            takeOwnership()
            run(children)
        }
        completion?(failureOrCancellation.map { .failure($0) } ?? .success(()))
    }
}

extension OperationQueue {
    /// Adds `operations` together, without waiting for them; callable from asynchronous functions.
    fileprivate func addOperations(_ operations: [Operation]) {
        addOperations(operations, waitUntilFinished: false)
    }
}
