import Foundation
import Inspector
import Testing

@Suite("The reader of JSON logs")
struct JSONLogReaderTests {
    @Test(
        "says in one sentence what a file is that is no trace",
        arguments: [
            ("", "is empty"),
            ("   \n", "at byte 4: the file ends before the first whole event"),
            ("hello", "at byte 0: is no JSON: a trace begins with {"),
            (
                "[]",
                #"is JSON, but no trace: expected an object with "otherData" and its "format": "opviz-trace""#
            ),
            (
                "{}",
                #"is JSON, but no trace: expected an object with "otherData" and its "format": "opviz-trace""#
            ),
            (
                #"{"otherData":{}}"#,
                #"is JSON, but not a trace of this project: its format is not named, expected "opviz-trace""#
            ),
            (
                logText(format: "chrome"),
                #"is JSON, but not a trace of this project: its format is "chrome", expected "opviz-trace""#
            ),
            (header() + "}", #"is a trace's header without "traceEvents""#),
            (logText(version: 0), "is a trace of version 0, and this program reads up to version 1"),
            (
                logText(version: 2),
                "is a trace of version 2, and this program reads up to version 1; a newer opviz reads it"
            ),
        ])
    func refusals(text: String, sentence: String) throws {
        let failure = #expect(throws: LogFailure.self) { try read(text.utf8) }
        #expect(failure?.sentence == sentence)
        #expect(failure?.code == (text.contains(#""version":2"#) ? .newerVersion : .notATrace))
    }

    @Test("tells a missing file from one that cannot be read")
    func missing() throws {
        let missing = #expect(throws: TraceError.self) { try TraceReader(path: "/no/such.json").read() }
        #expect(missing?.code == .noSuchFile)
        #expect(missing?.description == "/no/such.json: there is no such file")
        let directory = #expect(throws: TraceError.self) { try TraceReader(path: "/").read() }
        #expect(directory?.code == .unreadable)
        #expect(directory?.description == "/: is a directory, not a trace")
    }

    @Test("reads an empty log")
    func empty() throws {
        let contents = try read(logText().utf8)
        #expect(contents.events.isEmpty && contents.losses.isEmpty)
        #expect(contents.header.process == "app" && contents.header.processID == 7)
        #expect(contents.header.start == 5 && contents.header.lastAlive == 2_500)
    }

    @Test("reads a header that stands after the events, and members in any order")
    func anyOrder() throws {
        let event =
            #"{"args":{"more":[1,{"a":null}],"event":"ready"},"ts":1.5,"id2":{"local":"0x9"},"tid":3,"cat":"op","#
            + #""ph":"n","unknown":{"deep":[[]]}}"#
        let text = #"{"traceEvents":[\#(event)],"metadata":[1,2],"# + header().dropFirst() + "}"
        let contents = try read(text.utf8)
        #expect(contents.events == [LogEvent(time: 1_500, thread: 3, .ready(OperationID(9)))])
        #expect(contents.losses.isEmpty)
    }

    @Test("skips what is there for viewers, and counts what it does not know")
    func skipped() throws {
        let contents = try read(
            logText(
                #"{"ph":"X","cat":"view","name":"slice","ts":1,"dur":2,"pid":7,"tid":1}"#,
                #"{"ph":"M","name":"thread_name","pid":7,"tid":1,"args":{"name":"t"}}"#,
                readyEvent(1),
                #"{"ph":"n","cat":"op","name":"K","id2":{"local":"0x1"},"ts":1,"args":{"event":"evaporated"}}"#,
                #"{"ph":"i","cat":"moon","ts":1}"#
            ).utf8)
        #expect(contents.events.count == 1)
        #expect(
            contents.losses == ["2 events are of a sort that this version does not know, and were left out"])
    }

    @Test("leaves out an event that cannot be understood, and says where the first stands")
    func damagedEvent() throws {
        let bad = readyEvent(2).replacing(#""cat":"op""#, with: #""cat":{"op":1}"#)
        let text = logText(readyEvent(1), bad, readyEvent(3))
        let contents = try read(text.utf8)
        #expect(contents.events.count == 2)
        let offset = try #require(text.utf8.firstRange(of: bad.utf8)).lowerBound.utf16Offset(in: text)
        #expect(
            contents.losses == [
                "1 events could not be understood and were left out, the first at byte \(offset)"
            ])
    }

    @Test("says of a log that was not closed how far it goes, and how many events the recorder lost")
    func losses() throws {
        let contents = try read(logText(closed: false, dropped: 12, readyEvent(1)).utf8)
        #expect(
            contents.losses == [
                "the log was not closed: the program was killed, or is still running; it was last known alive "
                    + "2.50 µs after the start, and 1 whole events were read",
                "the recorder could not write 12 events",
            ])
    }

    @Test(
        "keeps names that hold anything",
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

    @Test("counts text that is no Unicode among what it could not understand")
    func invalidUnicode() throws {
        let surrogate = readyEvent(1).replacing(#""name":"K""#, with: #""name":"\ud800""#)
        #expect(try read(logText(surrogate, readyEvent(2)).utf8).events.count == 1)
        var bytes = Array(logText(readyEvent(1)).utf8)
        let position = try #require(bytes.firstIndex(of: UInt8(ascii: "K")))
        bytes[position] = 0xff
        let contents = try read(bytes)
        #expect(contents.events.isEmpty && contents.losses.count == 1)
    }

    @Test("reads times digit by digit: no double could carry them")
    func times() throws {
        let contents = try read(logText(readyEvent(1, at: "9007199254740993.001")).utf8)
        #expect(contents.events.map(\.time) == [9_007_199_254_740_993_001])
    }
}
