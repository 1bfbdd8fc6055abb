import CLogFormat

/// Writes events as JSON, in the Chrome Trace Event Format that the Perfetto UI opens.
///
/// A log consists of `LogHeader.jsonPrologue()`, the bytes of the events in order, and `epilogue`. A log that
/// is truncated after any event can still be read.
public struct JSONLogEncoder: Sendable {
    /// The bytes after the last event.
    public static let epilogue = Array("\n]}\n".utf8)

    /// For each process of the header.
    private let processIDs: [Int32]
    private var bytes: [UInt8] = []
    private var isFirst = true
    /// The kind of every unfinished operation: viewers need it on each of its events.
    private var kinds: [UInt64: String] = [:]
    /// The event that is being written, and its texts by number.
    private var fields = EventFields()
    private var texts: [String] = []
    private var views: ViewerTracks

    /// - Parameter header: has the processes that the events belong to.
    public init(header: LogHeader) {
        processIDs = header.eventProcessIDs
        views = ViewerTracks(header)
    }

    /// How many bytes `takeBytes` would return.
    package var byteCount: Int { bytes.count }

    /// The bytes of all events encoded since the last call.
    public mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Appends one event. The order of the calls is the order of the log.
    public mutating func encode(_ event: LogEvent) {
        guard let schema = take(event) else { return }
        separate()
        begin(schema)
        appendPlace(of: event, schema.word)
        appendSubject(of: schema)
        for member in schema.members { append(member) }
        end(event)
        if fields.type == .finished { kinds[fields.subject] = nil }
        for view in views.follow(fields, schema.meaning, texts) {
            separate()
            bytes.append(contentsOf: view)
        }
    }

    private mutating func take(_ event: LogEvent) -> EventSchema? {
        fields.take(event, only: &texts)
        if fields.type == .enqueued || fields.type == .sighted || fields.type == .taskCreated {
            kinds[fields.subject] = texts[Int(fields.text)]
        }
        return EventSchema.of(fields.type)
    }

    /// Writes what viewers show: how the event is drawn, and its name.
    private mutating func begin(_ schema: EventSchema) {
        switch schema.category(ofSubject: fields.subject) {
        case .op:
            append(
                "{\"ph\":\"\(Self.phase(of: schema.meaning))\",\"cat\":\"op\",\"name\":",
                kinds[fields.subject] ?? "?")
            append(",\"id2\":{\"local\":\"\(OperationID(fields.subject))\"}")
        case .queue:
            append("{\"ph\":\"i\",\"s\":\"t\",\"cat\":\"queue\",\"name\":\"queue \(schema.word)\"")
        case .mark: append("{\"ph\":\"i\",\"cat\":\"mark\",\"name\":", texts[Int(fields.text)])
        case .wait:
            let phase = schema.type == .waitEnded ? "E" : "B"
            append("{\"ph\":\"\(phase)\",\"cat\":\"wait\",\"name\":\"wait\"")
        case .process: append("{\"ph\":\"i\",\"cat\":\"process\",\"name\":\"context received\"")
        case .cpu, .sample:
            append(
                "{\"ph\":\"i\",\"s\":\"t\",\"cat\":\"\(schema.category.word)\",\"name\":\"\(schema.word)\"")
        }
    }

    /// The first and the last step of an operation's lifetime enclose the others.
    private static func phase(of meaning: EventSchema.Meaning) -> String {
        switch meaning {
        case .step(.enqueued), .taskCreated: "b"
        case .step(.finished): "e"
        case .step, .edgeAdded, .edgeRemoved, .contextSent, .contextReceived, .operationDetail, .queueNamed,
            .queueDetail, .mark, .waitBegan, .waitEnded, .threadTime, .sample, .taskDetail, .executorOpened:
            "n"
        }
    }

    private mutating func appendSubject(of schema: EventSchema) {
        guard let key = schema.subjectKey else { return }
        guard schema.subject == .number else { return append(key, identifier: fields.subject) }
        append(key: key)
        append(String(fields.count))
    }

    private mutating func append(_ member: EventSchema.Member) {
        guard let key = member.key else { return }
        switch member.value {
        case .queue:
            if member.isWritten(fields.word) { append(key, identifier: fields.word) }
        case .predecessor:
            if let predecessor = fields.predecessors.first { append(key, identifier: predecessor) }
        case .predecessors:
            guard !fields.predecessors.isEmpty else { return }
            let list = fields.predecessors.map { "\"\(OperationID($0))\"" }.joined(separator: ",")
            append(key: key)
            append("[\(list)]")
        case .text:
            if member.presence != .ofFailure || fields.ending == .failed { append(key, text: fields.text) }
        case .separate(let record, let form):
            guard let value = fields[separate: record], member.isWritten(value) else { return }
            switch form {
            case .text: append(key, text: UInt32(value))
            case .operation: append(key, identifier: value)
            case .number:
                append(key: key)
                append(String(Int64(bitPattern: value)))
            }
        case .ending:
            append(key: key)
            append("\"\(fields.ending.word)\"")
        case .duration:
            append(key: key)
            append(String(fields.timeOnCPU))
        case .level:
            guard member.isWritten(fields.word) else { return }
            append(key: key)
            append(String(fields.word))
        case .choice(let choice):
            append(key: key)
            append("\"\(choice.words[Int(fields.choice)])\"")
        case .flag:
            append(key: key)
            append(fields.flag ? "true" : "false")
        }
    }

    private mutating func append(_ key: StaticString, identifier: UInt64) {
        append(key: key)
        append("\"\(OperationID(identifier))\"")
    }

    private mutating func append(_ key: StaticString, text: UInt32) {
        append(key: key)
        JSONText.append(texts[Int(text)], to: &bytes)
    }

    private mutating func appendPlace(of event: LogEvent, _ word: StaticString) {
        let processID = processIDs.indices.contains(event.process) ? processIDs[event.process] : processIDs[0]
        append(",\"pid\":\(processID),\"tid\":\(event.thread),\"ts\":")
        JSONText.append(microseconds: event.time, to: &bytes)
        append(",\"args\":{\"event\":\"")
        append(literal: word)
        append("\"")
    }

    private mutating func end(_ event: LogEvent) {
        if let notBefore = event.notBefore {
            append(",\"notBefore\":\"")
            JSONText.append(microseconds: notBefore, to: &bytes)
            append("\"")
        }
        append("}}")
    }

    private mutating func separate() {
        if isFirst { isFirst = false } else { append(",\n") }
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Without making a string of it: there are several in each event.
    private mutating func append(literal text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Appends the key of a member and the colon.
    private mutating func append(key: StaticString) {
        append(literal: ",\"")
        append(literal: key)
        append(literal: "\":")
    }

    /// Appends a literal key, and a value that may contain anything.
    private mutating func append(_ key: String, _ value: String) {
        append(key)
        JSONText.append(value, to: &bytes)
    }
}
