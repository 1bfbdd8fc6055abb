import CRecorder
import EventLog
import Foundation

/// The log that `opviz record` writes about this program. It has everything that can be seen from outside.
/// This type adds what only the program knows.
struct HostLog {
    // Sound because the table is constant and never unloaded, and its functions can be called on any thread.
    private nonisolated(unsafe) static let functions = recorder_host_log()

    // A pointer, because the table of an older library is shorter than the type.
    private let functions: UnsafePointer<recorder_outside>

    /// Nil in a program that `opviz record` does not record.
    init?() {
        guard let functions = Self.functions, functions.pointee.is_recording() else { return nil }
        self.functions = functions
    }

    /// Logs that the context of `operation` is being sent, and returns it.
    func sendContext(of operation: Operation) -> TraceContext? {
        var run = recorder_outside_run()
        let id = functions.pointee.send_context(Unmanaged.passUnretained(operation).toOpaque(), &run)
        guard id != 0 else { return nil }
        let identifiers = SpanIdentifiers(
            host: String(cString: run.host), process: String(cString: run.process),
            processID: run.process_id, start: run.start,
            cause: run.cause.flatMap { TraceContext(traceparent: String(cString: $0)) })
        return TraceContext(identifiers.span(id))
    }

    func receive(_ context: TraceContext, for operation: Operation) {
        let object = Unmanaged.passUnretained(operation).toOpaque()
        context.traceparent.withCharacters { functions.pointee.receive_context(object, $0, $1) }
    }

    /// - Parameter operation: the operation of the mark; nil for the operation in whose body this thread is.
    func mark(_ text: String, by operation: Operation? = nil) {
        let object = operation.map { Unmanaged.passUnretained($0).toOpaque() }
        text.withCharacters { functions.pointee.mark(object, $0, $1) }
    }

    /// Reports how `operation` is about to finish. The finish itself is seen from outside.
    func willFinish(_ operation: Operation, _ outcome: Outcome) {
        let object = Unmanaged.passUnretained(operation).toOpaque()
        switch outcome {
        case .succeeded: break
        case .cancelled: functions.pointee.will_finish(object, false, nil, 0)
        case .failed(let message):
            message.withCharacters { functions.pointee.will_finish(object, true, $0, $1) }
        }
    }

    /// Records Swift tasks, too. False if that is not possible.
    func observeTasks() -> Bool {
        // An older library's table ends before that.
        let end = MemoryLayout<recorder_outside>.offset(of: \.observe_tasks) ?? .max
        guard functions.pointee.size > end else { return false }
        return functions.pointee.observe_tasks()
    }

    /// Makes `operation` the parent of everything that is added to the queue from now on, on any thread.
    func setOwner(of queue: OperationQueue, _ operation: Operation) {
        functions.pointee.own_queue(
            Unmanaged.passUnretained(queue).toOpaque(), Unmanaged.passUnretained(operation).toOpaque())
    }
}

/// Answers the log of `opviz record` (`recorder_outside_kinds`): what the kind of an operation is.
@_cdecl("opviz_operation_kind")
func outsideKind(
    of object: UnsafeMutableRawPointer, context: UnsafeMutableRawPointer?,
    take: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, Int) -> Void)?
) -> recorder_outside_kind {
    let operation = Unmanaged<Operation>.fromOpaque(object).takeUnretainedValue()
    if operation is ObservedBlock { return OUTSIDE_KIND_IS_CLOSURE }
    guard let kinded = operation as? any KindedOperation else { return OUTSIDE_KIND_IS_CLASS }
    if let take { kinded.kind.withCharacters { take(context, $0, $1) } }
    return OUTSIDE_KIND_IS_STATED
}
