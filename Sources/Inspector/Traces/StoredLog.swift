import EventLog

/// A log in memory, without a string or an object for each event.
package struct StoredLog: Sendable {
    /// The events' texts, and what reading has found.
    package private(set) var log: ReadLog
    /// In the order of the log.
    var events: [EventFields]
    /// Whether nothing was added to a queue, and no Swift task was recorded.
    package let isEmpty: Bool

    /// The kind of a closure becomes the function that contains it, as for `TraceReader.events()`.
    init(_ file: TraceFile) throws(TraceError) {
        let collector = Collector()
        log = try file.read(into: collector)
        (events, isEmpty) = collector.finish()
        guard var naming = collector.survey.names().map({ EventNaming($0) }) else { return }
        for index in events.indices { _ = naming.name(&events[index], &log.texts) }
    }

    /// The same for events that came as values, with the kinds that they have. Linear in events.
    init(_ contents: EventLogContents) {
        let collector = Collector()
        let texts = contents.pass(to: collector)
        log = ReadLog(header: contents.header, texts: texts, eventCount: contents.events.count)
        (events, isEmpty) = collector.finish()
    }
}

private final class Collector: EventConsumer {
    let survey = LogSurvey()
    private var events: [EventFields] = []

    func consume(_ event: EventFields, _ texts: InternedTexts) {
        survey.consume(event, texts)
        events.append(event)
        // A copy of the right size: readers reuse their array, and keep room for more.
        if !event.predecessors.isEmpty {
            events[events.count - 1].predecessors = event.predecessors.map { $0 }
        }
    }

    /// Call this once. It keeps no reference to the events, so that changing them does not copy them.
    func finish() -> (events: [EventFields], isEmpty: Bool) {
        defer { events = [] }
        return (events, !survey.hasOperations && !survey.hasTasks)
    }
}
