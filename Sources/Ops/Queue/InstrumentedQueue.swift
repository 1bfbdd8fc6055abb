import CRecorder
public import Foundation
import Synchronization

/// An operation queue that records what its operations do.
///
/// It is a drop-in replacement for `OperationQueue`: the same objects in `operations`, the same order,
/// priorities, barriers, suspension and progress. It sends events to its recorder, and notifies
/// `OperationObservers`. Without observers and with the recorder off, each operation costs two extra atomic
/// reads.
///
/// On Linux, operations of every class are recorded exactly. Documentation/WhatIsExact.md lists what is known
/// only as an interval.
///
/// `@unchecked Sendable` restates the superclass's conformance. Its own state is behind a lock.
open class InstrumentedQueue: OperationQueue, @unchecked Sendable {
    /// Where this queue's events go.
    public let recorder: Recorder

    final let tracker: QueueTracker
    private let isProgressInUse = Atomic(false)
    /// Foundation gives a closure's operation the queue's quality of service only if one was set.
    private let isQualityOfServiceSet = Atomic(false)

    /// A queue that records to `Recorder.shared`.
    public override convenience init() { self.init(recorder: .shared) }

    /// A queue that records to `recorder`.
    public init(recorder: Recorder) {
        self.recorder = recorder
        tracker = QueueTracker(recorder: recorder)
        super.init()
    }

    // MARK: Adding operations

    open override func addOperation(_ operation: Operation) {
        joinProgressInUse([operation])
        // Again, because somebody may ask for the progress just before the operation is in the queue.
        defer { joinProgressInUse([operation]) }
        guard tracker.isTracking else { return super.addOperation(operation) }
        if tracker.enqueuePlainly(operation) { return add(operation) }
        guard let enqueue = tracker.beginEnqueue(to: self) else { return super.addOperation(operation) }
        let tracked = enqueue.track(operation)
        add(operation)
        enqueue.arm(operation, tracked)
    }

    private func add(_ operation: Operation) {
        let wasEnqueuing = recorder_begin_enqueue()
        super.addOperation(operation)
        recorder_end_enqueue(wasEnqueuing)
    }

    open override func addOperation(_ block: @escaping @Sendable () -> Void) {
        guard tracker.isTracking else { return super.addOperation(block) }
        // As Foundation does, because a subclass may override this.
        addOperation(closure(block))
    }

    /// Adds a closure with a name: `queue.addOperation(name: "decode \(page)") { … }`. Its kind is the
    /// function that contains it, as for every closure. The name distinguishes it from other closures.
    public final func addOperation(name: String, _ block: @escaping @Sendable () -> Void) {
        let operation = closure(block)
        operation.name = name
        addOperation(operation)
    }

    /// Creates the operation that runs a closure.
    private func closure(_ block: @escaping @Sendable () -> Void) -> ObservedBlock {
        let operation = ObservedBlock(block: block)
        if isQualityOfServiceSet.load(ordering: .relaxed) {
            operation.qualityOfService = super.qualityOfService
        }
        return operation
    }

    @available(*, noasync)
    open override func addOperations(_ operations: [Operation], waitUntilFinished wait: Bool) {
        joinProgressInUse(operations)
        defer { joinProgressInUse(operations) }
        guard let enqueue = tracker.beginEnqueue(to: self) else {
            return super.addOperations(operations, waitUntilFinished: wait)
        }
        let tracked = operations.map { enqueue.track($0) }
        let wasEnqueuing = recorder_begin_enqueue()
        super.addOperations(operations, waitUntilFinished: false)
        recorder_end_enqueue(wasEnqueuing)
        for (operation, tracked) in zip(operations, tracked) { enqueue.arm(operation, tracked) }
        guard wait else { return }
        for (operation, tracked) in zip(operations, tracked) {
            // Operations of this package's classes log it themselves.
            if case .observed(let observation) = tracked.log, operation.observed == nil {
                observation.recordWait(for: operation) { operation.waitUntilFinished() }
            } else {
                operation.waitUntilFinished()
            }
        }
    }

    @available(*, noasync)
    open override func waitUntilAllOperationsAreFinished() {
        guard let queue = tracker.observation else { return super.waitUntilAllOperationsAreFinished() }
        queue.recordWait(for: self) { super.waitUntilAllOperationsAreFinished() }
    }

    open override func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) {
        tracker.addBarrier(to: self, barrier) { super.addBarrierBlock($0) }
    }

    // MARK: Settings

    open override var maxConcurrentOperationCount: Int {
        get { super.maxConcurrentOperationCount }
        set {
            tracker.observation?.recordRaised(to: newValue)
            super.maxConcurrentOperationCount = newValue
            tracker.observation?.refresh(from: self)
        }
    }

    open override var isSuspended: Bool {
        get { super.isSuspended }
        set {
            if !newValue { tracker.observation?.recordResumed() }
            super.isSuspended = newValue
            tracker.observation?.refresh(from: self)
        }
    }

    open override var name: String? {
        get { super.name }
        set {
            super.name = newValue
            tracker.observation?.recordName(of: self)
        }
    }

    open override var qualityOfService: QualityOfService {
        get { super.qualityOfService }
        set {
            isQualityOfServiceSet.store(true, ordering: .relaxed)
            super.qualityOfService = newValue
        }
    }

    /// Like every queue's, but it also counts an `AsynchronousOperation`, which plain queues do not.
    open override var progress: Progress {
        let wasInUse = isProgressInUse.exchange(true, ordering: .relaxed)
        if !wasInUse { joinProgress(operations) }
        return super.progress
    }

    /// - Parameter operations: evaluated only if needed: creating an array of one costs as much as everything
    ///   else that adding does here.
    private func joinProgressInUse(_ operations: @autoclosure () -> [Operation]) {
        if isProgressInUse.load(ordering: .relaxed) { joinProgress(operations()) }
    }

    private func joinProgress(_ operations: [Operation]) {
        let progress = super.progress
        for case let operation as AsynchronousOperation in operations { operation.joinProgress(progress) }
    }

    open override func cancelAllOperations() {
        tracker.recordCancellation()
        super.cancelAllOperations()
    }
}
