import CTraceJSON
import EventLog

/// ``EventSchema`` in the form that the JSON reader needs: keys are numbers, and decoding an event retains
/// nothing.
struct JSONMembers: Sendable {
    struct Row: Sendable {
        let type: RecordType
        let category: StaticString
        let word: StaticString
        let subject: EventSchema.Subject
        /// Nil for an operation that is identified by the event's `id2.local`.
        let subjectKey: Int?
        let members: Range<Int>
    }

    struct Member: Sendable {
        let value: EventSchema.Value
        /// Nil for the name of the event.
        let key: Int?
        let isRequired: Bool
    }

    static let all = JSONMembers()

    /// Rows with the same category and word are adjacent. They differ in their subjects.
    private(set) var rows: [Row] = []
    /// By the length of their word, the ranges of such rows.
    private var rowsByLength: [[Range<Int>]] = []
    private(set) var members: [Member] = []
    private var keys: [StaticString] = []
    private var kinds: [trace_kind] = []
    let notBefore: Int
    private let event: Int

    private init() {
        event = 0
        notBefore = 1
        _ = add("event", TRACE_TEXT)
        _ = add("notBefore", TRACE_TEXT)
        for schema in EventSchema.all {
            let first = members.count
            for member in schema.members {
                members.append(
                    Member(
                        value: member.value, key: member.key.map { add($0, Self.kind(of: member.value)) },
                        isRequired: member.presence == .required))
            }
            let form = schema.subject == .number ? TRACE_NUMBER : TRACE_TEXT
            let key = schema.subjectKey.map { add($0, form) }
            for subject: UInt64 in schema.subject == .operationOrProcess ? [1, 0] : [1] {
                rows.append(
                    Row(
                        type: schema.type, category: schema.category(ofSubject: subject).word,
                        word: schema.word, subject: subject == 0 ? .none : schema.subject, subjectKey: key,
                        members: first..<members.count))
            }
        }
        indexRows()
    }

    private mutating func indexRows() {
        var start = 0
        while start < rows.count {
            let (word, category) = (rows[start].word.description, rows[start].category.description)
            let end =
                rows[start...].firstIndex {
                    $0.word.description != word || $0.category.description != category
                } ?? rows.count
            let length = word.utf8.count
            while rowsByLength.count <= length { rowsByLength.append([]) }
            rowsByLength[length].append(start..<end)
            start = end
        }
    }

    private mutating func add(_ key: StaticString, _ kind: trace_kind) -> Int {
        if let known = keys.firstIndex(where: { $0.description == key.description }) { return known }
        keys.append(key)
        kinds.append(kind)
        return keys.count - 1
    }

    private static func kind(of value: EventSchema.Value) -> trace_kind {
        switch value {
        case .queue, .text, .separate(_, .text), .separate(_, .operation), .predecessor, .ending, .choice:
            TRACE_TEXT
        case .separate(_, .number), .duration, .level: TRACE_NUMBER
        case .flag: TRACE_TRUTH
        case .predecessors: TRACE_TEXTS
        }
    }

    /// The members that `trace_json_read` looks for in `args`.
    var wanted: [trace_member] {
        zip(keys, kinds).map { key, kind in
            let start = UnsafeRawPointer(key.utf8Start).assumingMemoryBound(to: CChar.self)
            return trace_member(key: trace_text(start: start, length: key.utf8CodeUnitCount), kind: kind)
        }
    }

    /// The rows for an event's category and word; empty if unknown.
    func rows(of event: trace_event) -> Range<Int> {
        let word = event.arguments[self.event]
        guard word.is_there, word.text.length < rowsByLength.count else { return 0..<0 }
        for range in rowsByLength[word.text.length] {
            let row = rows[range.lowerBound]
            if word.text.equals(row.word), event.category.equals(row.category) { return range }
        }
        return 0..<0
    }

    /// What an event lacks if the subjects of all these rows are missing.
    func lack(ofSubjects rows: Range<Int>) -> String {
        self.rows[rows].map { row in
            switch row.subject {
            case .queue: "queue"
            case .number: row.subjectKey.map { keys[$0].description } ?? "number"
            case .none, .operation, .operationOrProcess: "operation"
            }
        }.joined(separator: " and no ")
    }

    /// What an event lacks if this member is missing or unreadable.
    func lack(of member: Member) -> String {
        let key = member.key.map { keys[$0].description } ?? "name"
        return member.value == .predecessors ? "readable \(key)" : key
    }
}
