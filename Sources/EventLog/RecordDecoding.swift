import CLogFormat

/// Maps the numbers of texts in a binary log to their numbers here.
struct TextNumbers {
    private var dense: [InternedTexts.Number?] = []
    /// Numbers far above the count of texts, which no recorder assigns.
    private var sparse: [UInt32: InternedTexts.Number] = [:]
    private var count = 0
    /// Whether to pass on a number as it is in the log, so that the reader looks up its text only if needed.
    let areKept: Bool

    init(areKept: Bool = false) { self.areKept = areKept }

    /// 0 is the empty text. A text that is missing from the log, because of missing space or damage, is shown
    /// as `?`.
    subscript(number: UInt64) -> InternedTexts.Number {
        guard let number = UInt32(exactly: number) else { return InternedTexts.unknown }
        if number == 0 { return InternedTexts.empty }
        if areKept { return number }
        if Int(number) < dense.count, let known = dense[Int(number)] { return known }
        return sparse.isEmpty ? InternedTexts.unknown : sparse[number] ?? InternedTexts.unknown
    }

    mutating func set(_ number: UInt32, to text: InternedTexts.Number) {
        count += 1
        guard Int(number) < 1024 + 8 * count else {
            sparse[number] = text
            return
        }
        if Int(number) >= dense.count {
            dense.append(contentsOf: repeatElement(nil, count: Int(number) + 1 - dense.count))
        }
        dense[Int(number)] = text
    }
}

/// Turns the records of one stream into events, in order.
struct RecordDecoder {
    enum Step {
        /// `event` is complete except for its time.
        case event
        /// A record that adds to others.
        case nothing
        /// A record that this version does not know.
        case unknown
        /// An event that lacks a required value: `queue`.
        case damaged(lack: String)
    }

    /// Its `thread` and `process` are the stream's.
    private(set) var event = EventFields()
    private let rows = RecordRows.all
    /// From the log's header.
    private let processCount: Int
    /// The time as it is in the log; `event` does not contain it.
    private(set) var notBefore: UInt64?
    /// Whether a record has added to the next event.
    private var hasPrefix = false
    /// Whether `event` was passed on.
    private var isDone = false
    /// How often a record named a text that does not exist.
    private(set) var lostTexts = 0

    /// - Parameter processCount: the number of processes in the log's header.
    init(processCount: Int) { self.processCount = processCount }

    @inline(__always)
    mutating func take(_ record: BinaryRecord, _ texts: TextNumbers) -> Step {
        if isDone { forget() }
        let row = rows[record.type]
        switch row.content {
        case .wholeEvent:
            isDone = true
            event.type = row.type
            event.subject = record.subject
            return .event
        case .event:
            isDone = true
            return takeEvent(row, record, texts)
        case .dependency: event.predecessors.append(record.subject)
        case .name: event.name = text(record.argument, texts)
        case .text: event[separate: row.type] = UInt64(text(record.argument, texts))
        case .number: event[separate: row.type] = record.subject
        case .notBefore: notBefore = record.subject
        case .thread:
            event.thread = record.subject
            return .nothing
        case .process:
            set(process: record.subject)
            return .nothing
        case .anchor: return .nothing
        case .unknown: return .unknown
        case .unknownEvent:
            // Records before an unknown event do not apply to the next event.
            forget()
            return .unknown
        }
        hasPrefix = true
        return .nothing
    }

    /// Drops the records before the next event.
    mutating func forget() {
        isDone = false
        guard hasPrefix else { return }
        hasPrefix = false
        notBefore = nil
        event.clearOptionals()
    }

    /// Exchanges `other` for the event that was passed on, and reuses its memory.
    mutating func exchange(_ other: inout EventFields) {
        let (thread, process) = (event.thread, event.process)
        event.exchange(&other, hasOptionals: hasPrefix)
        event.thread = thread
        event.process = process
        isDone = false
        hasPrefix = false
        notBefore = nil
    }

