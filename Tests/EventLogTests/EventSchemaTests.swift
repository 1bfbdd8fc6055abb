import CLogFormat
import EventLog
import Foundation
import TestTraces
import Testing

@Suite("The schema of events")
struct EventSchemaTests {
    /// A member of an event as a failing test names it.
    private struct Named: CustomStringConvertible {
        let schema: EventSchema
        let member: EventSchema.Member
        var description: String { "\(schema.word): \(member.key?.description ?? "name")" }
    }

    private static let members = EventSchema.all.flatMap { schema in
        schema.members.map { Named(schema: schema, member: $0) }
    }

    private static let document = try! String(
        contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Documentation/TraceFormat.md"), encoding: .utf8)

    /// The cells of the rows of Documentation/TraceFormat.md, of the table whose head begins with these.
    private static func table(_ head: String) -> [[String]] {
        let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0.hasPrefix(head) }) else { return [] }
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    private static func numbers(in cell: String) -> [UInt8] {
        cell.matches(of: /\d+/).compactMap { UInt8($0.output) }
    }

    @Test("has each number once, and gives the bits of an argument once")
    func unique() {
        #expect(Set(EventSchema.all.map(\.type)).count == EventSchema.all.count)
        for schema in EventSchema.all {
            #expect(RecordType(number: schema.type.rawValue) == schema.type)
            let bits = schema.members.compactMap(\.bits).sorted { $0.lowerBound < $1.lowerBound }
            for (first, second) in zip(bits, bits.dropFirst()) {
                #expect(first.upperBound <= second.lowerBound, "\(schema.word)")
            }
            #expect(bits.last?.upperBound ?? 0 <= 56, "\(schema.word)")
        }
    }

    @Test("is that of the documented records")
    func records() throws {
        let rows = Self.table("| type | event |")
        for schema in EventSchema.all {
            let row = rows.first { Self.numbers(in: $0[0]).contains(schema.type.rawValue) }
            let cells = try #require(row, "no record \(schema.type.rawValue), \(schema.word)")
            #expect(cells[1].contains("`\(schema.word)`"), "\(schema.word)")
            // The fifth says which records stand before it.
            let before = Self.numbers(in: cells[4].replacing("any number", with: ""))
            let own = schema.members.compactMap { $0.bits == nil ? $0.value.record?.rawValue : nil }
            #expect(Set(before) == Set(own), "\(schema.word): records before it")
            for member in schema.members where member.bits != nil {
                let word =
                    switch member.value {
                    case .queue: "queue"
                    case .ending: "succeeded"
                    case .isSuspended: "suspended"
                    default: "text"
                    }
                #expect(cells[3].contains(word), "\(Named(schema: schema, member: member))")
            }
        }
    }

    @Test("is that of the documented JSON")
    func json() {
        let rows = Self.table("| event | in `args` |")
        for named in Self.members {
            guard let key = named.member.key else { continue }
            let word = named.schema.word
            let row = rows.first { $0.joined(separator: "|").contains("`\(word)`") }
            #expect(row?[1].contains("`\(key)`") == true, "\(named)")
        }
    }

    @Test("is drawn at random in the tests of the forms, every member of every event")
    func random() {
        var random = RandomEvents(seed: 11)
        var missing = Set(Self.members.map(\.description) + EventSchema.all.map { "\($0.word)" })
        for _ in 0..<5000 {
            var fields = EventFields()
            var texts = InternedTexts()
            fields.take(random.next(), &texts)
            missing.remove("\(EventSchema.of(fields.type)?.word ?? "none")")
            for member in EventSchema.of(fields.type)?.members ?? [] where fields.has(member.value) {
                missing.remove("\(Named(schema: EventSchema.of(fields.type)!, member: member))")
            }
        }
        #expect(missing.sorted() == [])
    }

    @Test("leaves room for later versions: what is not known is passed over, and its loss is said")
    func laterVersions() throws {
        var random = RandomEvents(seed: 12)
        let events = (0..<30).map { _ in random.next() }
        let header = LogHeader(process: "app", processID: 7, host: "box", start: 5, isClosed: true)

        var compact = CompactLogEncoder(header: header)
        for event in events { compact.encode(event) }
        var bytes = compact.finish()
        // Before the end, which is its type and a count of one byte: an event of type 60, and what is said of
        // it, each with a subject and an argument.
        bytes.insert(contentsOf: [12, 2, 5, 60, 0, 2, 7], at: bytes.count - 2)
        let read = try CompactLogReader.read(bytes)
        #expect(read.events == events)
        #expect(
            read.losses == [
                "2 records are of an unknown type, and were left out; a newer opviz may "
                    + "read them"
            ])
    }

    @Test("keeps what is known of an event when a later version says more of it")
    func laterMembers() throws {
        let event = LogEvent(time: 3, thread: 1, .marked("half way", by: OperationID(4)))
        var binary = BinaryLogEncoder(
            header: LogHeader(process: "app", processID: 7, host: "box", start: 5, isClosed: true))
        binary.encode(LogEvent(time: 2, thread: 1, .ready(OperationID(4))))
        binary.encode(event)
        var bytes = binary.finish()
        // The records are in the last segment: of the thread, the first event, what is said of the mark, the
        // mark.
        let segment = bytes.count - BinaryLogHeader.segmentSize + BinaryLogHeader.segmentHeaderSize
        bytes[segment + 1 * 24 + 16] = 13
        let read = try BinaryLogReader.read(bytes)
        #expect(read.events == [event])
        #expect(
            read.losses == ["1 record is of an unknown type, and was left out; a newer opviz may read it"])
    }
}

extension EventFields {
    fileprivate func has(_ value: EventSchema.Value) -> Bool {
        switch value {
        case .queue: queue != 0
        case .text: text != InternedTexts.empty
        case .name: name != nil
        case .origin: origin != nil
        case .parent: parent != nil
        case .number: number ?? 0 != 0
        case .ending: ending == .failed
        case .isSuspended: isSuspended
        case .predecessor, .predecessors: !predecessors.isEmpty
        }
    }
}
