public import Foundation

/// An operation that consists of child operations. When it is started, it starts them on its own queue; it
/// finishes when all of them have.
///
///     let page = GroupOperation(name: "page 1", maxConcurrentOperationCount: 2)
///     page.add(download)
///     page.add(parse)
///     queue.addOperation(page)
///
/// Or derive from it, and add the children in the initializer, or in `prepare()`. If the children have
/// outputs, use `GatherOperation`. No thread is blocked while children run. Children may add children.
///
/// **Outcome.** It succeeds when all children have. Otherwise its `failure` is a `GroupFailure` that names
/// the failed children and the reasons. `failurePolicy` decides what happens to the other children.
///
/// **Cancellation.** `cancel()` cancels the children, including those that are added later. The group
/// finishes when they have, and counts as cancelled, whatever they failed with. If it is cancelled before its
/// start, it finishes when it is started; its children are cancelled and finish right after. If you finish it
/// by hand, with `finish()`, it stops waiting for its children. It cancels those that have not finished, and
/// they live until they have.
///
/// **Trace.** The children have the group as their parent. An inner queue with the group's name shows its
/// limit.
open class GroupOperation: AsynchronousOperation, @unchecked Sendable {
    private enum Phase {
        case collecting
        /// Started, and waiting for the main thread.
        case awaitingMainThread
        case preparing, running, over
    }

    private struct State {
        var phase = Phase.collecting
        var children: [Operation] = []
        var known: Set<ObjectIdentifier> = []
        /// Counts the children in the queue, plus one while a thread may still add others.
        var unfinishedCount = 0
        var blame = Blame()
        var completion: (@Sendable (Result<Void, any Error>) -> Void)?
    }

    /// What happens to the other children when one fails.
    public final let failurePolicy: FailurePolicy
    /// Whether `prepare()` is called on the main thread.
    public final let startsOnMainThread: Bool
    /// Not public: if other code suspended it or added to it, the group could not tell when it is over.
    package final let queue: InstrumentedQueue
    private let state: Locked<State>

    /// - Parameters:
    ///   - name: the name of the operation and of its queue.
    ///   - maxConcurrentOperationCount: how many children may run at once, not 0; -1 lets the system decide.
    ///   - failurePolicy: what happens to the other children when one fails.
    ///   - startsOnMainThread: whether `prepare()` is called on the main thread.
    ///   - qualityOfService: see `Operation.qualityOfService`; also applies to children that do not set their
    ///     own.
    ///   - recorder: where the inner queue's events go.
    ///   - completion: called once with the result, right after the group has finished, and released
    ///     afterwards. Dependents may have begun, so they must not rely on it. It is called on the thread on
    ///     which the group finished, which may be one of Swift's threads for tasks, so it must not block. The
    ///     result of a cancelled group is a `CancellationError`.
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

    /// How many children may run at once, not 0; -1 lets the system decide. Any thread, even while children
    /// run: those that run already continue.
    public final var maxConcurrentOperationCount: Int {
        get { queue.maxConcurrentOperationCount }
        set {
            precondition(newValue != 0, "a group whose children may not run never finishes")
            queue.maxConcurrentOperationCount = newValue
        }
    }

    // MARK: Children

    /// Adds a child. It starts when the group does. A child that is added later, for example by another
    /// child, starts as soon as it is ready. If the group was cancelled or fails fast, the child is
    /// cancelled. Any thread.
    ///
    /// The child must not be in a queue, in another group or started. Otherwise Foundation ends the program
    /// when the child is put into the group's queue.
    ///
    /// - Returns: false if the group is over, or was finished by hand. The child is not run.
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

    /// Called once, when the group is started and before its children are. Override it to add children. The
    /// default implementation does nothing.
    ///
    /// Called on the thread that the queue starts the group on (or that called `start()`). With
    /// `startsOnMainThread`, it is called on the main queue, as soon as that gets to it; or at once if the
    /// group is started on the main thread. Something has to run the main queue: the main run loop,
    /// `dispatchMain()`, or an asynchronous `main` in the program. Otherwise the group waits until it is
    /// cancelled. (On Linux, if `main` is asynchronous, the main queue runs on other threads than the main
    /// thread.)
    ///
    /// Not called if the group was cancelled before. If it is cancelled during the call, it finishes when the
    /// call has returned.
    open func prepare() {}

    // MARK: Start

    /// Calls `prepare()`, and starts the children.
    public final override func main() {
        takeOwnership()
        if qualityOfService != .default { queue.qualityOfService = qualityOfService }
        guard startsOnMainThread && !Thread.isMainThread else { return begin(from: .collecting) }
        state.withLock { if $0.phase == .collecting { $0.phase = .awaitingMainThread } }
        let current = CurrentOperation.value
        watched?.recordAnotherBody()
        DispatchQueue.main.async {
            CurrentOperation.with(current) { self.beginWatched(from: .awaitingMainThread) }
        }
        // A cancellation before this point did not see that the group waits.
        if isCancelled { abandonMainThread() }
    }

    /// Like `begin`, inside the observers' `body(_:)`.
    private func beginWatched(from phase: Phase) {
        guard let watched else { return begin(from: phase) }
        watched.runBody { begin(from: phase) }
    }

    /// The main thread may take long, and has nothing left to do.
    private func abandonMainThread() {
        guard state.withLock({ $0.phase == .awaitingMainThread }) else { return }
        // On another thread, because the caller of `cancel()` may hold a lock that finishing takes.
        DispatchQueue.global().async { self.begin(from: .awaitingMainThread, isPreparing: false) }
    }

    /// Puts the children into the queue. Only the first caller that comes from `phase` does so.
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
            // Keeps the group, and so the children, until all of them have finished. Otherwise Foundation
            // reads dependents that are gone.
            FinishSentinel.observe([child]) { self.childFinished(child) }
        }
        queue.addOperations(children)
        // A cancellation or a failure in the meantime may not have found them.
        cancelIfOver(children)
    }

    /// Makes the group the parent of everything that is added here, on any thread.
    private func takeOwnership() {
        let watched = watched ?? WatchedOperation.current
        HostLog()?.setOwner(of: queue, self)
        guard let writer = queue.recorder.writer, isEnqueued(in: writer) else {
            return queue.tracker.setOwner(CurrentOperation.value, watched)
        }
        queue.tracker.setOwner(
            CurrentOperation(log: writer.log.number, id: identity(in: writer).id), watched)
    }

    // MARK: Cancellation and failure

    /// Cancels the operation and its children.
    open override func cancel() {
        super.cancel()
        // Including those that are not in the queue yet. In reverse order, so that the dependents of a child
        // that ends because of this do not start.
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

    /// Counts one child less. The last one finishes the group, unless others have been added.
    private func release() {
        while true {
            let knownCount: Int? = state.withLock { state in
                // The last one stays counted meanwhile, so that no other thread can become the last one.
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

    /// All children that were added have finished. This is the last moment to add others. Called by one
    /// thread at a time, each time this happens.
    func childrenFinished() {}

    /// The error that the group finishes with when all children have finished.
    func childrenFailure() -> (any Error)? {
        let (children, blame) = state.withLock { ($0.children, $0.blame) }
        return GroupFailure(of: children, exceptFor: blame.cancelledByGroup)
    }

    /// If the group was cancelled before its start or finished by hand, it gives up on its children: they are
    /// cancelled and finish, so that nothing keeps waiting for them.
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
    /// Adds `operations` together, without waiting for them. Can be called in asynchronous functions.
    fileprivate func addOperations(_ operations: [Operation]) {
        addOperations(operations, waitUntilFinished: false)
    }
}
