import EventLog

/// What the arguments of events are called in which ``ChromeExport`` puts operations, so that they can be read back.
///
/// Times are nanoseconds since the start of the trace, as texts; one that is an interval has its start beside it.
enum ChromeArguments {
    static let identifier = "id"
    static let kind = "kind"
    static let queue = "queue_id"
    static let queueName = "queue"
    static let outcome = "outcome"
    static let message = "message"
    static let parent = "parent"
    static let predecessors = "dependencies"
    static let priority = "priority"
    static let thread = "thread"
    /// The number by which events name the process: those of queues have another.
    static let process = "process"
    static let enqueued = "enqueued_ns"
    static let slotFree = "slot_free_ns"
    static let finished = "finished_ns"
    static let notBefore = "_not_before"
    static let transitions: [(String, RecordType)] = [
        ("ready_ns", .ready), ("executing_ns", .executing), ("body_began_ns", .bodyBegan),
        ("cancelled_ns", .cancelled), ("body_ended_ns", .bodyEnded),
    ]
}
