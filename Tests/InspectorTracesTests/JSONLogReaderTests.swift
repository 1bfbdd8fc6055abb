import Foundation
import InspectorTraces
import TestTraces
import Testing

@Suite("The reader of JSON logs")
struct JSONLogReaderTests {
    @Test(
        "the reader says in one sentence what a file is, if it is not a trace",
        arguments: [
            ("", "is empty"),
            ("   \n", "at byte 4: the file ends before the first whole event"),
            ("hello", "at byte 0: not a trace: expected {"),
            (
                "[]",
                #"is JSON, but not a trace: expected an object with "otherData" and its "format": "#
                    + #""opviz-trace", a Chrome trace with slices, or spans of OpenTelemetry"#
            ),
            (
                "{}",
                #"is JSON, but not a trace: expected an object with "otherData" and its "format": "#
                    + #""opviz-trace", a Chrome trace with slices, or spans of OpenTelemetry"#
            ),
            (
                #"{"otherData":{}}"#,
                #"is JSON, but not a trace: expected an object with "otherData" and its "format": "#
                    + #""opviz-trace", a Chrome trace with slices, or spans of OpenTelemetry"#
            ),
            (
                logText(format: "chrome"),
                #"is JSON, but not an opviz trace: its format is "chrome", expected "opviz-trace""#
            ),
            (header() + "}", #"is a trace's header without "traceEvents""#),
            (logText(version: 0), "is a trace of version 0, but this opviz reads up to version 1"),
            (
                logText(version: 2),
                "is a trace of version 2, but this opviz reads up to version 1; use a newer opviz"
            ),
        ])
    func refusals(text: String, sentence: String) throws {
        let failure = #expect(throws: LogFailure.self) { try read(text.utf8) }
        #expect(failure?.sentence == sentence)
        #expect(failure?.code == (text.contains(#""version":2"#) ? .newerVersion : .notATrace))
    }

    @Test("the reader distinguishes a missing file from an unreadable one")
    func missing() throws {
        let missing = #expect(throws: TraceError.self) { try TraceReader(path: "/no/such.json").read() }
        #expect(missing?.code == .noSuchFile)
        #expect(missing?.description == "/no/such.json: no such file")
        let directory = #expect(throws: TraceError.self) { try TraceReader(path: "/").read() }
        #expect(directory?.code == .unreadable)
        #expect(directory?.description == "/: is a directory, not a trace")
    }

    @Test("the reader reads an empty log")
    func empty() throws {
        let contents = try read(logText().utf8)
        #expect(contents.events.isEmpty && contents.losses.isEmpty)
        #expect(contents.header.process == "app" && contents.header.processID == 7)
        #expect(contents.header.start == 5 && contents.header.lastAlive == 2_500)
    }

    @Test("the reader reads a header after the events, and members in any order")
    func anyOrder() throws {
        let event =
            #"{"args":{"more":[1,{"a":null}],"event":"ready"},"ts":1.5,"id2":{"local":"0x9"},"tid":3,"#
            + #""cat":"op","#
            + #""ph":"n","unknown":{"deep":[[]]}}"#
        let text = #"{"traceEvents":[\#(event)],"metadata":[1,2],"# + header().dropFirst() + "}"
        let contents = try read(text.utf8)
        #expect(contents.events == [LogEvent(time: 1_500, thread: 3, .ready(OperationID(9)))])
        #expect(contents.losses.isEmpty)
    }

    @Test("the reader skips what is there for viewers, and counts what it does not know")
    func skipped() throws {
        let contents = try read(
            logText(
                #"{"ph":"X","cat":"view","name":"slice","ts":1,"dur":2,"pid":7,"tid":1}"#,
                #"{"ph":"M","name":"thread_name","pid":7,"tid":1,"args":{"name":"t"}}"#,
                readyEvent(1),
                #"{"ph":"n","cat":"op","name":"K","id2":{"local":"0x1"},"ts":1,"#
                    + #""args":{"event":"evaporated"}}"#,
                #"{"ph":"i","cat":"moon","ts":1}"#
            ).utf8)
        #expect(contents.events.count == 1)
        #expect(
            contents.losses == [
                "2 events are of an unknown type, and were left out; a newer opviz may "
                    + "read them"
            ])
    }

