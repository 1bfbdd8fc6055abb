import EventLog
import Foundation
import InspectorExport
import TestTraces
import Testing

@Suite("An anonymized log")
struct AnonymousLogTests {
    /// Events with every text of every event, each a word that nothing else has, and a header likewise.
    private static func unique() -> (contents: EventLogContents, words: Set<String>) {
        var random = RandomEvents(seed: 5)
        var words: Set<String> = []
        func word() -> String {
            // Letters that no made-up text has in this order, and letters instead of digits.
            let number = String(words.count).utf8.map { Character(UnicodeScalar($0 + 49)) }
            let word = "zqj" + String(number) + "xqz"
            words.insert(word)
            return word
        }
        var events: [LogEvent] = []
        var sorts: Set<EventSchema.TextSort> = []
        for _ in 0..<4000 {
            var event = random.next()
            event.replaceTexts { _, sort in
                sorts.insert(sort)
                switch sort {
                case .code, .taskKind:
                    return "/\(word())/\(word())+0x1f@\(word())>/\(word())+0x2f@89ab"
                case .place: return "/\(word())/\(word())+0x1f@89ab\n+0x2f\n\(word())"
                case .holder: return "an object of type \(word())"
                case .context:
                    return words.count % 2 == 0
                        ? word() : "00-\(String(repeating: "4bf92f35", count: 4))-00f067aa0ba902b7-01"
                case .module: return "/home/\(word())/lib\(word()).so"
                case .kind, .operation, .task, .queue, .executor, .message, .mark, .function, .obstacle:
                    return word() + " " + word().uppercased() + " 7"
                }
            }
            events.append(event)
        }
        #expect(sorts == Set(EventSchema.TextSort.allCases))
        var header = LogHeader(
            process: word(), processID: 7, host: word(), start: 1_795_829_390_861_875_721,
            bootClock: BootID(high: 0xF8E7_F13C_385B_44FB, low: 0x8B60_CA7E_1129_005F).map {
                BootClock(boot: $0, monotonic: 4_166_818_196_334)
            }, isClosed: true)
        header.recorder = word()
        header.processes = (0..<2).map { index in
            LogProcess(
                process: word(), processID: 7, host: word(),
                start: header.start + Int64(index) * 1_000)
        }
        return (EventLogContents(header: header, events: events), words)
    }

    private static func forms(_ contents: EventLogContents) -> [(name: String, bytes: [UInt8])] {
        var json = JSONLogEncoder(header: contents.header)
        var binary = BinaryLogEncoder(header: contents.header)
        var compact = CompactLogEncoder(header: contents.header)
        for event in contents.events {
            json.encode(event)
            binary.encode(event)
            compact.encode(event)
        }
        return [
            ("JSON", contents.header.jsonPrologue() + json.takeBytes() + JSONLogEncoder.epilogue),
            ("binary", binary.finish()), ("compact", compact.finish()),
        ]
    }

    private struct Anonymized {
        let log: AnonymousLog
        let contents: EventLogContents
    }

    private static func anonymized(_ original: EventLogContents) throws -> Anonymized {
        let path = NSTemporaryDirectory() + "opviz-anonymous-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(forms(original)[0].bytes).write(to: URL(filePath: path))
        let log = try AnonymousLog(TraceReader(path: path).surveyed())
        let collector = EventCollector()
        try log.pass(to: collector)
        let contents = collector.contents(
            ReadLog(header: log.header, texts: InternedTexts(), eventCount: original.events.count))
        return Anonymized(log: log, contents: contents)
    }

    @Test("an anonymized log has no word of the original, in any form and any case")
    func noWord() throws {
        let (original, words) = Self.unique()
        #expect(words.count > 2000)
        for form in Self.forms(original) {
            #expect(String(decoding: form.bytes, as: UTF8.self).lowercased().contains("zqj"), "\(form.name)")
        }
        for form in Self.forms(try Self.anonymized(original).contents) {
            let text = String(decoding: form.bytes, as: UTF8.self).lowercased()
            for part in [
                "zqj", "xqz", "home", "4bf92f35", "00f067aa0ba902b7", "f8e7f13c385b44fb", "1795829390",
            ] {
                #expect(!text.contains(part), "\(form.name): \(part)")
            }
        }
    }

    @Test("an anonymized log has the same numbers, times and structure, and equal texts only where they were")
    func structure() throws {
        let (original, _) = Self.unique()
        let new = try Self.anonymized(original)
        var renamed: [String: String] = [:]
        #expect(new.contents.events.count == original.events.count)
        for (before, after) in zip(original.events, new.contents.events) {
            var (texts, newTexts): ([String], [String]) = ([], [])
            var (first, second) = (before, after)
            first.replaceTexts { text, _ in
                texts.append(text)
                return "x"
            }
            second.replaceTexts { text, _ in
                newTexts.append(text)
                return "x"
            }
            #expect(first == second)
            for (text, new) in zip(texts, newTexts) {
                #expect(renamed[text] ?? new == new, "one text became two")
                renamed[text] = new
            }
        }
        #expect(new.log.kept == [])
    }

