/// Names in exports for a log header's information about processes, for which OpenTelemetry has no word.
package enum ProcessAttributeNames {
    /// The identifier of the run, as in the tables; and its name.
    package static let run = "opviz.run"
    package static let name = "opviz.trace"
    package static let start = "opviz.trace.start_unix_nano"
    package static let isUndated = "opviz.trace.is_undated"
    package static let losses = "opviz.trace.losses"
    package static let isOfAnotherProgram = "opviz.trace.is_of_another_program"
    package static let isOpen = "opviz.process.is_open"
    package static let droppedEvents = "opviz.process.dropped_events"
    package static let lastAlive = "opviz.process.last_alive_ns"
    package static let processors = "opviz.process.processors"
    package static let usableProcessors = "opviz.process.usable_processors"
    package static let processorQuota = "opviz.process.processor_quota"
    package static let laterProcessors = "opviz.process.later_processors"
    package static let traceparent = "opviz.process.traceparent"
    package static let queues = "opviz.process.queues"
    package static let eventProcessID = "opviz.process.event_pid"
    // For merged traces.
    package static let ownStart = "opviz.process.start_unix_nano"
    package static let offset = "opviz.process.offset_ns"
    package static let shift = "opviz.process.shift_ns"
    package static let operationsBefore = "opviz.process.operations_before"
    /// The start of a trace without a date, for formats that require one: a second after
    /// 1970-01-01T00:00:00Z, because 0 means an unknown time.
    package static let undatedStart: Int64 = 1_000_000_000
}
