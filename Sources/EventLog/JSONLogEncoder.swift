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
    private var kinds: [UInt64: InternedTexts.Number] = [:]
    private var kindTexts = InternedTexts()
    private var views: ViewerTracks
    /// The texts of the last events that came as values.
    private var texts = InternedTexts()
    private static let mostTexts = 4_096

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
        // A number is only used until the end of its event.
        if texts.count > Self.mostTexts { texts = InternedTexts() }
        var fields = EventFields()
        fields.take(event, &texts)
        encode(fields, texts)
    }

    /// The same for an event as a reader passes it on.
    package mutating func encode(_ event: EventFields, _ texts: InternedTexts) {
        guard let schema = EventSchema.of(event.type) else { return }
        if event.type == .enqueued || event.type == .sighted || event.type == .taskCreated {
            kinds[event.subject] = texts.withBytes(of: event.text) { kindTexts.number(of: $0) }
        }
        separate()
        begin(event, schema, texts)
        appendPlace(of: event, schema.word)
        appendSubject(of: event, schema)
        for member in schema.members { append(member, event, texts) }
        end(event)
        if event.type == .finished { kinds[event.subject] = nil }
        for view in views.follow(event, schema.meaning, texts) {
            separate()
            bytes.append(contentsOf: view)
        }
    }

    /// Writes what viewers show: how the event is drawn, and its name.
    private mutating func begin(_ event: EventFields, _ schema: EventSchema, _ texts: InternedTexts) {
        switch schema.category(ofSubject: event.subject) {
        case .op:
            append(literal: "{\"ph\":\"")
            append(literal: Self.phase(of: schema.meaning))
            append(literal: "\",\"cat\":\"op\",\"name\":")
            append(text: kinds[event.subject] ?? InternedTexts.unknown, kindTexts)
            append(literal: ",\"id2\":{\"local\":\"")
            JSONText.append(identifier: event.subject, to: &bytes)
            append(literal: "\"}")
        case .queue:
            append(literal: "{\"ph\":\"i\",\"s\":\"t\",\"cat\":\"queue\",\"name\":\"queue ")
            append(literal: schema.word)
            append(literal: "\"")
        case .mark:
            append(literal: "{\"ph\":\"i\",\"cat\":\"mark\",\"name\":")
            append(text: event.text, texts)
        case .wait:
            append(literal: schema.type == .waitEnded ? "{\"ph\":\"E\"" : "{\"ph\":\"B\"")
            append(literal: ",\"cat\":\"wait\",\"name\":\"wait\"")
        case .process:
            append(literal: "{\"ph\":\"i\",\"cat\":\"process\",\"name\":\"context received\"")
        case .cpu, .sample:
            append(literal: "{\"ph\":\"i\",\"s\":\"t\",\"cat\":\"")
            append(literal: schema.category.word)
            append(literal: "\",\"name\":\"")
            append(literal: schema.word)
            append(literal: "\"")
        }
    }

    /// The first and the last step of an operation's lifetime enclose the others.
    private static func phase(of meaning: EventSchema.Meaning) -> StaticString {
        switch meaning {
        case .step(.enqueued), .taskCreated: "b"
        case .step(.finished): "e"
        case .step, .edgeAdded, .edgeRemoved, .contextSent, .contextReceived, .operationDetail, .queueNamed,
            .queueDetail, .mark, .waitBegan, .waitEnded, .threadTime, .sample, .taskDetail, .executorOpened:
            "n"
        }
    }

    private mutating func appendSubject(of event: EventFields, _ schema: EventSchema) {
        guard let key = schema.subjectKey else { return }
        guard schema.subject == .number else { return append(key, identifier: event.subject) }
        append(key, number: event.count)
    }

    private mutating func append(
        _ member: EventSchema.Member, _ event: EventFields, _ texts: InternedTexts
    ) {
        guard let key = member.key else { return }
        switch member.value {
        case .queue:
            if member.isWritten(event.word) { append(key, identifier: event.word) }
        case .predecessor:
            if let predecessor = event.predecessors.first { append(key, identifier: predecessor) }
        case .predecessors:
            guard !event.predecessors.isEmpty else { return }
            append(key: key)
            for (position, predecessor) in event.predecessors.enumerated() {
                append(literal: position == 0 ? "[\"" : ",\"")
                JSONText.append(identifier: predecessor, to: &bytes)
                append(literal: "\"")
            }
            append(literal: "]")
        case .text:
            if member.presence != .ofFailure || event.ending == .failed {
                append(key, text: event.text, texts)
            }
        case .separate(let record, let form):
            guard let value = event[separate: record], member.isWritten(value) else { return }
            switch form {
            case .text: append(key, text: InternedTexts.Number(truncatingIfNeeded: value), texts)
            case .operation: append(key, identifier: value)
            case .number: append(key, number: Int64(bitPattern: value))
            }
        case .ending: append(key, word: event.ending.word)
        case .duration: append(key, number: event.timeOnCPU)
        case .level:
            if member.isWritten(event.word) { append(key, number: event.word) }
        case .choice(let choice): append(key, word: choice.words[Int(event.choice)])
        case .flag:
            append(key: key)
            append(literal: event.flag ? "true" : "false")
        }
    }

    private mutating func appendPlace(of event: EventFields, _ word: StaticString) {
        let process = Int(event.process)
        append(literal: ",\"pid\":")
        JSONText.append(
            number: processIDs.indices.contains(process) ? processIDs[process] : processIDs[0], to: &bytes)
        append(literal: ",\"tid\":")
        JSONText.append(number: event.thread, to: &bytes)
        append(literal: ",\"ts\":")
        JSONText.append(microseconds: event.time, to: &bytes)
        append(literal: ",\"args\":{\"event\":\"")
        append(literal: word)
        append(literal: "\"")
    }

    private mutating func end(_ event: EventFields) {
        if let notBefore = event.notBefore {
            append(literal: ",\"notBefore\":\"")
            JSONText.append(microseconds: notBefore, to: &bytes)
            append(literal: "\"")
        }
        append(literal: "}}")
    }

    private mutating func separate() {
        if isFirst { isFirst = false } else { append(literal: ",\n") }
    }

    /// Without making a string of it: there are several in each event.
    private mutating func append(literal text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func append(text number: InternedTexts.Number, _ texts: InternedTexts) {
        texts.withBytes(of: number) { JSONText.append(utf8: $0, to: &bytes) }
    }

    // MARK: Members

    /// Appends the key of a member and the colon.
    private mutating func append(key: StaticString) {
        append(literal: ",\"")
        append(literal: key)
        append(literal: "\":")
    }

    private mutating func append(_ key: StaticString, identifier: UInt64) {
        append(key: key)
        append(literal: "\"")
        JSONText.append(identifier: identifier, to: &bytes)
        append(literal: "\"")
    }

    private mutating func append(_ key: StaticString, number: some BinaryInteger) {
        append(key: key)
        JSONText.append(number: number, to: &bytes)
    }

    private mutating func append(_ key: StaticString, text: InternedTexts.Number, _ texts: InternedTexts) {
        append(key: key)
        append(text: text, texts)
    }

    private mutating func append(_ key: StaticString, word: StaticString) {
        append(key: key)
        append(literal: "\"")
        append(literal: word)
        append(literal: "\"")
    }
}
