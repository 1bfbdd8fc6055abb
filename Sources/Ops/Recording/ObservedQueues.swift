import CRecorder
import Foundation

/// The queues other than `InstrumentedQueue` that are observed, because the program asked for it.
enum ObservedQueues {
    private struct Entry {
        weak var queue: OperationQueue?
        let tracker: QueueTracker
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// The recorder that observes every queue without an entry.
        var everywhere: Recorder?
        var sweepAt = 256

        /// - Returns: queues to release after unlocking. Reading a weak reference can make this the last
        ///   owner of a queue, whose deinitializer may call back into this type.
        mutating func insert(_ entry: Entry, for key: ObjectIdentifier) -> [OperationQueue] {
            entries[key] = entry
            guard entries.count > sweepAt else { return [] }
            var alive: [OperationQueue] = []
            entries = entries.filter { _, entry in
                guard let queue = entry.queue else { return false }
                alive.append(queue)
                return true
            }
            sweepAt = max(256, entries.count * 2)
            return alive
        }
    }

    private static let state = Locked(State())

    /// Observes `queue` from now on. Operations that wait in it are logged as enqueued at some earlier time.
    /// False if that is not possible.
    static func observe(_ queue: OperationQueue, by recorder: Recorder) -> Bool {
        guard QueueInterposition.observeClass(of: type(of: queue)) else { return false }
        guard let tracker = tracker(of: queue, recorder) else { return false }
        guard let observation = tracker.observation(of: queue) else { return true }
        let log = EnqueueLogger(queue: observation, parent: nil)
        for operation in queue.operations where !ClassInterposition.wasNotifiedOfFinishBefore(operation) {
            log.logEarlier(operation)
        }
        return true
    }

    /// Observes every queue of the class `OperationQueue`, and of each subclass with an observed queue.
    static func observeAll(by recorder: Recorder) -> Bool {
        guard QueueInterposition.observeClass(of: OperationQueue.self) else { return false }
        state.withLock { $0.everywhere = recorder }
        return true
    }

    /// The tracker of `queue`, created if needed. Nil if it is not observed. Takes a queue's lock only for a
    /// queue that it meets for the first time.
    ///
    /// - Parameter wanted: the recorder that observes the queue from now on. Nil to keep the present one.
    private static func tracker(of queue: OperationQueue, _ wanted: Recorder? = nil) -> QueueTracker? {
        let key = ObjectIdentifier(queue)
        let (known, everywhere) = state.withLock { state in
            let entry = state.entries[key].flatMap { $0.queue === queue ? $0 : nil }
            return (entry?.tracker, state.everywhere)
        }
        if let known, wanted == nil || known.recorder === wanted { return known }
        guard let recorder = wanted ?? everywhere,
            wanted != nil || recorder.isRecording || OperationObservers.isAnyInstalled
        else { return nil }
        let made = QueueTracker(recorder: recorder, isInUse: queue.operationCount > 0)
        let (stands, _) = state.withLock { state in
            // Two threads may come here at once. Only one tracker stays.
            if let entry = state.entries[key], entry.queue === queue, entry.tracker.recorder === recorder {
                return (entry.tracker, [OperationQueue]())
            }
            return (made, state.insert(Entry(queue: queue, tracker: made), for: key))
        }
        return stands
    }

    /// The observation of `queue` in the current log. Nil if the queue is not observed, or nothing is
    /// recorded.
    static func observation(of queue: OperationQueue) -> LoggedQueue? {
        tracker(of: queue)?.observation(of: queue)
    }

    static func recordCancellation(of queue: OperationQueue) {
        guard let tracker = tracker(of: queue) else { return }
        _ = tracker.observation(of: queue)
        tracker.recordCancellation()
    }

    static func addBarrier(
        to queue: OperationQueue, _ barrier: @escaping @Sendable () -> Void,
        add: (@escaping @Sendable () -> Void) -> Void
    ) {
        guard let tracker = tracker(of: queue) else { return add(barrier) }
        tracker.addBarrier(to: queue, barrier, add: add)
    }

    // MARK: Adding operations

    /// Operations that are being added.
    private final class Begun {
        let enqueue: TrackedEnqueue
        let operations: [(Operation, TrackedEnqueue.Tracked)]

        init(_ enqueue: TrackedEnqueue, _ operations: [Operation]) {
            self.enqueue = enqueue
            // A queue may override one method that adds operations and call another: those are the same
            // operations.
            self.operations = operations.map { ($0, enqueue.track($0, isNew: false)) }
        }
    }

    /// Logs the enqueue of `operations`. Pass the result to `end`.
    static func begin(on queue: OperationQueue, _ operations: [Operation]) -> UnsafeMutableRawPointer? {
        tracker(of: queue)?.beginEnqueue(to: queue).map {
            Unmanaged.passRetained(Begun($0, operations)).toOpaque()
        }
    }

    /// The operations have been added.
    static func end(_ begun: UnsafeMutableRawPointer) {
        let begun = Unmanaged<Begun>.fromOpaque(begun).takeRetainedValue()
        for (operation, tracked) in begun.operations { begun.enqueue.arm(operation, tracked) }
    }
}
