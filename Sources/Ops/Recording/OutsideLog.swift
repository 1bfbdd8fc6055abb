import CRecorder
import EventLog
import Foundation

/// The log that `opviz record` writes of this program. It has all that can be seen from outside; what only
/// the program knows is told to it here.
struct OutsideLog {
    // Sound because the table is constant and is never unloaded, and its functions take calls on any thread.
    private nonisolated(unsafe) static let functions = recorder_outside_log()

    private let functions: recorder_outside

    /// Nil in a program that is not recorded so.
    init?() {
        guard let functions = Self.functions?.pointee, functions.is_recording() else { return nil }
        self.functions = functions
    }

    /// Notes that the context of `operation` is sent now, and gives it.
    func sendContext(of operation: Operation) -> TraceContext? {
        var run = recorder_outside_run()
        let id = functions.send_context(Unmanaged.passUnretained(operation).toOpaque(), &run)
        guard id != 0 else { return nil }
        let identifiers = SpanIdentifiers(
            host: String(cString: run.host), process: String(cString: run.process),
            processID: run.process_id, start: run.start,
            cause: run.cause.flatMap { TraceContext(traceparent: String(cString: $0)) })
        return TraceContext(identifiers.span(id))
    }

    func receive(_ context: TraceContext, for operation: Operation) {
        let object = Unmanaged.passUnretained(operation).toOpaque()
        context.traceparent.withCharacters { functions.receive_context(object, $0, $1) }
    }

    /// - Parameter operation: who says it; nil for the operation in whose body this thread is.
    func mark(_ text: String, by operation: Operation? = nil) {
        let object = operation.map { Unmanaged.passUnretained($0).toOpaque() }
        text.withCharacters { functions.mark(object, $0, $1) }
    }

    /// Says with what `operation` is about to finish. That it has finished is seen from outside.
    func willFinish(_ operation: Operation, _ outcome: Outcome) {
        let object = Unmanaged.passUnretained(operation).toOpaque()
        switch outcome {
        case .succeeded: break
        case .cancelled: functions.will_finish(object, false, nil, 0)
        case .failed(let message): message.withCharacters { functions.will_finish(object, true, $0, $1) }
        }
    }

    /// Makes `operation` the parent of all that is added to the queue from now on, whatever thread it is
    /// added on.
    func setOwner(of queue: OperationQueue, _ operation: Operation) {
        functions.own_queue(
            Unmanaged.passUnretained(queue).toOpaque(), Unmanaged.passUnretained(operation).toOpaque())
    }
}
