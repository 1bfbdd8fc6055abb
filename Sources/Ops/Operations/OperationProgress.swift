public import Foundation

/// How far an operation has come, and its part in the progress of its queue or its group. Most have none: it
/// is made when somebody asks.
final class OperationProgress: Sendable {
    /// Has a unit in the beginning, which is done when the operation has finished.
    let own = Progress(totalUnitCount: 1)
    /// What the whole sees of `own`: it comes to its end once, with the operation. Foundation counts a unit
    /// each time that a part of it comes to its end.
    private let link = Progress(totalUnitCount: OperationProgress.linkUnits)
    private static let linkUnits: Int64 = 1_000_000

    private struct State {
        /// What this is one unit of, and where it is; and the group whose it is.
        var whole: Progress?
        var group: OperationProgress?
        var isAttached = false
        var isStarted = false
        var isOver = false
    }

    private let state = Locked(State())

    /// Becomes one unit of `whole`, from the operation's start on. Does nothing when it is part of another.
    func join(_ whole: Progress, of group: OperationProgress? = nil) {
        let isStarted = state.withLock { state in
            if state.whole == nil, !state.isOver { (state.whole, state.group) = (whole, group) }
            return state.isStarted
        }
        if isStarted { attach() }
    }

    /// The operation begins, on a thread of its queue: where it is part of nothing yet, it is one unit of
    /// that.
    func startInQueue() {
        // It takes a while to ask for the queue.
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

    /// Takes in `children`, each one unit of `count`.
    func take(_ children: [Operation], of count: Int) {
        change { own.totalUnitCount = max(own.totalUnitCount, Int64(count)) }
        for case let child as AsynchronousOperation in children {
            child.operationProgress.join(own, of: self)
        }
    }

    /// One more unit is done, which has no progress object of its own.
    func completeUnit() { change { own.completedUnitCount += 1 } }

    /// The operation has finished, however: its unit is done.
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

    /// Changes `own`, where the operation has not finished.
    private func change(_ body: () -> Void) {
        Self.change {
            guard !state.withLock({ $0.isOver }) else { return }
            body()
            updateLink()
        }
    }

    /// Within `change`: `own`, or what it consists of, has changed.
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
        // As Foundation's own operations: a queue without a count of units reports no progress.
        Self.change { if whole.totalUnitCount > 0 { whole.addChild(link, withPendingUnitCount: 1) } }
    }

    /// Makes a change to some progress. On Linux, a `Progress` and all above it may only be changed by one
    /// thread at a time.
    static func change(_ body: () -> Void) {
        #if canImport(Darwin)
            body()
        #else
            changes.withLock(body)
        #endif
    }

    /// Not a `Locked` of nothing: ThreadSanitizer takes changes of a value without a size for changes of the
    /// object.
    private static let changes = NSLock()
}

extension AsynchronousOperation {
    /// How far the operation has come: one unit in the beginning, which is done when it has finished, however
    /// it did. Of a group, a unit for each child.
    ///
    /// It is one unit of its queue's `progress`, from its start on, where that has a `totalUnitCount`: in an
    /// `InstrumentedQueue`, and in others where somebody asked for this before the start. Any thread; read
    /// it, and change it with `reportProgress`: on Linux a `Progress` may only be changed by one thread at a
    /// time. (So plain operations that run at once in a queue with a `totalUnitCount` crash there, in
    /// Foundation.)
    public final var progress: Progress { operationProgress.own }

    /// Says that `completed` units of `total` are done. Any thread; does nothing when the operation has
    /// finished.
    public final func reportProgress(_ completed: Int64, of total: Int64) {
        operationProgress.report(completed, of: total)
    }

    /// Makes the operation one unit of `whole`.
    final func joinProgress(_ whole: Progress) { operationProgress.join(whole) }
}
