public import Foundation

/// The progress of an operation, and its part in the progress of its queue or its group. Most operations have
/// none: it is created when somebody asks for it.
final class OperationProgress: Sendable {
    /// Starts with one unit, which is done when the operation has finished.
    let own = Progress(totalUnitCount: 1)
    /// What the whole sees of `own`. It completes once, with the operation. Foundation counts a unit each
    /// time that a part of it completes.
    private let link = Progress(totalUnitCount: OperationProgress.linkUnits)
    private static let linkUnits: Int64 = 1_000_000

    private struct State {
        /// The progress that this is one unit of, if any; and the group that it belongs to.
        var whole: Progress?
        var group: OperationProgress?
        var isAttached = false
        var isStarted = false
        var isOver = false
    }

    private let state = Locked(State())

    /// Becomes one unit of `whole`, from the operation's start on. Does nothing if it is already part of
    /// another.
    func join(_ whole: Progress, of group: OperationProgress? = nil) {
        let isStarted = state.withLock { state in
            if state.whole == nil, !state.isOver { (state.whole, state.group) = (whole, group) }
            return state.isStarted
        }
        if isStarted { attach() }
    }

    /// The operation begins, on a thread of its queue. If it is not part of anything yet, it becomes one unit
    /// of the queue's progress.
    func startInQueue() {
        // Looking up the queue takes a while.
        if state.withLock({ $0.whole == nil }), let queue = OperationQueue.current { join(queue.progress) }
        start()
    }

    func start() {
        state.withLock { $0.isStarted = true }
        attach()
    }

    func report(_ completed: Int64, of total: Int64) {
        change {
            own.completedUnitCount = 0
            own.totalUnitCount = total
            own.completedUnitCount = completed
        }
    }

    /// Adds `children`, each as one unit of `count`.
    func take(_ children: [Operation], of count: Int) {
        change { own.totalUnitCount = max(own.totalUnitCount, Int64(count)) }
        for case let child as AsynchronousOperation in children {
            child.operationProgress.join(own, of: self)
        }
    }

    /// Counts one more unit as done, for a part without its own progress object.
    func completeUnit() { change { own.completedUnitCount += 1 } }

    /// The operation has finished, in whatever way: its unit is done.
    func end() {
        attach()
        let before = state.withLock { state in
            defer { state = State(isAttached: true, isStarted: true, isOver: true) }
            return state
        }
        guard !before.isOver else { return }
        Self.change {
            if own.totalUnitCount < 1 { own.totalUnitCount = 1 }
            own.completedUnitCount = own.totalUnitCount
            link.completedUnitCount = Self.linkUnits
            before.group?.updateLink()
        }
    }

    /// Changes `own`, unless the operation has finished.
    private func change(_ body: () -> Void) {
        Self.change {
            guard !state.withLock({ $0.isOver }) else { return }
            body()
            updateLink()
        }
    }

    /// Called within `change`: `own`, or a part of it, has changed.
    private func updateLink() {
        let (isOver, group) = state.withLock { ($0.isOver, $0.group) }
        guard !isOver else { return }
        let part = own.fractionCompleted
        let units = Double(Self.linkUnits) * (part.isFinite ? min(max(part, 0), 1) : 0)
        link.completedUnitCount = min(Int64(units), Self.linkUnits - 1)
        group?.updateLink()
    }

    private func attach() {
        let whole = state.withLock { state in
            defer { if state.whole != nil { state.isAttached = true } }
            return state.isAttached ? nil : state.whole
        }
        guard let whole else { return }
        // As for Foundation's own operations: a queue without a count of units reports no progress.
        Self.change { if whole.totalUnitCount > 0 { whole.addChild(link, withPendingUnitCount: 1) } }
    }

    /// Changes a progress object. On Linux, only one thread at a time may change a `Progress` and those above
    /// it.
    static func change(_ body: () -> Void) {
        #if canImport(Darwin)
            body()
        #else
            changes.withLock(body)
        #endif
    }

    /// Not a `Locked<Void>`: ThreadSanitizer takes changes of a value without a size for changes of the
    /// object.
    private static let changes = NSLock()
}

extension AsynchronousOperation {
    /// The operation's progress. It starts with one unit, which is done when the operation has finished, in
    /// whatever way. A group has one unit for each child.
    ///
    /// From its start on, it is one unit of its queue's `progress`, if that has a `totalUnitCount`. This
    /// always holds in an `InstrumentedQueue`; in other queues, only if somebody read this property before
    /// the start. Read it on any thread. Change it only with `reportProgress`: on Linux only one thread at a
    /// time may change a `Progress`. (So plain operations that run at once in a queue with a `totalUnitCount`
    /// crash there, in Foundation.)
    public final var progress: Progress { operationProgress.own }

    /// Reports that `completed` units of `total` are done. Any thread. Does nothing if the operation has
    /// finished.
    public final func reportProgress(_ completed: Int64, of total: Int64) {
        operationProgress.report(completed, of: total)
    }

    /// Makes the operation one unit of `whole`.
    final func joinProgress(_ whole: Progress) { operationProgress.join(whole) }
}
