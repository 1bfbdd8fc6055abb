import CRecorder
import Foundation

/// The queues that are not `InstrumentedQueue` and are followed, because somebody asked for it.
enum ForeignQueues {
    private struct Entry {
        weak var queue: OperationQueue?
        let recorder: Recorder
        var observation: QueueObservation?
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// Follows every queue that is in no entry.
        var everywhere: Recorder?
        var sweepAt = 256
    }

    private static let state = Locked(State())

    /// Follows `queue` from now on; operations that wait in it are logged as enqueued at some time before. False where that
    /// is not possible.
    static func follow(_ queue: OperationQueue, by recorder: Recorder) -> Bool {
        guard QueueInterposition.observeClass(of: type(of: queue)) else { return false }
        state.withLock { state in
            let known = state.entries[ObjectIdentifier(queue)]
            guard known?.queue !== queue || known?.recorder !== recorder else { return }
            state.entries[ObjectIdentifier(queue)] = Entry(queue: queue, recorder: recorder)
        }
        guard let observation = observation(of: queue) else { return true }
        let enqueuing = Enqueuing(observation, of: queue, parent: nil)
        for operation in queue.operations where !operation.isFinished {
            enqueuing.logEarlier(operation)
        }
        return true
    }

    /// Follows every queue of the class `OperationQueue`, and of those subclasses of which one is followed.
    static func followAll(by recorder: Recorder) -> Bool {
        guard QueueInterposition.observeClass(of: OperationQueue.self) else { return false }
        state.withLock { $0.everywhere = recorder }
        return true
    }

    /// The account of `queue` in the log being written. Nil where it is not followed, or nothing is recorded. Takes no
    /// queue's lock, but for a queue that it meets for the first time.
    static func observation(of queue: OperationQueue) -> QueueObservation? {
        let key = ObjectIdentifier(queue)
        let (known, recorder) = state.withLock { state in
            guard let entry = state.entries[key], entry.queue === queue else {
                return (nil as QueueObservation?, state.everywhere)
            }
            return (entry.observation, entry.recorder)
        }
        if let known, known.writer.isOpen { return known }
        guard let recorder, let writer = recorder.writer else { return nil }
        let opened = QueueObservation(of: queue, writer: writer)
        return state.withLock { state in
            // Two threads may come here at once; one account stands.
            if let entry = state.entries[key], entry.queue === queue, let observation = entry.observation,
                observation.writer === writer
            {
                return observation
            }
            state.entries[key] = Entry(queue: queue, recorder: recorder, observation: opened)
            if state.entries.count > state.sweepAt {
                state.entries = state.entries.filter { $0.value.queue != nil }
                state.sweepAt = max(256, state.entries.count * 2)
            }
            return opened
        }
    }

    // MARK: Adding operations

    /// Operations that are being added.
    private final class Begun {
        let enqueuing: Enqueuing
        let operations: [(Operation, Enqueuing.Following)]

        init(_ enqueuing: Enqueuing, _ operations: [Operation]) {
            self.enqueuing = enqueuing
            self.operations = operations.map { ($0, enqueuing.log($0)) }
        }
    }

    /// Logs the enqueue of `operations`. What it returns is to be given to `end`.
    static func begin(on queue: OperationQueue, _ operations: [Operation]) -> UnsafeMutableRawPointer? {
        guard let observation = observation(of: queue) else { return nil }
        // A queue may override one way of adding and go on by another: those are the same operations.
        let operations = operations.filter { !observation.writer.hasEnqueue(of: $0) }
        guard !operations.isEmpty else { return nil }
        let enqueuing = Enqueuing(
            observation, of: queue, parent: observation.writer.currentOperation)
        return Unmanaged.passRetained(Begun(enqueuing, operations)).toOpaque()
    }

    /// The operations have been added.
    static func end(_ begun: UnsafeMutableRawPointer) {
        let begun = Unmanaged<Begun>.fromOpaque(begun).takeRetainedValue()
        for (operation, following) in begun.operations { begun.enqueuing.arm(operation, following) }
    }
}
