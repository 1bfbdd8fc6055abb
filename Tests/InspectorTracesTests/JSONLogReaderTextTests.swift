import EventLog
import InspectorTraces
import TestTraces
import Testing

@Suite("The reader of JSON logs, given hostile text")
struct JSONLogReaderTextTests {
    @Test(
        "the reader gives back exactly the text that was written, wherever a log can hold text",
        arguments: [
            "", "\u{0}", "a\u{0}b", String(String.UnicodeScalarView((1..<0x20).map { Unicode.Scalar($0)! })),
            "\u{7f}\u{80}\u{9f}", "\"\\/\u{8}\u{c}\n\r\t", "🧑‍🚀👩🏽‍🔬🇺🇳", "e\u{301} é",
            "\u{fffd}\u{feff}\u{fffe}\u{10ffff}",
            "</script><script>alert(1)</script>", "<!--", "\u{2028}\u{2029}", "\u{202e}gpj.exe", "]}\n]}\n",
            #"","args":{"event":"finished"#, #"\u0000\ud800"#, String(repeating: "n", count: 10_000),
            String(repeating: "🚀\u{0}\"", count: 10_000),
        ])
    func roundTrip(text: String) throws {
        let header = LogHeader(process: text, processID: 1, host: text, start: 0, isClosed: true)
        let (operation, queue) = (OperationID(1), QueueID(1))
        let bodies: [LogEvent.Body] = [
            .queueOpened(queue, name: text, limit: 1, isSuspended: false), .queueRenamed(queue, name: text),
            .sighted(operation, kind: text, name: text),
            .enqueued(.init(operation: operation, kind: text, name: text, queue: queue)),
            .executing(operation), .marked(text, by: operation),
            .finished(operation, .failed(message: text)),
        ]
        let events = bodies.enumerated().map { LogEvent(time: Int64($0.offset), thread: 1, $0.element) }
        var encoder = JSONLogEncoder(header: header)
        for event in events { encoder.encode(event) }
        let contents = try read(header.jsonPrologue() + encoder.takeBytes() + JSONLogEncoder.epilogue)
        #expect(contents.header == header)
        #expect(contents.events == events)
        // Strings are equal when they look alike; bytes are not.
        #expect(Array(contents.header.process.utf8) == Array(text.utf8))
        for case .marked(let mark, _) in contents.events.map(\.body) {
            #expect(Array(mark.utf8) == Array(text.utf8))
        }
        #expect(contents.losses.isEmpty)
    }

