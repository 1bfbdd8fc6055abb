import CRecorder
import EventLog
import Foundation

/// The entry of one queue in the log: its name, its limit, its suspensions.
final class LoggedQueue: Sendable {
    /// The settings of a queue that affect when its operations run.
    struct Settings: Equatable {
        var limit: Int
        var isSuspended: Bool

        init(of queue: OperationQueue) {
            limit = queue.base.storedLimit
            isSuspended = queue.base.storedIsSuspended
        }
    }

    private struct State {
        /// The settings in the log.
        var settings: Settings
        /// Operations that do not report their own cancellation.
        var passive: [OperationID: OperationObservation] = [:]
    }

    let id: QueueID
    let writer: EventLogWriter
    private let state: Locked<State>

    /// Logs that `queue` was seen.
    init(of queue: OperationQueue, writer: EventLogWriter) {
        self.writer = writer
        id = writer.registry.nextQueue()
        let settings = Settings(of: queue)
        writer.append(
            .queueOpened(
                id, name: queue.base.givenName ?? "", limit: settings.limit,
                isSuspended: settings.isSuspended)
        )
        state = Locked(State(settings: settings))
    }

    // A change that lets operations start is logged before it is made. A change that holds them back is
    // logged after it. So operations never run outside what the log allows.

    func recordResumed() {
        state.withLock { state in
            guard state.settings.isSuspended else { return }
            writer.append(.resumed(id))
            state.settings.isSuspended = false
        }
    }

    /// Logs a limit that is higher than before.
    func recordRaised(to limit: Int) {
        state.withLock { state in
            guard state.settings.limit >= 0, limit < 0 || limit > state.settings.limit else { return }
            writer.append(.limitChanged(id, limit: limit))
            state.settings.limit = limit
        }
    }

    /// Logs the present settings if the log does not have them yet. Takes no queue's lock.
    func refresh(from queue: OperationQueue) {
        state.withLock { state in
            let settings = Settings(of: queue)
            if settings.limit != state.settings.limit {
                writer.append(.limitChanged(id, limit: settings.limit))
            }
            if settings.isSuspended != state.settings.isSuspended {
                writer.append(settings.isSuspended ? .suspended(id) : .resumed(id))
            }
            state.settings = settings
        }
    }

    func recordName(of queue: OperationQueue) {
        writer.append(.queueRenamed(id, name: queue.base.givenName ?? ""))
    }

    /// Logs that everything in the queue is being cancelled. The tracker handles barriers, and operations of
    /// this package's classes log it themselves.
    func recordCancellation() {
        writer.append(.allCancelled(id))
        let passive = state.withLock { $0.passive.values.sorted { $0.id < $1.id } }
        for observation in passive { observation.recordCancelled() }
    }

    /// Logs that this thread waits for `queue`, which this entry is about, to become empty while `body` runs.
    func recordWait(for queue: OperationQueue, _ body: () -> Void) {
        writer.recordWait(.waitBegan(.queue(id), by: writer.waitingOperation), for: queue, isQueue: true) {
            // Foundation waits for one operation after the other. These waits belong to this one.
            let wasWaiting = recorder_begin_queue_wait()
            body()
            recorder_end_queue_wait(wasWaiting)
        }
    }

    /// Logs a plain enqueue.
    ///
    /// - Parameters:
    ///   - kind: the number of its kind in the log; nil for a closure.
    ///   - code: its closure's code.
    func appendEnqueue(
        of id: OperationID, kind: UInt32? = nil, parent: OperationID?, code: ClosureCode?, isReady: Bool
    ) -> LogTime {
        guard writer.isOpen,
            let argument = LogEvent.Body.packed(queue: self.id, kind: kind ?? writer.log.closureKind)
        else { return writer.now }
        return writer.log.appendEnqueue(
            id, argument: argument, parent: parent, code: code, isReady: isReady)
    }

    func addPassive(_ observation: OperationObservation) {
        state.withLock { $0.passive[observation.id] = observation }
    }

    func removePassive(_ id: OperationID) { state.withLock { $0.passive[id] = nil } }
}
