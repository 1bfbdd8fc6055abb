import CLogFormat
import EventLog

/// What the arguments of events are called in which ``ChromeExport`` puts operations, so that they can be
/// read back.
///
/// Times are nanoseconds since the start of the trace, as texts; one that is an interval has its start beside
/// it.
package enum ChromeArguments {
    package static let identifier = "id"
    package static let kind = "kind"
    package static let queue = "queue_id"
    package static let queueName = "queue"
    package static let outcome = "outcome"
    package static let message = "message"
    package static let parent = "parent"
    package static let predecessors = "dependencies"
    package static let priority = "priority"
    package static let thread = "thread"
    /// The number by which events name the process: those of queues have another.
    package static let process = "process"
    package static let enqueued = "enqueued_ns"
    package static let slotFree = "slot_free_ns"
    package static let finished = "finished_ns"
    package static let notBefore = "_not_before"
    package static let transitions: [(String, RecordType)] = [
        ("ready_ns", .ready), ("executing_ns", .executing), ("body_began_ns", .bodyBegan),
        ("cancelled_ns", .cancelled), ("body_ended_ns", .bodyEnded),
    ]
}
