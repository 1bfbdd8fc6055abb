import Foundation
import InspectorTraces
import TestTraces
import Testing

@Suite("The reader of JSON logs, given one of many windows")
struct JSONLogWindowTests {
    private let events: [LogEvent]
    /// Each with what is there for viewers behind it.
    private let pieces: [[UInt8]]
    private let start: [UInt8]

    init() {
        let header = LogHeader(process: "app", processID: 7, host: "box", start: 5, isClosed: true)
        var random = RandomEvents(seed: 11)
        let events = (0..<14_000).map { _ in random.next() }
        var encoder = JSONLogEncoder(header: header)
        self.events = events
        pieces = events.map { event in
            encoder.encode(event)
            return encoder.takeBytes()
        }
        start = header.jsonPrologue()
    }

    private func log(_ inserted: [Int: String] = [:]) -> [UInt8] {
        var bytes = start
        for (index, piece) in pieces.enumerated() {
            if let text = inserted[index] { bytes += Array((index == 0 ? text : ",\n" + text).utf8) }
            bytes += piece
        }
        return bytes + JSONLogEncoder.epilogue
    }

    @Test("the reader reads every event, also with the separators of other writers")
    func whole() throws {
        let bytes = log()
        #expect(bytes.count > 2 << 20)
        let contents = try read(bytes)
        #expect(contents.events == events && contents.losses == [])
        // A line of its own for every bracket; and all in one line.
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(try read(text.replacing("},\n{", with: "}\n ,\t{").utf8).events == events)
        #expect(try read(text.replacing("},\n{", with: "},{").utf8).events == events)
    }

    @Test("the reader is not led astray by what looks like the end of an event, in a text or in a list")
    func lookalikes() throws {
        let strings =
            #"{"ph":"n","cat":"view","name":"},{","x":""# + String(repeating: "},{", count: 90_000) + #""}"#
        let lists =
            #"{"ph":"n","cat":"view","x":["# + String(repeating: #"{"a":1},{"b":[]},"#, count: 90_000)
            + "{}]}"
        let contents = try read(
            log([100: strings, 2_000: lists, 5_000: strings, 5_001: lists, 13_999: strings]))
        #expect(contents.events == events && contents.losses == [])
    }

    @Test("the reader skips only events that it cannot interpret, at any position")
    func damaged() throws {
        let bad = #"{"ph":"n","cat":{"op":1},"name":"K"}"#
        var inserted: [Int: String] = [4_000: "17", 4_100: "[]"]
        for index in stride(from: 1, to: 14_000, by: 700) { inserted[index] = bad }
        let contents = try read(log(inserted))
        #expect(contents.events == events)
        #expect(
            contents.losses.count == 1
                && contents.losses[0].hasPrefix("\(inserted.count) events could not be read"))
    }

    @Test("the reader keeps everything before a cut or an invalid byte, in any window")
    func cut() throws {
        let bytes = log()
        for share in 1..<8 {
            let end = bytes.count / 8 * share
            let contents = try read(bytes[..<end])
            #expect(contents.events == Array(events.prefix(contents.events.count)))
            #expect(contents.events.count > 1_400 * share)
            let cut = "the file is cut off at byte \(Prose.grouped(end))"
            #expect(contents.losses.first?.hasPrefix(cut) == true)
        }
        let contents = try read(log([6_000: "}{"]))
        #expect(contents.events == Array(events.prefix(6_000)))
        #expect(contents.losses.count == 1 && contents.losses[0].contains("on; 6,000 whole events"))
    }

    @Test("the reader finds the end of the list, also if others follow")
    func otherLists() throws {
        let more = #"],"stackFrames":[{"a":1},{"b":2},"# + #"{"c":3}]}"#
        let bytes = log()
        let contents = try read(bytes.dropLast(JSONLogEncoder.epilogue.count) + Array(more.utf8))
        #expect(contents.events == events && contents.losses == [])
    }

    @Test("the reader reads names that occur once, and those that occur again later")
    func manyNames() throws {
        let names = (0..<6_000).map { "item \($0)" } + Array(repeating: "item 1", count: 3) + ["", "é"]
        let events = names.enumerated().map { index, name in
            readyEvent(index + 1).replacing(#""n","cat""#, with: #""b","cat""#)
                .replacing(#""event":"ready""#, with: #""event":"sighted","name":"\#(name)""#)
        }
        let text = header() + ",\"traceEvents\":[" + events.joined(separator: ",\n") + "]}"
        let path = NSTemporaryDirectory() + "opviz-names-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(text.utf8).write(to: URL(filePath: path))
        let trace = try TraceReader(path: path).read()
        #expect(trace.operations.count == names.count)
        #expect(trace.operations.map(\.name) == names)
        #expect(trace.kinds == ["?", "K"])
    }
}
