import CRecorder
import Foundation

/// Notifies observers about operations of classes outside this package, whose methods were replaced.
///
/// The code that the replacements call holds no lock while it calls out. It takes none of Foundation's locks,
/// because a queue's lock may be held.
enum InterposedEvents {
    private static let hasBegun: Bool = {
        var hooks = notification_hooks(
            notify: { event, operation, other in
                guard let operation else { return }
                InterposedEvents.record(event, operation, other)
            },
            ask: { operation in
                operation.flatMap { InterposedEvents.find($0) }?.readinessQuestion.bits
                    ?? TransitionFlags.Question.unrecorded.bits
            },
            notify_ready: { operation, asked in
                guard let operation else { return }
                InterposedEvents.recordReady(operation, TransitionFlags.Question(bits: asked))
            },
            run: { isStart, operation, call, original in
                guard let operation, let call else { return }
                InterposedEvents.run(operation, isStart: isStart) { call(operation, original) }
            })
        recorder_set_notification_hooks(&hooks)
        return true
    }()

    /// Makes the replacements of methods report what happens, from now on.
    static func begin() { _ = hasBegun }

    // MARK: Finding

    /// The entry for an operation that is named as a predecessor, created if needed.
    static func findOrMake(_ operation: Operation) -> WatchedOperation? {
        let address = address(of: operation)
        return find(address) ?? keep(WatchedOperation(), for: address, insteadOf: nil)
    }

    /// The entry for an operation that is about to be enqueued.
    static func beginning(_ operation: Operation) -> WatchedOperation? {
        let address = address(of: operation)
        let known = find(address)
        // A finished entry belongs to an earlier operation at the same address.
        if let known, !known.isFinished { return known }
        return keep(WatchedOperation(), for: address, insteadOf: known)
    }

    private static func find(_ operation: UnsafeMutableRawPointer) -> WatchedOperation? {
        recorder_kept(operation).map(watched)
    }

    /// - Returns: what is kept now, because another thread may have been faster.
    private static func keep(
        _ made: WatchedOperation, for operation: UnsafeMutableRawPointer,
        insteadOf outdated: WatchedOperation?
    ) -> WatchedOperation? {
        let retained = Unmanaged.passRetained(made)
        let kept = recorder_keep(
            operation, outdated.map { Unmanaged.passUnretained($0).toOpaque() }, retained.toOpaque())
        if kept != retained.toOpaque() { retained.release() }
        return kept.map(watched)
    }

    private static func forget(_ operation: UnsafeMutableRawPointer) {
        while let kept = recorder_take_kept(operation) {
            Unmanaged<WatchedOperation>.fromOpaque(kept).release()
        }
    }

    /// Sound because the C core keeps only entries that `keep` retained, until their operation is
    /// deallocated.
    private static func watched(_ kept: UnsafeMutableRawPointer) -> WatchedOperation {
        Unmanaged.fromOpaque(kept).takeUnretainedValue()
    }

    private static func address(of operation: Operation) -> UnsafeMutableRawPointer {
        Unmanaged.passUnretained(operation).toOpaque()
    }

    // MARK: Events

    private static func record(
        _ event: notified_event, _ operation: UnsafeMutableRawPointer, _ other: UnsafeMutableRawPointer?
    ) {
        guard event != NOTIFIED_DESTROYED else { return forget(operation) }
        guard let watched = find(operation) else { return }
        switch event {
        case NOTIFIED_EXECUTING:
            watched.recordExecuting()
        case NOTIFIED_CANCELLED:
            watched.recordCancelled()
        case NOTIFIED_FINISHED:
            guard !watched.isFinished else { return }
            recordCancellation(of: operation, watched)
            watched.recordFinished(recorder_is_cancelled(operation) ? .cancelled : .succeeded)
        case NOTIFIED_EDGE_ADDED:
            guard let other else { return }
            watched.beginDependency(on: Unmanaged<Operation>.fromOpaque(other).takeUnretainedValue())
        case NOTIFIED_EDGE_IN_PLACE:
            watched.endDependency()
        case NOTIFIED_EDGE_REMOVED:
            guard let other else { return }
            watched.recordDependencyRemoved(on: Unmanaged<Operation>.fromOpaque(other).takeUnretainedValue())
        default: break
        }
    }

    private static func recordReady(
        _ operation: UnsafeMutableRawPointer, _ question: TransitionFlags.Question
    ) {
        guard let watched = find(operation) else { return }
        recordCancellation(of: operation, watched)
        watched.recordReady(question)
    }

    /// A `final` class is cancelled by a direct call, which cannot be seen.
    private static func recordCancellation(
        of operation: UnsafeMutableRawPointer, _ watched: WatchedOperation
    ) {
        if recorder_is_cancelled(operation) { watched.recordCancelled() }
    }

    private static func run(
        _ operation: UnsafeMutableRawPointer, isStart: Bool, _ original: () -> Void
    ) {
        guard let watched = find(operation), !watched.isFinished else { return original() }
        // If it was cancelled before, it only finishes. If its body still runs, that is seen there.
        if isStart && recorder_is_cancelled(operation) {
            watched.recordCancelled()
            return original()
        }
        watched.recordExecuting()
        // The `start` of `Operation` finishes it. An override may leave that for later.
        watched.runBody(mayWorkOn: isStart, original)
    }
}
