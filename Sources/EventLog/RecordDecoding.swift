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
    private let parts = RecordParts.all
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

    mutating func take(_ record: BinaryRecord, _ texts: TextNumbers) -> Step {
        if isDone { forget() }
        guard let type = RecordType(number: record.type) else {
            // Records before an unknown event do not apply to the next event.
            if RecordType.ofEvents.contains(record.type) { forget() }
            return .unknown
        }
        switch type {
        case .thread:
            event.thread = record.subject
            return .nothing
        case .process:
            set(process: record.subject)
            return .nothing
        case .anchor: return .nothing
        case .notBefore: notBefore = record.subject
        case .dependency: event.predecessors.append(record.subject)
        case _ where !RecordType.ofEvents.contains(record.type):
            event[separate: type] =
                parts.holdsText(type) ? UInt64(text(record.argument, texts)) : record.subject
        default:
            isDone = true
            return takeEvent(type, record, texts)
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

    private mutating func takeEvent(_ type: RecordType, _ record: BinaryRecord, _ texts: TextNumbers) -> Step
    {
        event.type = type
        event.subject = record.subject
        for part in parts[of: type] {
            let word = record.argument >> part.shift & part.mask
            switch part.value {
            case .text: event.text = text(word, texts)
            case .queue:
                event.queue = word
                if word == 0 { return .damaged(lack: parts.key(of: part)) }
            case .ending:
                guard let ending = EventFields.Ending(rawValue: UInt8(word)) else { return .unknown }
                event.ending = ending
            case .isSuspended: event.isSuspended = word == 1
            case .separate(let record, _):
                if event[separate: record] == nil { return .damaged(lack: parts.key(of: part)) }
            case .predecessor, .predecessors:
                if event.predecessors.isEmpty { return .damaged(lack: parts.key(of: part)) }
            }
        }
        return .event
    }
}

/// The checks for turning a record into an event: the parts of its argument, and the records that must come
/// before it. Equivalent to ``EventSchema``, but without following references for each event.
private struct RecordParts {
    struct Part {
        let value: EventSchema.Value
        let shift: UInt64
        let mask: UInt64
        fileprivate let member: Int
    }

    static let all = RecordParts()

    private var parts: [Part] = []
    private var keys: [String] = []
    /// By number of the type.
    private var ranges = [Range<Int>](repeating: 0..<0, count: 256)
    private var holdText = [Bool](repeating: false, count: 256)

    private init() {
        for schema in EventSchema.all {
            let start = parts.count
            for case .separate(let record, .text) in schema.members.map(\.value) {
                holdText[Int(record.rawValue)] = true
            }
            for member in schema.members where member.bits != nil || member.presence == .required {
                let bits = member.bits ?? 0..<0
                parts.append(
                    Part(
                        value: member.value, shift: bits.lowerBound, mask: 1 << UInt64(bits.count) - 1,
                        member: keys.count))
                keys.append(member.key?.description ?? "kind")
            }
            ranges[Int(schema.type.rawValue)] = start..<parts.count
        }
    }

    subscript(of type: RecordType) -> ArraySlice<Part> { parts[ranges[Int(type.rawValue)]] }

    /// For a record that adds to an event.
    func holdsText(_ type: RecordType) -> Bool { holdText[Int(type.rawValue)] }

    func key(of part: Part) -> String { keys[part.member] }
}
