import CRecorder
import EventLog
import Foundation

/// A time of a log's clock: ticks or nanoseconds, from any origin.
typealias LogTime = UInt64

/// A log in the recording core. Does not keep it: the log may have been closed, and even released, since.
/// Then nothing is appended.
///
/// `@unchecked Sendable` is sound because the core takes every call on any thread and never frees the memory
/// of a log.
struct LogReference: @unchecked Sendable {
    let log: OpaquePointer
    /// Never repeats in a process, unlike the pointer.
    let number: UInt64

    init(log: OpaquePointer, number: UInt64) {
        self.log = log
        self.number = number
    }

    // A pointer, because another thread may be changing the kind of closures.
    init(of queue: UnsafePointer<recorder_queue>) {
        self.init(log: queue.pointee.log, number: queue.pointee.log_id)
    }

    /// Whether the log takes events.
    var isOpen: Bool { recorder_is_open(log, number) }

    /// The present time of the log's clock.
    var now: LogTime { recorder_now(log) }

    /// Appends one record that happens now.
    @discardableResult
    func append(_ type: RecordType, subject: UInt64, argument: UInt64 = 0) -> LogTime {
        recorder_append_now(log, number, type.rawValue, subject, argument)
    }

    /// Like `append`, but not ordered after what this thread has read.
    @discardableResult
    func appendSoon(_ type: RecordType, subject: UInt64, argument: UInt64 = 0) -> LogTime {
        recorder_append_soon(log, number, type.rawValue, subject, argument)
    }

    func append(_ type: RecordType, subject: UInt64, at time: LogTime) {
        recorder_append_at(log, number, time, type.rawValue, subject, 0)
    }

    /// This thread begins the body of an operation. Pass the result to `endBody`.
    ///
    /// - Parameter object: the operation, or what stands for it. Bodies of one class take about as long.
    func beginBody(of operation: OperationID, _ object: AnyObject) -> recorder_body {
        recorder_begin_body(log, number, operation.rawValue, Unmanaged.passUnretained(object).toOpaque())
    }

    /// This thread begins the body of a closure's operation, which is executing from now on. Pass the result
    /// to `endBody`.
    func beginClosure(of id: OperationID, _ operation: BlockOperation) -> recorder_body {
        recorder_begin_closure(log, number, id.rawValue, Unmanaged.passUnretained(operation).toOpaque())
    }

    func endBody(of operation: OperationID, _ before: recorder_body) {
        recorder_end_body(log, number, operation.rawValue, before)
    }

    /// Like `endBody`, for an operation that may go on. Logs the end of its body, unless this thread has
    /// finished it.
    func leaveBody(of operation: OperationID, _ before: recorder_body) {
        recorder_leave_body(log, number, operation.rawValue, before)
    }

    /// The execution is about to end. Logs what the body used, if this thread is in it. Returns the time of
    /// that: of the end, too.
    func recordEnd(of operation: OperationID) -> LogTime? {
        let time = recorder_end_clocks(log, number, operation.rawValue)
        return time == 0 ? nil : time
    }

    /// The operation succeeded, as `recordEnd` and `appendSoon` would say.
    func appendSuccess(of operation: OperationID) { recorder_append_success(log, number, operation.rawValue) }

    /// A new identifier.
    func nextOperation() -> OperationID { OperationID(recorder_next_operation(log)) }

    /// The operation that the calling code belongs to: the one in whose body this thread is, or that this
    /// task is the body of, or descends from.
    var currentOperation: OperationID? { operationOfThread ?? CurrentOperation.value?.id(in: self) }

    /// The operation that cannot go on while the calling code is blocked: the one in whose body this thread
    /// is, or that this task is the body of.
    var waitingOperation: OperationID? { operationOfThread ?? CurrentOperation.ofTask?.id(in: self) }

    private var operationOfThread: OperationID? {
        let onThread = recorder_current(number)
        return onThread == 0 ? nil : OperationID(onThread)
    }

    /// The writer of the log, for what happens seldom: takes a lock. Nil if the log is closed, and in a
    /// forked child, because another thread of the parent may have held that lock.
    var writer: EventLogWriter? {
        guard !recorder_is_forked_child() else { return nil }
        return OpenWriters.writer(of: log).flatMap { $0.log.number == number ? $0 : nil }
    }
}