    mutating func set(time: Int64, notBefore: Int64?) {
        event.time = time
        event.notBefore = notBefore
    }

    mutating func set(thread: UInt64) { event.thread = thread }

    /// A process that is not in the header becomes the first one.
    mutating func set(process: UInt64) {
        event.process = process < UInt64(processCount) ? Int32(process) : 0
    }

    private mutating func text(_ number: UInt64, _ texts: TextNumbers) -> InternedTexts.Number {
        let text = texts[number]
        if text == InternedTexts.unknown, !texts.areKept { lostTexts += 1 }
        return text
    }

    private mutating func takeEvent(_ row: RecordRow, _ record: BinaryRecord, _ texts: TextNumbers) -> Step {
        event.type = row.type
        event.subject = record.subject
        for index in row.parts {
            let part = rows.parts[index]
            let word = record.argument >> part.shift & part.mask
            switch part.value {
            case .text: event.text = text(word, texts)
            case .queue:
                event.word = word
                if word == 0, part.isRequired { return .damaged(lack: part.key) }
            case .duration: event.word = word
            case .ending:
                guard let ending = EventFields.Ending(rawValue: UInt8(word)) else { return .unknown }
                event.ending = ending
            case .level: event.word = word
            case .choice(let choice):
                guard word < choice.words.count else { return .unknown }
                event.choice = UInt8(word)
            case .flag: event.flag = word == 1
            case .separate(let record, _):
                if event[separate: record] == nil { return .damaged(lack: part.key) }
            case .predecessor, .predecessors:
                if event.predecessors.isEmpty { return .damaged(lack: part.key) }
            }
        }
        return .event
    }
}

/// What a record of one type is, for decoding.
private struct RecordRow {
    enum Content: UInt8 {
        /// An event that is complete with its subject.
        case wholeEvent
        /// An event with parts.
        case event
        // Records that add to the next event.
        case dependency, name, text, number, notBefore
        // Records about the stream.
        case thread, process, anchor
        // What this version does not know.
        case unknown, unknownEvent
    }

    var content: Content
    /// Meaningless if the type is unknown.
    var type = RecordType.anchor
    var parts = 0..<0
}

/// The rows of all types, and the parts of events: those in a record's argument, and those whose records must
/// come before it. Equivalent to ``EventSchema``, but without following references for each record.
private struct RecordRows {
    struct Part {
        let value: EventSchema.Value
        let shift: UInt64
        let mask: UInt64
        let key: String
        let isRequired: Bool
    }

    static let all = RecordRows()

    private(set) var parts: [Part] = []
    /// By number of the type.
    private var rows: [RecordRow]

    private init() {
        rows = (0...UInt8.max).map { number in
            RecordRow(content: RecordType.ofEvents.contains(number) ? .unknownEvent : .unknown)
        }
        set(.thread, .thread)
        set(.process, .process)
        set(.anchor, .anchor)
        set(.notBefore, .notBefore)
        set(.dependency, .dependency)
        for schema in EventSchema.all {
            let start = parts.count
            for member in schema.members {
                if case .separate(let record, let form) = member.value {
                    set(record, record == .name ? .name : form.isText ? .text : .number)
                }
                guard member.bits != nil || member.presence == .required else { continue }
                let bits = member.bits ?? 0..<0
                parts.append(
                    Part(
                        value: member.value, shift: bits.lowerBound, mask: 1 << UInt64(bits.count) - 1,
                        key: member.key?.description ?? "kind",
                        isRequired: member.presence == .required))
            }
            set(schema.type, start == parts.count ? .wholeEvent : .event, start..<parts.count)
        }
    }

    private mutating func set(
        _ type: RecordType, _ content: RecordRow.Content, _ parts: Range<Int> = 0..<0
    ) {
        rows[Int(type.rawValue)] = RecordRow(content: content, type: type, parts: parts)
    }

    subscript(type: UInt8) -> RecordRow { rows[Int(type)] }
}
