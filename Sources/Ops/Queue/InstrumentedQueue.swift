public import Foundation

/// An operation queue that records what its operations do.
///
/// It goes wherever an `OperationQueue` goes and behaves as one: the same objects in `operations`, the same order,
/// priorities, barriers, suspension and progress. What it records goes to its recorder; while that is off, an
/// operation costs one atomic read more.
///
/// Operations of this module's classes and closures are recorded exactly. Of other classes the enqueue is exact, and
/// start and finish are logged as intervals.
///
/// `@unchecked Sendable` restates the superclass's; its own state is behind a lock.
open class InstrumentedQueue: OperationQueue, @unchecked Sendable {
    /// Where this queue's events go.
    public let recorder: Recorder

    private struct State {
        var observation: QueueObservation?
        var owner: OperationID?
        /// Foundation gives a closure's operation the queue's quality of service only where one was set.
        var isQualityOfServiceSet = false
    }

    private let state = Locked(State())

    /// A queue that records to `Recorder.shared`.
    public override convenience init() { self.init(recorder: .shared) }

    /// A queue that records to `recorder`.
    public init(recorder: Recorder) {
        self.recorder = recorder
        super.init()
    }

    // MARK: Adding operations

    open override func addOperation(_ operation: Operation) {
        let enqueued = record([operation])
        super.addOperation(operation)
        enqueued.first?.armReadiness(of: operation)
    }

    open override func addOperation(_ block: @escaping @Sendable () -> Void) {
        guard recorder.isRecording else { return super.addOperation(block) }
        let operation = ObservedBlock(block: block)
        if state.withLock({ $0.isQualityOfServiceSet }) { operation.qualityOfService = qualityOfService }
        addOperation(operation)
    }

    @available(*, noasync)
    open override func addOperations(_ operations: [Operation], waitUntilFinished wait: Bool) {
        let enqueued = record(operations)
        super.addOperations(operations, waitUntilFinished: false)
        for (operation, observation) in zip(operations, enqueued) { observation.armReadiness(of: operation) }
        guard wait else { return }
        for (index, operation) in operations.enumerated() {
            // Those of our own classes say so themselves.
            guard index < enqueued.count, !(operation is any ObservedOperation) else {
                operation.waitUntilFinished()
                continue
            }
            enqueued[index].noteWait { operation.waitUntilFinished() }
        }
    }

    @available(*, noasync)
    open override func waitUntilAllOperationsAreFinished() {
        guard let queue = current else { return super.waitUntilAllOperationsAreFinished() }
        queue.writer.append(.waitBegan(.queue(queue.id), by: CurrentOperation.id))
        super.waitUntilAllOperationsAreFinished()
        queue.writer.append(.waitEnded)
    }

    open override func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) {
        guard let queue = observe() else { return super.addBarrierBlock(barrier) }
        let waiting = operations
        let id = queue.writer.registry.nextOperation()
        let observation = OperationObservation(
            .init(
                operation: id, kind: "Barrier", queue: queue.id, parent: parent,
                dependencies: waiting.map(queue.writer.identify) + queue.barriers),
            in: queue, isReadinessPending: false)
        queue.addBarrier(id)
        FinishSentinel.watch(waiting) {
            observation.noteReady(notBefore: waiting.isEmpty ? nil : observation.enqueueTime)
        }
        super.addBarrierBlock {
            observation.noteExecuting()
            CurrentOperation.$id.withValue(id) { barrier() }
            queue.removeBarrier(id)
            observation.noteFinished(.succeeded)
        }
    }

    /// Adds an operation that is part of the machinery and stands in no log.
    final func addUnrecorded(_ operation: Operation) { super.addOperation(operation) }

    // MARK: Settings

    open override var maxConcurrentOperationCount: Int {
        get { super.maxConcurrentOperationCount }
        set {
            super.maxConcurrentOperationCount = newValue
            current?.refresh(isExact: true)
        }
    }

    open override var isSuspended: Bool {
        get { super.isSuspended }
        set {
            super.isSuspended = newValue
            current?.refresh(isExact: true)
        }
    }

    open override var name: String? {
        get { super.name }
        set {
            super.name = newValue
            current?.noteName()
        }
    }

    open override var qualityOfService: QualityOfService {
        get { super.qualityOfService }
        set {
            state.withLock { $0.isQualityOfServiceSet = true }
            super.qualityOfService = newValue
        }
    }

    open override func cancelAllOperations() {
        current?.noteCancellation()
        super.cancelAllOperations()
    }

    // MARK: Recording

    /// Makes `operation` the parent of all that is added from now on, whatever thread it is added on.
    final func setOwner(_ operation: OperationID?) { state.withLock { $0.owner = operation } }

    private var parent: OperationID? { state.withLock { $0.owner } ?? CurrentOperation.id }

    /// The account of this queue in the log being written, opened when there is none yet. Nil while nothing is
    /// recorded.
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

    /// Logs that `operations` are being added, and sees to it that what happens to them is logged. To be called
    /// before they are added. Empty while nothing is recorded.
    private func record(_ operations: [Operation]) -> [OperationObservation] {
        guard let queue = observe() else { return [] }
        queue.refresh()
        let barriers = queue.barriers
        let parent = parent
        return operations.map { operation in
            let observation = OperationObservation(
                .init(
                    operation: queue.writer.registry.identify(operation).id,
                    kind: operationKind(of: operation),
                    name: operation.name, queue: queue.id, parent: parent,
                    dependencies: operation.dependencies.map(queue.writer.identify) + barriers,
                    priority: operation.queuePriority.rawValue),
                in: queue, isReadinessPending: !barriers.isEmpty)
            if let operation = operation as? any ObservedOperation {
                operation.attach(observation)
                // Asking notes it: what waits for nothing is ready before Foundation gets to look.
                if barriers.isEmpty { _ = operation.isReady }
            } else {
                PassiveObservation.follow(operation, as: observation)
            }
            return observation
        }
    }
}
