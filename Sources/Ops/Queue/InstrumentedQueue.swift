import CRecorder
public import Foundation
import Synchronization

/// An operation queue that records what its operations do.
///
/// It goes wherever an `OperationQueue` goes and behaves as one: the same objects in `operations`, the same
/// order, priorities, barriers, suspension and progress. What it records goes to its recorder, and
/// `OperationObservers` are told; while there are none and the recorder is off, an operation costs two atomic
/// reads more.
///
/// Operations of every class are recorded exactly on Linux; Documentation/WhatIsExact.md lists what is
/// known as an interval.
///
/// `@unchecked Sendable` restates the superclass's; its own state is behind a lock.
open class InstrumentedQueue: OperationQueue, @unchecked Sendable {
    /// Where this queue's events go.
    public let recorder: Recorder

    private struct State {
        var observation: QueueObservation?
        var owner: CurrentOperation?
        /// As observers know it.
        var watchedOwner: WatchedOperation?
        /// Made when somebody observes.
        var watch: QueueWatch?
    }

    private let state = Locked(State())
    private let isProgressInUse = Atomic(false)
    /// Foundation gives a closure's operation the queue's quality of service only where one was set.
    private let isQualityOfServiceSet = Atomic(false)

    /// A queue that records to `Recorder.shared`.
    public override convenience init() { self.init(recorder: .shared) }

    /// A queue that records to `recorder`.
    public init(recorder: Recorder) {
        self.recorder = recorder
        super.init()
    }

    // MARK: Adding operations

    open override func addOperation(_ operation: Operation) {
        if let closure = operation as? ObservedBlock, !closure.isTold { return addClosure(closure) }
        joinProgressInUse([operation])
        // Once more: somebody may ask for the progress just before the operation is in the queue.
        defer { joinProgressInUse([operation]) }
        guard isToldOf, let addition = beginAddition() else { return super.addOperation(operation) }
        let told = addition.tell(operation)
        let wasEnqueuing = recorder_begin_enqueue()
        super.addOperation(operation)
        recorder_end_enqueue(wasEnqueuing)
        addition.arm(operation, told)
    }

    open override func addOperation(_ block: @escaping @Sendable () -> Void) {
        guard isToldOf else { return super.addOperation(block) }
        // As Foundation does: a subclass may override this.
        addOperation(closure(block))
    }

    /// Adds a closure under a name: `queue.addOperation(name: "decode \(page)") { … }`. Its kind is the
    /// function that it is written in, as that of every closure; the name tells it from the others.
    public final func addOperation(name: String, _ block: @escaping @Sendable () -> Void) {
        let operation = closure(block)
        operation.name = name
        addOperation(operation)
    }

    /// The operation that runs a closure.
    private func closure(_ block: @escaping @Sendable () -> Void) -> ObservedBlock {
        let operation = ObservedBlock(block: block)
        if isQualityOfServiceSet.load(ordering: .relaxed) {
            operation.qualityOfService = super.qualityOfService
        }
        return operation
    }

    private func addClosure(_ operation: ObservedBlock) {
        let (account, watching) = (account(), beginWatch())
        guard account != nil || watching != nil else { return super.addOperation(operation) }
        let barriers = account?.queue.barriers.unfinished ?? []
        let isPending = !barriers.isEmpty || account?.queue.mayWaitForEarlier(in: self) == true
        if let account {
            operation.logEnqueue(
                in: account.queue, parent: account.parent, barriers: barriers.map(\.id),
                isReadinessPending: isPending)
        }
        let watched = watching?.tell(operation, recordedIn: account?.queue)
        let wasEnqueuing = recorder_begin_enqueue()
        super.addOperation(operation)
        recorder_end_enqueue(wasEnqueuing)
        if let watched { watching?.arm(operation, watched) }
        guard isPending else { return }
        account?.queue.barriers.whenFinished(barriers) { [weak operation] in operation?.armReadiness() }
    }

    @available(*, noasync)
    open override func addOperations(_ operations: [Operation], waitUntilFinished wait: Bool) {
        joinProgressInUse(operations)
        defer { joinProgressInUse(operations) }
        guard let addition = beginAddition() else {
            return super.addOperations(operations, waitUntilFinished: wait)
        }
        let told = operations.map { addition.tell($0) }
        let wasEnqueuing = recorder_begin_enqueue()
        super.addOperations(operations, waitUntilFinished: false)
        recorder_end_enqueue(wasEnqueuing)
        for (operation, told) in zip(operations, told) { addition.arm(operation, told) }
        guard wait else { return }
        for (operation, told) in zip(operations, told) {
            // Others say so themselves.
            if case .observed(let observation) = told.logged, operation.observed == nil {
                observation.noteWait(for: operation) { operation.waitUntilFinished() }
            } else {
                operation.waitUntilFinished()
            }
        }
    }

