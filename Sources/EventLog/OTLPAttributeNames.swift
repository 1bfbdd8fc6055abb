/// Names for things that OpenTelemetry has no word for, in the OTLP export, its import and the bridge to live
/// tracing.
package enum OTLPAttributeNames {
    /// The beginning of all words of this project.
    package static let prefix = "opviz."
    package static let identifier: StaticString = "opviz.operation.id"
    package static let kind: StaticString = "opviz.operation.kind"
    package static let name: StaticString = "opviz.operation.name"
    package static let priority: StaticString = "opviz.operation.priority"
    package static let outcome: StaticString = "opviz.operation.outcome"
    package static let isCritical: StaticString = "opviz.operation.is_critical"
    package static let isMended: StaticString = "opviz.operation.is_mended"
    package static let finishedNotBefore: StaticString = "opviz.operation.finished_not_before_unix_nano"
    package static let slotFree: StaticString = "opviz.operation.slot_free_unix_nano"
    package static let onCPU: StaticString = "opviz.execution.on_cpu_ns"
    package static let waitingForCPU: StaticString = "opviz.execution.waiting_for_cpu_ns"
    package static let blocked: StaticString = "opviz.execution.blocked_ns"
    package static let offThread: StaticString = "opviz.execution.off_thread_ns"
    package static let unmeasured: StaticString = "opviz.execution.unmeasured_ns"
    package static let arePartsEstimated: StaticString = "opviz.execution.is_estimated"
    package static let queue: StaticString = "opviz.queue.id"
    package static let queueName: StaticString = "opviz.queue.name"
    package static let notBefore: StaticString = "opviz.not_before_unix_nano"
    package static let duration: StaticString = "opviz.wait.duration_ns"
    package static let isTask: StaticString = "opviz.task"
    package static let creation: StaticString = "opviz.task.creation"
    package static let executor: StaticString = "opviz.task.executor"
    package static let runs: StaticString = "opviz.task.runs"
    /// Before the name of a part of a lifetime.
    package static let taskPart = "opviz.task."
    package static let mark: StaticString = "opviz.mark.text"
}
