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

        func value(in fields: EventFields) -> String {
            switch member.value {
            case .queue, .duration, .level: "\(fields.word)"
            case .text: "\(fields.text)"
            case .separate(let record, _): "\(fields[separate: record] ?? 0)"
            case .ending: "\(fields.ending)"
            case .flag: "\(fields.flag)"
            case .choice(let choice): "\(choice.words[Int(fields.choice)])"
            case .predecessor, .predecessors: "\(fields.predecessors)"
            }
        }
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

    @Test("the schema has each number once, and gives the bits of an argument once")
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

    @Test("the schema has each record that CLogFormat.h names")
    func header() throws {
        let header = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Sources/CLogFormat/include/CLogFormat.h"), encoding: .utf8)
        let records = header.matches(of: /RECORD_\w+ NAMED\((\w+)\) = (\d+)/)
        #expect(records.count > EventSchema.all.count)
        let forgotten = records.filter { RecordType(number: UInt8($0.output.2)!) == nil }
        #expect(forgotten.map { String($0.output.1) } == [], "is of no event in EventSchema.swift")
    }

    @Test("the schema is that of the documented records")
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
                let named = Named(schema: schema, member: member)
                let words =
                    switch member.value {
                    case .queue: ["\(member.key ?? "queue")"]
                    case .ending: ["succeeded"]
                    case .flag, .level: ["\(member.key ?? "")"]
                    case .choice: ["\(member.key ?? "")"]
                    case .duration: ["nanoseconds"]
                    default: ["text"]
                    }
                for word in words { #expect(cells[3].contains(word), "\(named): \(word)") }
                if let start = member.bits?.lowerBound, start > 0 {
                    #expect(Self.numbers(in: cells[3]).contains(UInt8(start)), "\(named): where it begins")
                }
            }
        }
    }

    @Test("the schema has the documented words in place of numbers")
    func choices() {
        let rows = Self.table("| word | 0 |")
        for named in Self.members {
            guard case .choice(let choice) = named.member.value, let key = named.member.key else { continue }
            let row = rows.first { $0[0].contains("`\(key)`") }
            #expect(row?.dropFirst().filter { !$0.isEmpty } == choice.words.map { "`\($0)`" }, "\(named)")
        }
    }

    @Test("the schema is that of the documented JSON")
    func json() {
        let rows = Self.table("| event | in `args` |")
        for named in Self.members {
            guard let key = named.member.key else { continue }
            let word = named.schema.word
            let row = rows.first { $0.joined(separator: "|").contains("`\(word)`") }
            #expect(row?[1].contains("`\(key)`") == true, "\(named)")
        }
    }

    @Test("the schema is drawn at random in the tests of the forms, every member of every event")
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
        #expect(missing.sorted() == [], "RandomEvents.swift does not draw it, or LogEvent loses it")
    }

    @Test("the schema is kept whole by values and every form, member by member")
    func roundTrips() throws {
        var random = RandomEvents(seed: 13)
        let events = (0..<2000).map { _ in random.next() }
        let header = LogHeader(process: "app", processID: 7, host: "box", start: 5, isClosed: true)
        var binary = BinaryLogEncoder(header: header)
        var compact = CompactLogEncoder(header: header)
        for event in events {
            binary.encode(event)
            compact.encode(event)
        }
        var values = events
        for index in values.indices { values[index].renumber(operation: { $0 }, queue: { $0 }) }
        expectSame(events, values, "values")
        expectSame(events, try BinaryLogReader.read(binary.finish()).events, "binary")
        expectSame(events, try CompactLogReader.read(compact.finish()).events, "compact")
    }

    /// Reports the members that differ, but only for events that have them.
    private func expectSame(_ events: [LogEvent], _ read: [LogEvent], _ form: Comment) {
        #expect(events.count == read.count, form)
        var texts = InternedTexts()
        var lost: Set<String> = []
        for (event, read) in zip(events, read) where event != read {
            var (before, after) = (EventFields(), EventFields())
            before.take(event, &texts)
            after.take(read, &texts)
            for member in EventSchema.of(before.type)?.members ?? [] {
                let named = Named(schema: EventSchema.of(before.type)!, member: member)
                if named.value(in: before) != named.value(in: after) { lost.insert("\(named)") }
            }
        }
        #expect(lost.sorted() == [], form)
        #expect(zip(events, read).allSatisfy(==), form)
    }

    @Test("the schema leaves room for later versions: unknown parts are skipped and reported")
    func laterVersions() throws {
        var random = RandomEvents(seed: 12)
        let events = (0..<30).map { _ in random.next() }
        let header = LogHeader(process: "app", processID: 7, host: "box", start: 5, isClosed: true)

        var compact = CompactLogEncoder(header: header)
        for event in events { compact.encode(event) }
        var bytes = compact.finish()
        // Insert before the end mark, which is its type and a count of one byte: an event of type 62, and a
        // record that adds to it, each with a subject and an argument.
        bytes.insert(contentsOf: [12, 2, 5, 62, 0, 2, 7], at: bytes.count - 2)
        let read = try CompactLogReader.read(bytes)
        #expect(read.events == events)
        #expect(
            read.losses == [
                "2 records are of an unknown type, and were left out; a newer opviz may "
                    + "read them"
            ])
    }

    @Test("the schema keeps what is known of an event when a later version says more of it")
    func laterMembers() throws {
        let event = LogEvent(time: 3, thread: 1, .marked("half way", by: OperationID(4)))
        var binary = BinaryLogEncoder(
            header: LogHeader(process: "app", processID: 7, host: "box", start: 5, isClosed: true))
        binary.encode(LogEvent(time: 2, thread: 1, .ready(OperationID(4))))
        binary.encode(event)
        var bytes = binary.finish()
        // The records are in the last segment: the thread, the first event, the record that adds to the mark,
        // and the mark.
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
        case .queue, .duration, .level: word != 0
        case .text: text != InternedTexts.empty
        case .separate(let record, _): self[separate: record] ?? 0 != 0
        case .ending: ending == .failed
        case .flag: flag
        case .choice: choice != 0
        case .predecessor, .predecessors: !predecessors.isEmpty
        }
    }
}