    @Test(
        "the reader skips an event with half a surrogate pair, gives its position, and keeps the others",
        arguments: [
            #"\ud800"#, #"\udfff"#, #"\ud83d"#, #"a\ud83db"#, #"\ud83d\u0041"#, #"\ude80\ud83d"#,
            #"\ud83d\ud83d"#,
        ])
    func loneSurrogates(escaped: String) throws {
        try expectLeftOut(readyEvent(2).replacing(#""name":"K""#, with: #""name":"\#(escaped)""#).utf8)
    }

    @Test(
        "the reader leaves out an event with an escape that JSON does not have",
        arguments: [#"\x41"#, #"\u12"#, #"\u12g4"#, #"\0"#, #"\U0041"#])
    func escapes(escaped: String) throws {
        try expectLeftOut(readyEvent(2).replacing(#""name":"K""#, with: #""name":"\#(escaped)""#).utf8)
    }

    @Test(
        "the reader leaves out an event with a control character that is not escaped",
        arguments: [0x00, 0x01, 0x1f])
    func rawControls(byte: UInt8) throws {
        try expectLeftOut(named([byte]))
    }

    /// Bytes that are not valid UTF-8: alone, cut short, overlong, a surrogate, beyond the last scalar.
    static let invalidUTF8: [[UInt8]] = [
        [0x80], [0xff], [0xfe], [0xc3], [0xc3, 0x28], [0xe2, 0x82], [0xf0, 0x9f, 0x9a], [0xc0, 0x80],
        [0xe0, 0x80, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80],
    ]

    @Test(
        "the reader reads invalid UTF-8 as U+FFFD, as Swift does, in an event and in the header",
        arguments: invalidUTF8)
    func invalidName(bytes: [UInt8]) throws {
        #expect(try expectRepaired(bytes) == String(decoding: bytes, as: UTF8.self))
        let mixed = Array("é文🚀".utf8) + bytes + Array("🧑‍🚀x".utf8)
        #expect(try expectRepaired(mixed) == String(decoding: mixed, as: UTF8.self))
    }

    @Test(
        "the reader keeps an event with invalid UTF-8 in a text that no reader needs", arguments: invalidUTF8)
    func invalidUnknownMember(bytes: [UInt8]) throws {
        let event = Array(readyEvent(2).replacing(#""name":"K""#, with: #""name":"K","future":"%""#).utf8)
        let log = Array(logText(readyEvent(1), "@", readyEvent(3)).utf8)
        let contents = try read(replacing("@", in: log, with: replacing("%", in: event, with: bytes)))
        #expect(contents.events.count == 3 && contents.losses.isEmpty)
    }

    @Test("the reader repairs the names of processes of a merged log, and those of other programs' traces")
    func invalidElsewhere() throws {
        let processes = #","processes":[{"process":"%","pid":"7","host":"%","start":"0","closed":true}]}"#
        let merged = logText(readyEvent(1)).replacing(
            #"},"traceEvents""#, with: processes + #","traceEvents""#)
        let contents = try read(merged.utf8.flatMap { $0 == UInt8(ascii: "%") ? [0xff] : [$0] })
        #expect(contents.header.processes.map(\.host) == ["\u{FFFD}"])
        let chrome = #"{"traceEvents":[{"ph":"X","name":"%","ts":1,"dur":2,"pid":7,"tid":1}]}"#
        let other = try read(chrome.utf8.flatMap { $0 == UInt8(ascii: "%") ? [0xff] : [$0] })
        #expect(!other.events.isEmpty)
    }

    @Test("the reader shortens an unknown format's name in the message, without its control characters")
    func otherFormat() throws {
        let long = String(repeating: "f", count: 10_000)
        let failure = #expect(throws: LogFailure.self) { try read(logText(format: long).utf8) }
        #expect(try #require(failure).sentence.utf8.count < 200)
        let colored = #expect(throws: LogFailure.self) {
            try read(logText(format: #"\u001b[31mred\u0007\u202e\n"#).utf8)
        }
        let sentence = try #require(colored).sentence
        #expect(
            sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f && $0 != "\u{202e}" })
    }

    @Test(
        "the reader keeps names that hold anything",
        arguments: [
            (#"\u0000\u001f\u007f"#, "\u{0}\u{1f}\u{7f}"), (#"\ud83d\ude80"#, "🚀"),
            ("</script>", "</script>"),
            (#"\u2028\\\"\/"#, "\u{2028}\\\"/"), ("🧑‍🚀 é 文", "🧑‍🚀 é 文"), ("", ""),
            (String(repeating: "x", count: 10_000), String(repeating: "x", count: 10_000)),
            (String(repeating: #"\n"#, count: 200_000), String(repeating: "\n", count: 200_000)),
        ])
    func names(escaped: String, name: String) throws {
        let event =
            #"{"ph":"n","cat":"op","name":"\#(escaped)","id2":{"local":"0x1"},"tid":1,"ts":1,"#
            + #""args":{"event":"sighted","name":"\#(escaped)"}}"#
        let contents = try read(logText(event).utf8)
        #expect(contents.events.map(\.body) == [.sighted(OperationID(1), kind: name, name: name)])
    }

    // MARK: What the tests are made of

    /// The second event, with a name that is these bytes.
    private func named(_ bytes: [UInt8]) -> [UInt8] {
        replacing("K", in: Array(readyEvent(2).utf8), with: bytes)
    }

    /// Puts the bytes where the header and an event have a text. Returns what they are read as.
    @discardableResult
    private func expectRepaired(_ bytes: [UInt8]) throws -> String {
        let event = readyEvent(2).replacing("ready", with: "sighted").utf8
        let log = logText(readyEvent(1), String(event), readyEvent(3)).replacing("app", with: "@")
        let marked = Array(log.replacing(#""sighted""#, with: #""sighted","name":"%""#).utf8)
        let contents = try read(
            replacing("@", in: replacing("%", in: marked, with: bytes), with: bytes))
        #expect(contents.losses.isEmpty)
        let name = contents.header.process
        #expect(name.contains("\u{FFFD}"))
        #expect(
            contents.events.map { $0.body } == [
                .ready(OperationID(1)), .sighted(OperationID(2), kind: "K", name: name),
                .ready(OperationID(3)),
            ])
        return name
    }

    private func replacing(_ text: String, in bytes: [UInt8], with replacement: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes.replace(Array(text.utf8), with: replacement, maxReplacements: 1)
        return bytes
    }

    /// Puts the event between two good ones.
    private func expectLeftOut(
        _ event: some Collection<UInt8>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = Array((header() + #","traceEvents":["# + readyEvent(1) + ",\n").utf8)
        let contents = try read(before + Array(event) + Array((",\n" + readyEvent(3) + "]}").utf8))
        #expect(
            contents.events.map(\.body) == [.ready(OperationID(1)), .ready(OperationID(3))],
            sourceLocation: sourceLocation)
        #expect(
            contents.losses == [
                "1 event could not be read and was left out, at byte \(Prose.grouped(before.count))"
            ], sourceLocation: sourceLocation)
    }
}
