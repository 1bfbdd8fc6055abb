import CRecorder
import Foundation

/// Notifies observers about operations of classes outside this package, whose methods were replaced.
///
/// The code that the replacements call holds no lock while it calls out. It takes none of Foundation's locks,
/// because a queue's lock may be held.
enum ForeignOperationWatch {
    // Keyed by address. An operation is forgotten when it is deallocated.
    private static let shardCount = 64
    private static let shards = (0..<shardCount).map { _ in Locked<[UInt: WatchedOperation]>([:]) }

    private static let hasBegun: Bool = {
        var hooks = watching_hooks(
            note: { event, operation, other in
                guard let operation else { return }
                ForeignOperationWatch.note(event, operation, other)
            },
            ask: { operation in
                operation.flatMap { ForeignOperationWatch.find($0) }?.readinessQuestion.noted
                    ?? TransitionNotes.Question.unheard.noted
            },
            note_ready: { operation, asked in
                guard let operation else { return }
                ForeignOperationWatch.noteReady(operation, TransitionNotes.Question(noted: asked))
            },
            run: { isStart, operation, call, original in
                guard let operation, let call else { return }
                ForeignOperationWatch.run(operation, isStart: isStart) { call(operation, original) }
            })
        recorder_watch(&hooks)
        return true
    }()

    /// Makes the replacements of methods report what happens, from now on.
    static func begin() { _ = hasBegun }

    // MARK: Finding

    static func findOrMake(_ operation: Operation) -> WatchedOperation {
        let key = key(address(of: operation))
        return shard(key).withLock { known in
            if let found = known[key] { return found }
            let made = WatchedOperation()
            known[key] = made
            return made
        }
    }

    /// The entry for an operation that is about to be enqueued.
    static func beginning(_ operation: Operation) -> WatchedOperation {
        let key = key(address(of: operation))
        return shard(key).withLock { known in
            // A finished entry belongs to an earlier operation at the same address.
            if let found = known[key], !found.isFinished { return found }
            let made = WatchedOperation()
            known[key] = made
            return made
        }
    }

    private static func find(_ operation: UnsafeMutableRawPointer) -> WatchedOperation? {
        let key = key(operation)
        return shard(key).withLock { $0[key] }
    }

    private static func forget(_ operation: UnsafeMutableRawPointer) {
        let key = key(operation)
        // The value is released when this returns, not while the lock is held.
        _ = shard(key).withLock { $0.removeValue(forKey: key) }
    }

    private static func shard(_ key: UInt) -> Locked<[UInt: WatchedOperation]> {
        shards[Int((key >> 4) % UInt(shardCount))]
    }

    private static func key(_ address: UnsafeMutableRawPointer) -> UInt { UInt(bitPattern: address) }

    private static func address(of operation: Operation) -> UnsafeMutableRawPointer {
        Unmanaged.passUnretained(operation).toOpaque()
    }

    // MARK: Events

    private static func note(
        _ event: watched_event, _ operation: UnsafeMutableRawPointer, _ other: UnsafeMutableRawPointer?
    ) {
        guard event != WATCHED_DESTROYED else { return forget(operation) }
        guard let watched = find(operation) else { return }
        switch event {
        case WATCHED_EXECUTING:
            watched.noteExecuting()
        case WATCHED_CANCELLED:
            watched.noteCancelled()
        case WATCHED_FINISHED:
            guard !watched.isFinished else { return }
            noteCancellation(of: operation, watched)
            watched.noteFinished(recorder_is_cancelled(operation) ? .cancelled : .succeeded)
        case WATCHED_EDGE_ADDED:
            guard let other else { return }
            watched.beginDependency(on: Unmanaged<Operation>.fromOpaque(other).takeUnretainedValue())
        case WATCHED_EDGE_IN_PLACE:
            watched.endDependency()
        case WATCHED_EDGE_REMOVED:
            guard let other else { return }
            watched.noteDependencyRemoved(on: Unmanaged<Operation>.fromOpaque(other).takeUnretainedValue())
        default: break
        }
    }

    private static func noteReady(
        _ operation: UnsafeMutableRawPointer, _ question: TransitionNotes.Question
    ) {
        guard let watched = find(operation) else { return }
        noteCancellation(of: operation, watched)
        watched.noteReady(question)
    }

    /// A `final` class is cancelled by a direct call, which cannot be seen.
    private static func noteCancellation(
        of operation: UnsafeMutableRawPointer, _ watched: WatchedOperation
    ) {
        if recorder_is_cancelled(operation) { watched.noteCancelled() }
    }

    private static func run(
        _ operation: UnsafeMutableRawPointer, isStart: Bool, _ original: () -> Void
    ) {
        guard let watched = find(operation), !watched.isFinished else { return original() }
        // If it was cancelled before, it only finishes. If its body still runs, that is seen there.
        if isStart && recorder_is_cancelled(operation) {
            watched.noteCancelled()
            return original()
        }
        watched.noteExecuting()
        // The `start` of `Operation` finishes it. An override may leave that for later.
        watched.runBody(mayWorkOn: isStart, original)
    }
}
