public import Foundation

/// How far an operation has come, and its part in the progress of its queue or its group. Most have none: it is made when
/// somebody asks.
final class OperationProgress: Sendable {
    /// Has a unit in the beginning, which is done when the operation has finished.
    let own = Progress(totalUnitCount: 1)

    private struct State {
        /// What `own` is one unit of, and where it is.
        var whole: Progress?
        var isAttached = false
        var isStarted = false
        var isOver = false
    }

    private let state = Locked(State())

    /// Becomes one unit of `whole`, from the operation's start on. Does nothing when it is part of another.
    func join(_ whole: Progress) {
        let isStarted = state.withLock { state in
            if state.whole == nil, !state.isOver { state.whole = whole }
            return state.isStarted
        }
        if isStarted { attach() }
    }

    /// The operation begins, on a thread of its queue: where it is part of nothing yet, it is one unit of that.
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
        guard !state.withLock({ $0.isOver }) else { return }
        Self.change {
            own.totalUnitCount = total
            own.completedUnitCount = completed
        }
    }

    /// Takes in `children`, each one unit of `count`.
    func take(_ children: [Operation], of count: Int) {
        Self.change { own.totalUnitCount = max(own.totalUnitCount, Int64(count)) }
        for case let child as AsynchronousOperation in children { child.joinProgress(own) }
    }

    /// One more unit is done, which is no progress of its own.
    func completeUnit() { Self.change { own.completedUnitCount += 1 } }

    /// The operation has finished, however: its unit is done.
    func end() {
        attach()
        let isFirst = state.withLock { state in
            defer { state = State(isAttached: true, isStarted: true, isOver: true) }
            return !state.isOver
        }
        guard isFirst else { return }
        Self.change {
            if own.totalUnitCount < 1 { own.totalUnitCount = 1 }
            own.completedUnitCount = own.totalUnitCount
        }
    }

    private func attach() {
        let whole = state.withLock { state in
            defer { if state.whole != nil { state.isAttached = true } }
            return state.isAttached ? nil : state.whole
        }
        guard let whole else { return }
        // As Foundation's own operations: a queue without a count of units reports no progress.
        Self.change { if whole.totalUnitCount > 0 { whole.addChild(own, withPendingUnitCount: 1) } }
    }

    /// Makes a change to some progress. On Linux, a `Progress` and all above it may only be changed by one thread at a time.
    static func change(_ body: () -> Void) {
        #if canImport(Darwin)
            body()
        #else
            changes.withLock { _ in body() }
        #endif
    }

    private static let changes = Locked(())
}

extension AsynchronousOperation {
    /// How far the operation has come: one unit in the beginning, which is done when it has finished, however it did. Of a
    /// group, a unit for each child.
    ///
    /// It is one unit of its queue's `progress`, from its start on, where that has a `totalUnitCount`: in an
    /// `InstrumentedQueue`, and in others where somebody asked for this before the start. Any thread; read it, and change it with
    /// `reportProgress`: on Linux a `Progress` may only be changed by one thread at a time. (So plain operations that run at
    /// once in a queue with a `totalUnitCount` crash there, in Foundation.)
    public final var progress: Progress { operationProgress.own }

    /// Says that `completed` units of `total` are done. Any thread; does nothing when the operation has finished.
    public final func reportProgress(_ completed: Int64, of total: Int64) {
        operationProgress.report(completed, of: total)
    }

    /// Makes the operation one unit of `whole`.
    final func joinProgress(_ whole: Progress) { operationProgress.join(whole) }
}
