import Synchronization

/// A barrier of a queue, and its receivers. Only its closure can be observed.
final class QueueBarrier: Sendable {
    let receivers: OperationReceivers
    /// Whether its finish is in the log and observers were notified.
    fileprivate let hasEnded = Atomic(false)

    init(_ receivers: OperationReceivers) { self.receivers = receivers }
}

/// The barriers of a queue that have not finished, and the operations that wait for them.
final class QueueBarriers: Sendable {
    typealias Released = @Sendable () -> Void

    private struct State {
        var unfinished: [QueueBarrier] = []
        /// The barriers that each operation waits for, and the action for when they have finished.
        var behind: [(barriers: Set<ObjectIdentifier>, release: Released)] = []
    }

    private let count = Atomic(0)
    private let state = Locked(State())

    /// One atomic read.
    var areFinished: Bool { count.load(ordering: .acquiring) == 0 }

    /// In the order in which they were added, which is the order in which they run. Every operation added now
    /// waits for them.
    var unfinished: [QueueBarrier] {
        areFinished ? [] : state.withLock { $0.unfinished }
    }

    /// Makes everything that is added from now on wait for `barrier`.
    func add(_ barrier: QueueBarrier) {
        state.withLock { $0.unfinished.append(barrier) }
        count.add(1, ordering: .acquiringAndReleasing)
        // It may have ended before it was added here.
        if barrier.hasEnded.load(ordering: .acquiring) { remove(barrier) }
    }

    /// `barrier` has ended: releases what waits for no other barrier.
    func end(_ barrier: QueueBarrier) {
        barrier.hasEnded.store(true, ordering: .releasing)
        remove(barrier)
    }

    private func remove(_ barrier: QueueBarrier) {
        let released: [Released]? = state.withLock { state in
            guard let index = state.unfinished.firstIndex(where: { $0 === barrier }) else { return nil }
            state.unfinished.remove(at: index)
            for index in state.behind.indices {
                state.behind[index].barriers.remove(ObjectIdentifier(barrier))
            }
            let released = state.behind.filter { $0.barriers.isEmpty }.map(\.release)
            state.behind.removeAll { $0.barriers.isEmpty }
            return released
        }
        guard let released else { return }
        count.subtract(1, ordering: .acquiringAndReleasing)
        for release in released { release() }
    }

    /// Calls `release` when the last of `barriers` has finished; at once if they have.
    func whenFinished(_ barriers: [QueueBarrier], release: @escaping Released) {
        let isWaiting = state.withLock { state in
            let pending = Set(barriers.map { ObjectIdentifier($0) })
                .intersection(state.unfinished.map { ObjectIdentifier($0) })
            if !pending.isEmpty { state.behind.append((pending, release)) }
            return !pending.isEmpty
        }
        if !isWaiting { release() }
    }
}