    @available(*, noasync)
    open override func waitUntilAllOperationsAreFinished() {
        guard let queue = current else { return super.waitUntilAllOperationsAreFinished() }
        queue.noteWait(for: self) { super.waitUntilAllOperationsAreFinished() }
    }

    open override func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) {
        guard let addition = beginAddition() else { return super.addBarrierBlock(barrier) }
        addition.addBarrier(behind: operations, barrier) { super.addBarrierBlock($0) }
    }

    // MARK: Settings

    open override var maxConcurrentOperationCount: Int {
        get { super.maxConcurrentOperationCount }
        set {
            current?.noteRaised(to: newValue)
            super.maxConcurrentOperationCount = newValue
            current?.refresh(from: self)
        }
    }

    open override var isSuspended: Bool {
        get { super.isSuspended }
        set {
            if !newValue { current?.noteResumed() }
            super.isSuspended = newValue
            current?.refresh(from: self)
        }
    }

    open override var name: String? {
        get { super.name }
        set {
            super.name = newValue
            current?.noteName(of: self)
        }
    }

    open override var qualityOfService: QualityOfService {
        get { super.qualityOfService }
        set {
            isQualityOfServiceSet.store(true, ordering: .relaxed)
            super.qualityOfService = newValue
        }
    }

    /// As every queue's; it counts an `AsynchronousOperation` as well, which plain queues do not.
    open override var progress: Progress {
        let wasInUse = isProgressInUse.exchange(true, ordering: .relaxed)
        if !wasInUse { joinProgress(operations) }
        return super.progress
    }

    /// - Parameter operations: made where they are needed: an array of one costs as much as all else that
    ///   adding does here.
    private func joinProgressInUse(_ operations: @autoclosure () -> [Operation]) {
        if isProgressInUse.load(ordering: .relaxed) { joinProgress(operations()) }
    }

    private func joinProgress(_ operations: [Operation]) {
        let progress = super.progress
        for case let operation as AsynchronousOperation in operations { operation.joinProgress(progress) }
    }

    open override func cancelAllOperations() {
        current?.noteCancellation()
        super.cancelAllOperations()
    }

    // MARK: Recording

    /// Makes `operation` the parent of all that is added from now on, whatever thread it is added on.
    final func setOwner(_ operation: CurrentOperation?, _ watched: WatchedOperation?) {
        state.withLock { state in
            state.owner = operation
            state.watchedOwner = watched
        }
    }

    /// Whether anybody wants to hear of operations that are added now.
    private var isToldOf: Bool { recorder.isRecording || OperationObservers.isAnyInstalled }

    /// What operations that are added now are logged with. Nil while nothing is recorded.
    private func account() -> (queue: QueueObservation, parent: OperationID?)? {
        guard recorder.isRecording else { return nil }
        var (queue, owner) = state.withLock { ($0.observation, $0.owner) }
        if queue?.writer.isOpen != true { queue = observe() }
        return queue.map { ($0, owner?.id(in: $0.writer.log) ?? $0.writer.currentOperation) }
    }

    /// The account of this queue in the log being written, opened when there is none yet. Nil while nothing
    /// is recorded.
    private func observe() -> QueueObservation? {
        guard let writer = recorder.writer else { return nil }
        if let observation = current { return observation }
        let opened = QueueObservation(of: self, writer: writer)
        return state.withLock { state in
            // Two threads may add the first operation at once; one account stands.
            if let observation = state.observation, observation.writer === writer { return observation }
            state.observation = opened
            return opened
        }
    }

    /// The account of this queue in the log being written, if it has one.
    private var current: QueueObservation? {
        guard let writer = recorder.writer else { return nil }
        return state.withLock { $0.observation?.writer === writer ? $0.observation : nil }
    }

    /// What operations that are added now are logged with. Nil while nothing is recorded.
    private func beginEnqueue() -> Enqueuing? {
        account().map { Enqueuing($0.queue, of: self, parent: $0.parent) }
    }

    /// What observers are told of operations that are added now. Nil while nobody observes.
    private func beginWatch() -> WatchedEnqueue? {
        guard OperationObservers.isAnyInstalled else { return nil }
        let (watch, owner) = state.withLock { state in
            let watch = state.watch ?? QueueWatch()
            state.watch = watch
            return (watch, state.watchedOwner)
        }
        return WatchedEnqueue(watch, of: self, owner: owner)
    }

    /// Who is told of operations that are added now. Nil where it is nobody.
    private func beginAddition() -> Addition? {
        Addition(logged: beginEnqueue(), watched: beginWatch())
    }
}
