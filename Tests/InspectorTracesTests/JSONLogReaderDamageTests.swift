import InspectorAnalysis
import InspectorTraces
import TestTraces
import Testing

@Suite("The reader of JSON logs, given damaged ones")
struct JSONLogReaderDamageTests {
    private let log: [UInt8]
    private let whole: EventLogContents
    /// Where the bytes of each event end, in the file.
    private let ends: [Int]

    init() throws {
        var random = RandomEvents(seed: 3)
        let header = LogHeader(
            process: "app", processID: 7, host: "box", start: 5, isClosed: true, lastAlive: 9)
        var encoder = JSONLogEncoder(header: header)
        var log = header.jsonPrologue()
        var ends: [Int] = []
        for _ in 0..<40 {
            encoder.encode(random.next())
            // A separator, the event, and what is there for viewers, each on a line of its own.
            let bytes = encoder.takeBytes()
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let line = lines[ends.isEmpty ? 0 : 1]
            ends.append(log.count + line.endIndex - (line.last == UInt8(ascii: ",") ? 1 : 0))
            log += bytes
        }
        self.log = log + JSONLogEncoder.epilogue
        self.ends = ends
        whole = try read(self.log)
    }

    @Test("the reader keeps every whole event before a cut, wherever the cut is, and says what was lost")
    func everyTruncation() throws {
        #expect(whole.events.count == 40 && whole.losses.isEmpty)
        var kept = 0
        for length in 0...log.count {
            while kept < ends.count, ends[kept] <= length { kept += 1 }
            do {
                let contents = try read(log[..<length])
                #expect(contents.events == Array(whole.events.prefix(kept)), "cut at \(length)")
                // A blank is all that the last byte holds.
                let byte = Prose.grouped(length)
                let cut = "the file is cut off at byte \(byte); \(Prose.kept(kept))"
                #expect(contents.losses == (length < log.count - 1 ? [cut] : []), "cut at \(length)")
            } catch let failure as LogFailure {
                #expect(kept == 0 && failure.code == .notATrace, "cut at \(length)")
                let sentence = "at byte \(Prose.grouped(length)): the file ends before the first whole event"
                #expect(failure.sentence == (length == 0 ? "is empty" : sentence))
            }
        }
    }

    @Test("the reader keeps whole events before a cut of an unclosed log, and says where the log ends")
    func everyTruncationOfOpenLog() throws {
        let text = String(decoding: log, as: UTF8.self)
        let open = Array(text.replacing(#""closed":true "#, with: #""closed":false"#).utf8)
        #expect(open.count == log.count)
        for length in stride(from: ends[0], to: log.count - 1, by: 13) {
            let contents = try read(open[..<length])
            let kept = ends.prefix { $0 <= length }.count
            #expect(contents.events == Array(whole.events.prefix(kept)))
            #expect(contents.losses.count == 1)
            let byte = Prose.grouped(length)
            let said = Prose.counted(kept, "whole event was", "whole events were")
            #expect(
                contents.losses[0].hasPrefix("the log was not closed, and ends at byte \(byte): ")
                    && contents.losses[0].hasSuffix("and \(said) read"))
        }
    }

    @Test(
        "the reader gives a result or a sentence if any byte is changed",
        arguments: [0x00, 0xff] + Array(#""{}[]\,:0"#.utf8))
    func everyByte(replacement: UInt8) throws {
        for position in stride(from: Int(replacement) % 29, to: log.count, by: 29) {
            var damaged = log
            damaged[position] = replacement
            do {
                let contents = try read(damaged)
                // All before the changed byte is as it was.
                let untouched = ends.prefix { $0 <= position }.count
                #expect(contents.events.prefix(untouched) == whole.events.prefix(untouched), "at \(position)")
                #expect(contents.events.count <= whole.events.count + 1, "at \(position)")
            } catch let failure as LogFailure {
                #expect(!failure.sentence.isEmpty && position < ends[0], "at \(position)")
            }
        }
    }

    @Test("the reader gives a result or a sentence for a bit flipped anywhere", arguments: 0..<8)
    func everyBit(bit: Int) {
        for position in stride(from: bit, to: log.count, by: 61) {
            var damaged = log
            damaged[position] ^= 1 << bit
            _ = try? read(damaged)
        }
    }

    @Test("the reader gives a sentence for bytes that mean nothing", arguments: 0..<50)
    func noise(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let alphabet = Array(#"{}[]",:\01a"#.utf8) + [0, 0xff, 0xc3]
        let noise = (0..<400).map { _ in alphabet.randomElement(using: &generator)! }
        #expect(throws: LogFailure.self) { try read(noise) }
        _ = try? read(Array(header().utf8) + Array(#","traceEvents":["#.utf8) + noise)
    }

    @Test("the reader survives endless nesting")
    func nesting() {
        let deep = String(repeating: "[", count: 200_000)
        #expect(throws: LogFailure.self) { try read(deep.utf8) }
        let inside = readyEvent(1).replacing(#""tid":1"#, with: "\"tid\":\(deep)")
        #expect(throws: LogFailure.self) { try read(logText(inside).utf8) }
        let closed = #"{"x":"# + deep + String(repeating: "]", count: 200_000) + "}"
        _ = try? read(logText(closed, readyEvent(2)).utf8)
    }
}