    @Test("the reader skips an event that it cannot interpret, with the position of the first")
    func damagedEvent() throws {
        let bad = readyEvent(2).replacing(#""cat":"op""#, with: #""cat":{"op":1}"#)
        let text = logText(readyEvent(1), bad, readyEvent(3))
        let contents = try read(text.utf8)
        #expect(contents.events.count == 2)
        let offset = try #require(text.utf8.firstRange(of: bad.utf8)).lowerBound.utf16Offset(in: text)
        #expect(
            contents.losses == [
                "1 event could not be read and was left out, at byte \(Prose.grouped(offset))"
            ])
    }

    @Test("the reader says how far an unclosed log goes, and how many events the recorder lost")
    func losses() throws {
        let contents = try read(logText(closed: false, dropped: 12, readyEvent(1)).utf8)
        #expect(
            contents.losses == [
                "the log was not closed: the program was killed, or is still running; it was last known "
                    + "alive 2.50 µs after the start, and 1 whole event was read",
                "the recorder could not write 12 events",
            ])
    }

    @Test(
        "the reader gives the offset separately from the sentence, if there is one",
        arguments: [("", nil), ("   \n", 4), ("hello", 0), ("[]", nil), ("{x", 1), (#"{"a":1"#, 6)])
    func offsets(text: String, offset: Int?) throws {
        let path = NSTemporaryDirectory() + "opviz-log-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(text.utf8).write(to: URL(filePath: path))
        let error = #expect(throws: TraceError.self) { try TraceReader(path: path).read() }
        #expect(error?.offset == offset && error?.path == path && error?.code == .notATrace)
        #expect(error?.description.hasPrefix(path + ": ") == true)
    }

    @Test(
        "the reader ignores a header of another shape",
        arguments: [
            "3", "null", "[]", #""opviz-trace""#, #"{"format":1}"#,
            #"{"format":"opviz-trace","version":"1"}"#,
        ])
    func otherHeaders(header: String) {
        let failure = #expect(throws: LogFailure.self) { try read(#"{"otherData":\#(header)}"#.utf8) }
        #expect(
            failure?.sentence
                == #"is JSON, but not a trace: expected an object with "otherData" and its "format": "#
                + #""opviz-trace", a Chrome trace with slices, or spans of OpenTelemetry"#
        )
        #expect(failure?.code == .notATrace)
    }

    @Test("the reader says 'no such file' also if a folder of the path is a file")
    func fileInPath() {
        let error = #expect(throws: TraceError.self) { try TraceReader(path: "/dev/null/x.json").events() }
        #expect(error?.code == .noSuchFile && error?.offset == nil)
        #expect(error?.description == "/dev/null/x.json: no such file")
    }

    @Test("the reader passes over members of the header that it does not know")
    func futureHeader() throws {
        let text = logText(readyEvent(1)).replacing(#""pid":"7""#, with: #""color":{"a":[1]},"pid":"7""#)
        let contents = try read(text.utf8)
        #expect(contents.header.processID == 7 && contents.events.count == 1 && contents.losses.isEmpty)
    }

    @Test("the reader takes numbers of the header without quotes, and no last moment before the start")
    func bareNumbers() throws {
        let text =
            #"{"otherData":{"format":"opviz-trace","version":1,"process":"app","pid": 12 ,"host":"box","#
            + #""dropped":3"#
            + #","start":"5","lastAlive":-9223372036854775.808,"closed":true},"#
            + #""traceEvents":[\#(readyEvent(1))]}"#
        let contents = try read(text.utf8)
        #expect(contents.header.processID == 12 && contents.header.droppedEvents == 3)
        #expect(contents.header.lastAlive == 0)
    }

    @Test("the reader keeps whole events of a log whose header comes last and that is cut after it")
    func cutAfterLateHeader() throws {
        let text = #"{"traceEvents":[\#(readyEvent(1)),\#(readyEvent(2))],"# + header().dropFirst()
        let contents = try read(text.utf8)
        #expect(contents.events.count == 2)
        #expect(
            contents.losses == [
                "the file is cut off at byte \(Prose.grouped(text.utf8.count)); "
                    + "2 whole events before that were kept"
            ])
    }

    @Test("the reader gives each event once, in the file's order, even if the header is between two lists")
    func headerBetween() throws {
        let text =
            #"{"traceEvents":[\#(readyEvent(1))],\#(header().dropFirst()),"traceEvents":[\#(readyEvent(2))]}"#
        let contents = try read(text.utf8)
        #expect(contents.events.map(\.body) == [.ready(OperationID(1)), .ready(OperationID(2))])
        #expect(contents.losses.isEmpty)
    }

    @Test("the reader refuses a value larger than 64 MiB")
    func tooLarge() {
        let log = Data((header() + #","traceEvents":[""#).utf8) + Data(count: 65 << 20)
        let failure = #expect(throws: LogFailure.self) { try read(log) }
        #expect(failure?.sentence.hasSuffix(": a value is larger than 64 MiB") == true)
    }

    @Test("the reader reads times at the ends of the range, and counts an event without one as damaged")
    func extremeTimes() throws {
        let largest = "9999999999999999999999"
        let contents = try read(
            logText(
                closed: false, readyEvent(1, at: largest), readyEvent(2, at: "-" + largest),
                readyEvent(3, at: "-0.001 "), readyEvent(4, at: "null"), readyEvent(5, at: #""1""#),
                readyEvent(6, at: "1e3")
            ).replacing("2.500", with: largest).utf8)
        #expect(contents.events.map(\.time) == [.max, -.max, -1] && contents.header.lastAlive == .max)
        #expect(
            contents.losses.last?.hasPrefix("3 events are damaged and were left out, the first at byte ")
                == true)
    }

    @Test(
        "the reader reports damaged events, with the first one's position, separately from unknown ones",
        arguments: [
            (#""cat":"op","id2":{"local":"0x1"},"ts":1,"args":{"event":"enqueued"}"#, "queue"),
            (#""cat":"op","id2":{"local":"0x1"},"ts":1,"args":{"event":"enqueued","queue":"0x0"}"#, "queue"),
            (#""cat":"op","ts":1,"args":{"event":"ready"}"#, "operation"),
            (#""cat":"op","id2":{"local":"0x1"},"ts":1,"args":{"event":"finished"}"#, "outcome"),
            (#""cat":"op","id2":{"local":"0x1"},"ts":1,"args":{"event":"dependency"}"#, "predecessor"),
            (#""cat":"queue","ts":1,"args":{"event":"opened","queue":"0x1"}"#, "limit"),
            (#""cat":"queue","ts":1,"args":{"event":"resumed"}"#, "queue"),
            (#""cat":"mark","ts":1,"args":{"event":"mark"}"#, "text"),
            (#""cat":"wait","ts":1,"args":{"event":"waitBegan"}"#, "operation and no queue"),
        ])
    func damagedSorts(members: String, lack: String) throws {
        let event = #"{"ph":"n","name":"K","pid":7,"tid":1,\#(members)}"#
        let unknown = #"{"ph":"i","cat":"moon","ts":1}"#
        let text = logText(readyEvent(1), event, unknown, event, readyEvent(2))
        let contents = try read(text.utf8)
        #expect(contents.events.count == 2)
        let offset = try text.utf8.distance(
            from: text.startIndex, to: #require(text.firstRange(of: event)).lowerBound)
        #expect(
            contents.losses == [
                "2 events are damaged and were left out, the first at byte \(Prose.grouped(offset)): it "
                    + "has no \(lack)",
                "1 event is of an unknown type, and was left out; a newer opviz may read it",
            ])
    }

    @Test("the reader reads times digit by digit: no double could carry them")
    func times() throws {
        let contents = try read(logText(readyEvent(1, at: "9007199254740993.001")).utf8)
        #expect(contents.events.map(\.time) == [9_007_199_254_740_993_001])
    }
}
