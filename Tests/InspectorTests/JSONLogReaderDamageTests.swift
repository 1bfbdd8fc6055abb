import Inspector
import Testing

@Suite("The reader of JSON logs, given damaged ones")
struct JSONLogReaderDamageTests {
    private let log: [UInt8]
    private let whole: EventLogContents

    init() throws {
        var random = RandomEvents(seed: 3)
        let header = LogHeader(
            process: "app", processID: 7, host: "box", start: 5, isClosed: true, lastAlive: 9)
        var encoder = JSONLogEncoder(header: header)
        for _ in 0..<12 { encoder.encode(random.next()) }
        log = header.jsonPrologue() + encoder.takeBytes() + JSONLogEncoder.epilogue
        whole = try read(log)
    }

    @Test("keeps every whole event before a cut, wherever the cut is, and says what was lost")
    func everyTruncation() throws {
        var longest = 0
        for length in 0..<log.count {
            guard let contents = try? read(log[..<length]) else {
                #expect(longest == 0, "cut at \(length) gives nothing, and an earlier cut gave something")
                continue
            }
            #expect(contents.events.elementsEqual(whole.events.prefix(contents.events.count)))
            #expect(contents.events.count >= longest, "cut at \(length)")
            longest = max(longest, contents.events.count)
            let isOnlyBlank = log[length...].allSatisfy { $0 == UInt8(ascii: "\n") }
            #expect(contents.losses.isEmpty == isOnlyBlank, "cut at \(length)")
        }
        #expect(longest == whole.events.count)
    }

    @Test(
        "gives a result or a sentence, whatever byte is changed",
        arguments: [0x00, 0xff, UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "]"), UInt8(ascii: "\\")])
    func everyByte(replacement: UInt8) throws {
        for position in stride(from: Int(replacement) % 3, to: log.count, by: 3) {
            var damaged = log
            damaged[position] = replacement
            do {
                let contents = try read(damaged)
                #expect(contents.events.count <= whole.events.count + 1)
            } catch let failure as LogFailure {
                #expect(!failure.sentence.isEmpty)
            }
        }
    }

    @Test("gives a result or a sentence for a bit flipped anywhere", arguments: 0..<8)
    func everyBit(bit: Int) {
        for position in stride(from: bit, to: log.count, by: 11) {
            var damaged = log
            damaged[position] ^= 1 << bit
            _ = try? read(damaged)
        }
    }

    @Test("gives a sentence for bytes that mean nothing", arguments: 0..<50)
    func noise(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array(#"{}[]",:\01a"#.utf8) + [0, 0xff, 0xc3]
        let noise = (0..<400).map { _ in alphabet.randomElement(using: &generator)! }
        #expect(throws: LogFailure.self) { try read(noise) }
        _ = try? read(Array(header().utf8) + Array(#","traceEvents":["#.utf8) + noise)
    }

    @Test("does not go down with nesting that has no end")
    func nesting() {
        let deep = String(repeating: "[", count: 200_000)
        #expect(throws: LogFailure.self) { try read(deep.utf8) }
        let inside = readyEvent(1).replacing(#""tid":1"#, with: "\"tid\":\(deep)")
        #expect(throws: LogFailure.self) { try read(logText(inside).utf8) }
        let closed = #"{"x":"# + deep + String(repeating: "]", count: 200_000) + "}"
        _ = try? read(logText(closed, readyEvent(2)).utf8)
    }
}