    @Test("anonymizing is repeatable, and anonymizing twice changes only the numbers of texts")
    func repeatable() throws {
        let (original, _) = Self.unique()
        let once = try Self.anonymized(original).contents
        #expect(try Self.anonymized(original).contents.events == once.events)
        #expect(try Self.anonymized(once).contents.events.count == once.events.count)
    }

    @Test("an anonymized log starts on a fixed date, keeps the distance of processes, and hides the boot")
    func header() throws {
        let new = try Self.anonymized(Self.unique().contents).contents.header
        #expect(new.start == 946_684_800_000_000_000)
        #expect(new.processes.map(\.start) == [new.start, new.start + 1_000])
        #expect(new.process == "program 1")
        #expect(new.host == "host 1")
        #expect(new.bootClock == nil)
        #expect(new.recorder == nil)
        #expect(new.isClosed)
    }

    @Test(
        "an anonymized log keeps an operation's context with it, in this trace and in the one that it calls")
    func contexts() throws {
        let header = LogHeader(process: "client", processID: 3, host: "box", start: 77)
        let own = SpanIdentifiers(host: "box", process: "client", processID: 3, start: 77).span(4)
        let foreign = TraceContext.Span(traceHigh: 0xABCD, traceLow: 0xEF01, span: 0xDEAD)
        let log = try Self.anonymized(
            EventLogContents(
                header: header,
                events: [
                    LogEvent(
                        time: 0, thread: 1,
                        .enqueued(.init(operation: OperationID(4), kind: "A", queue: QueueID(1)))),
                    LogEvent(
                        time: 1, thread: 1,
                        .contextReceived(nil, traceparent: TraceContext(own).traceparent)),
                    LogEvent(
                        time: 2, thread: 1,
                        .contextReceived(OperationID(4), traceparent: TraceContext(foreign).traceparent)),
                ]))
        let new = log.contents.header
        let expected = SpanIdentifiers(
            host: new.host, process: new.process, processID: new.processID, start: new.start
        ).span(4)
        #expect(
            log.contents.events[1].body
                == .contextReceived(nil, traceparent: TraceContext(expected).traceparent))
        let other = TraceContext.Span(traceHigh: 0, traceLow: 1, span: 1)
        #expect(
            log.contents.events[2].body
                == .contextReceived(OperationID(4), traceparent: TraceContext(other).traceparent))
    }

    @Test("an anonymized log keeps functions of Swift and the system, without their folder, and no others")
    func functions() throws {
        func frame(_ function: String, _ module: String?) throws -> LogEvent.Body {
            let event = LogEvent(
                time: 0, thread: 1, .frame(stack: 1, caller: nil, function: function, module: module))
            let header = LogHeader(process: "", processID: 3, host: "", start: 0)
            return try Self.anonymized(EventLogContents(header: header, events: [event])).contents.events[0]
                .body
        }
        #expect(
            try frame("swift_retain", "/home/ann/swift/libswiftCore.so")
                == .frame(stack: 1, caller: nil, function: "swift_retain", module: "libswiftCore.so"))
        #expect(
            try frame("swift_retain", "/home/ann/libswiftCoreOfAnn.so")
                == .frame(stack: 1, caller: nil, function: "function 1", module: "module 1.so"))
        #expect(
            try frame("Operation.main()", "/home/ann/app")
                == .frame(stack: 1, caller: nil, function: "Operation.main()", module: "module 1"))
        #expect(
            try frame("Operation.mainOfAnn()", nil)
                == .frame(stack: 1, caller: nil, function: "function 1", module: nil))
    }

    @Test("an anonymized log keeps the relation of code to its file, which opviz describes, but not the file")
    func code() throws {
        let creation = LogEvent.TaskCreation(
            task: OperationID(1 << 40), kind: "/home/ann/app+0x1f@89ab>/home/ann/lib.so+0x2@cd",
            creation: .unstructured, priority: 0, isQueued: true)
        let place = "/home/ann/app+0x1f@89ab\n+0x3f\nload()"
        let events: [LogEvent.Body] = [
            .taskCreated(creation), .runEnded(creation.task, .init(awaits: .continuation, place: place)),
        ]
        let header = LogHeader(process: "", processID: 3, host: "", start: 0)
        let log = try Self.anonymized(
            EventLogContents(header: header, events: events.map { LogEvent(time: 0, thread: 1, $0) }))
        var expected = creation
        expected.kind = "module 1+0x1>module 2.so+0x2"
        #expect(log.contents.events[0].body == .taskCreated(expected))
        #expect(
            log.contents.events[1].body
                == .runEnded(
                    creation.task,
                    .init(awaits: .continuation, place: "module 1+0x1\nmodule 1+0x3\nfunction 1")))
    }
}
