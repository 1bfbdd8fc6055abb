/// What the export to OTLP and its import call the things that OpenTelemetry has no word for.
enum OTLPWords {
    static let start: StaticString = "opviz.trace.start_unix_nano"
    static let run: StaticString = "opviz.run"
    static let identifier: StaticString = "opviz.operation.id"
    static let name: StaticString = "opviz.operation.name"
    static let priority: StaticString = "opviz.operation.priority"
    static let outcome: StaticString = "opviz.operation.outcome"
    static let isCritical: StaticString = "opviz.operation.is_critical"
    static let isMended: StaticString = "opviz.operation.is_mended"
    static let finishedNotBefore: StaticString = "opviz.operation.finished_not_before_unix_nano"
    static let queue: StaticString = "opviz.queue.id"
    static let queueName: StaticString = "opviz.queue.name"
    static let notBefore: StaticString = "opviz.not_before_unix_nano"
    static let duration: StaticString = "opviz.wait.duration_ns"
    static let mark: StaticString = "opviz.mark.text"
}
