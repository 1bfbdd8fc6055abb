import CRecorder
import EventLog
import Synchronization

/// A queue in the latest log that it is in, for enqueues that take no lock.
///
/// What `current` returned stays valid as long as this value, because another thread may still be using it.
/// It takes 40 bytes for each log.
struct PlainQueue: ~Copyable, Sendable {
    // A number, because pointers are not `Sendable`.
    private let address = Atomic<UInt>(0)

    /// Nil before the first log.
    var current: UnsafeMutablePointer<recorder_queue>? {
        UnsafeMutablePointer(bitPattern: address.load(ordering: .acquiring))
    }

    /// Call this with a lock held.
    func set(_ observation: LoggedQueue) {
        let log = observation.writer.log
        guard LogEvent.Body.packed(queue: observation.id, kind: log.closureKind) != nil else { return }
        let queue = UnsafeMutablePointer<recorder_queue>.allocate(capacity: 1)
        queue.initialize(
            to: recorder_queue(
                log: log.log, log_id: log.number, identifier: observation.id.rawValue,
                closure_kind: log.closureKind, earlier: current))
        address.store(UInt(bitPattern: queue), ordering: .releasing)
    }

    /// Stores the number of the closures' kind again, which a log that keeps the latest events forgets.
    func renewClosureKind(in log: RecordLog) {
        guard let queue = current, queue.pointee.log_id == log.number else { return }
        recorder_set_closure_kind(queue, log.closureKind)
    }

    deinit {
        var next = current
        while let queue = next {
            next = queue.pointee.earlier
            queue.deallocate()
        }
    }
}
