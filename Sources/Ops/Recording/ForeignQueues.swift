import CRecorder
import Foundation

/// The queues that are not `InstrumentedQueue` and are followed, because somebody asked for it.
enum ForeignQueues {
    private struct Entry {
        weak var queue: OperationQueue?
        let recorder: Recorder
        var observation: QueueObservation?
        var watch: QueueWatch?
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// Follows every queue that is in no entry.
        var everywhere: Recorder?
        var sweepAt = 256

        /// - Returns: what is to be let go without the lock. Looking at a weak reference can make this the
        ///   last owner of a queue, whose deinitializer is not ours, and may come here.
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

    /// Follows `queue` from now on; operations that wait in it are logged as enqueued at some time before.
    /// False where that is not possible.
    static func follow(_ queue: OperationQueue, by recorder: Recorder) -> Bool {
        guard QueueInterposition.observeClass(of: type(of: queue)) else { return false }
        state.withLock { state in
            let known = state.entries[ObjectIdentifier(queue)]
            guard known?.queue !== queue || known?.recorder !== recorder else { return }
            state.entries[ObjectIdentifier(queue)] = Entry(queue: queue, recorder: recorder)
        }
        guard let observation = observation(of: queue) else { return true }
        let enqueuing = Enqueuing(observation, of: queue, parent: nil)
        for operation in queue.operations where !ForeignObservation.wasToldFinishBefore(operation) {
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

    /// The account of `queue` in the log being written. Nil where it is not followed, or nothing is recorded.
    /// Takes no queue's lock, but for a queue that it meets for the first time.
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
        let (stands, _) = state.withLock { state in
            // Two threads may come here at once; one account stands.
            if let entry = state.entries[key], entry.queue === queue, let observation = entry.observation,
                observation.writer === writer
            {
                return (observation, [OperationQueue]())
            }
            let watch = state.entries[key].flatMap { $0.queue === queue ? $0.watch : nil }
            let entry = Entry(queue: queue, recorder: recorder, observation: opened, watch: watch)
            return (opened, state.insert(entry, for: key))
        }
        return stands
    }

    /// What observers are told of `queue`, made where there is none. Nil where it is not followed.
    private static func watch(of queue: OperationQueue) -> QueueWatch? {
        let key = ObjectIdentifier(queue)
        let (watch, _) = state.withLock { state -> (QueueWatch?, [OperationQueue]) in
            if let entry = state.entries[key], entry.queue === queue {
                let watch = entry.watch ?? QueueWatch()
                state.entries[key]?.watch = watch
                return (watch, [])
            }
            guard let recorder = state.everywhere else { return (nil, []) }
            let watch = QueueWatch()
            let entry = Entry(queue: queue, recorder: recorder, watch: watch)
            return (watch, state.insert(entry, for: key))
        }
        return watch
    }

    // MARK: Adding operations

    /// Operations that are being added.
    private final class Begun {
        let addition: Addition
        let operations: [(Operation, Addition.Told)]

        init(_ addition: Addition, _ operations: [Operation]) {
            self.addition = addition
            // A queue may override one way of adding and go on by another: those are the same operations.
            self.operations = operations.map { ($0, addition.tell($0, isNew: false)) }
        }
    }

    /// Logs the enqueue of `operations`. What it returns is to be given to `end`.
    static func begin(on queue: OperationQueue, _ operations: [Operation]) -> UnsafeMutableRawPointer? {
        addition(to: queue).map { Unmanaged.passRetained(Begun($0, operations)).toOpaque() }
    }

    /// The operations have been added.
    static func end(_ begun: UnsafeMutableRawPointer) {
        let begun = Unmanaged<Begun>.fromOpaque(begun).takeRetainedValue()
        for (operation, told) in begun.operations { begun.addition.arm(operation, told) }
    }

    /// Who is to be told of what is added to `queue` now. Nil where it is nobody.
    static func addition(to queue: OperationQueue) -> Addition? {
        let logged = observation(of: queue).map {
            Enqueuing($0, of: queue, parent: $0.writer.currentOperation)
        }
        let watch = OperationObservers.isAnyInstalled ? watch(of: queue) : nil
        return Addition(logged: logged, watched: watch.map { WatchedEnqueue($0, of: queue) })
    }
}
