import EventLog
import Foundation
import Synchronization

/// What observers are told of a queue, and the barriers that its operations wait for.
final class QueueWatch: Sendable {
    private static let lastID = Atomic<UInt64>(0)

    /// Never given twice in a process. With the highest bit, which no queue has in a log: logs count from 1.
    let id = QueueID(1 << 63 | lastID.add(1, ordering: .relaxed).newValue)
    let barriers = QueueBarriers<WatchedOperation>()
}
