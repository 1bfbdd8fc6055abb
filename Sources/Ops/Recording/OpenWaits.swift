import CRecorder
import EventLog
import Foundation

/// A wait of a thread at this moment.
struct OpenWait {
    enum Target {
        case operation(Operation)
        case queue(OperationQueue)
    }

    /// The operation in whose body the thread waits; nil outside of operations.
    let operation: OperationID?
    let target: Target
    /// Of each wait its own.
    let number: UInt64
    let thread: UInt64
    /// Whether it keeps the main thread from running operations.
    let isOnMainThread: Bool

    /// The waits that a log knows about. They may end meanwhile.
    static func all(in log: RecordLog) -> [OpenWait] {
        var waits: [OpenWait] = []
        withUnsafeMutablePointer(to: &waits) { waits in
            recorder_each_wait(log.log, { OpenWait.append($0, to: $1) }, waits)
        }
        return waits
    }

    private static func append(_ wait: UnsafePointer<recorder_wait>?, to waits: UnsafeMutableRawPointer?) {
        // The waiting thread retains the target, and cannot continue while this is called.
        guard let wait = wait?.pointee, let target = wait.target else { return }
        let found: Target =
            wait.is_for_queue
            ? .queue(Unmanaged.fromOpaque(target).takeUnretainedValue())
            : .operation(Unmanaged.fromOpaque(target).takeUnretainedValue())
        waits?.assumingMemoryBound(to: [OpenWait].self).pointee
            .append(
                OpenWait(
                    operation: wait.operation == 0 ? nil : OperationID(wait.operation), target: found,
                    number: wait.number, thread: wait.thread, isOnMainThread: wait.is_on_main_thread))
    }
}

extension EventLogWriter {
    /// Logs that this thread waits while `body` runs, and shows the wait in snapshots.
    ///
    /// - Parameter target: the operation or the queue that `event` is about.
    func recordWait(_ event: LogEvent.Body, for target: AnyObject, isQueue: Bool = false, _ body: () -> Void)
    {
        append(event)
        var wait = recorder_wait()
        let address = Unmanaged.passUnretained(target).toOpaque()
        withUnsafeMutablePointer(to: &wait) { wait in
            recorder_begin_wait(wait, log.log, waitingOperation?.rawValue ?? 0, address, isQueue, false)
            body()
            recorder_end_wait(wait)
        }
        append(.waitEnded)
    }
}
