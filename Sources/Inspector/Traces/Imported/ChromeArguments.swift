import CLogFormat
import EventLog

/// The names of the events' arguments in which ``ChromeExport`` stores operations, so that they can be read
/// back.
///
/// Times are nanoseconds since the start of the trace, as texts. An interval has a second argument for its
/// start.
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
    /// The identifier of a Swift task, for viewers only.
    package static let task = "task"
    /// The number of the process in its own events; those of queues have another number.
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
