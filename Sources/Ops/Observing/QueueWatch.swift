import EventLog
import Foundation
import Synchronization

/// What observers are told of a queue, and the barriers that its operations wait for.
final class QueueWatch: Sendable {
    private struct Barrier {
        let watched: WatchedOperation
        /// What is to be done when it has finished.
        var behind: [@Sendable () -> Void] = []
    }

    private static let lastID = Atomic<UInt64>(0)

    /// Never given twice in a process. With the highest bit, which no queue has in a log: logs count from 1.
    let id = QueueID(1 << 63 | lastID.add(1, ordering: .relaxed).newValue)
    /// That have not finished, in the order in which they were added, which is that in which they run.
    private let barriers = Locked<[Barrier]>([])

    var unfinishedBarriers: [WatchedOperation] { barriers.withLock { $0.map(\.watched) } }

    /// What is added from now on waits for `barrier`.
    func add(_ barrier: WatchedOperation) {
        barriers.withLock { $0.append(Barrier(watched: barrier)) }
        // Noted as finished, it may not have been told yet; what waits for it is not to be ready before that.
        if barrier.isFinishTold { remove(barrier) }
    }

    func remove(_ barrier: WatchedOperation) {
        let behind = barriers.withLock { barriers in
            guard let index = barriers.firstIndex(where: { $0.watched === barrier }) else {
                return [@Sendable () -> Void]()
            }
            return barriers.remove(at: index).behind
        }
        for release in behind { release() }
    }

    /// Calls `release` when `barrier` has finished; at once where it has.
    func whenFinished(_ barrier: WatchedOperation, release: @escaping @Sendable () -> Void) {
        let isWaiting = barriers.withLock { barriers in
            guard let index = barriers.firstIndex(where: { $0.watched === barrier }) else { return false }
            barriers[index].behind.append(release)
            return true
        }
        if !isWaiting { release() }
    }
}
