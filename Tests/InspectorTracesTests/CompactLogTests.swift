import EventLog
import Foundation
import InspectorTraces
import TestTraces
import Testing

@Suite("The compact form of a log")
struct CompactLogTests {
    private let header = LogHeader(
        process: "app \"x\"", processID: 4711, host: "box", start: 1_795_233_519_123_456_789,
        droppedEvents: 3, isClosed: true, lastAlive: 9_876_543_210_000)

    private func encoded(_ events: [LogEvent]) -> [UInt8] {
        var encoder = CompactLogEncoder(header: header)
        for event in events { encoder.encode(event) }
        return encoder.finish()
    }

    private func random(_ count: Int, seed: UInt64) -> [LogEvent] {
        var random = RandomEvents(seed: seed)
        return (0..<count).map { _ in random.next() }
    }

    @Test("is read back without loss, for any events", arguments: 0..<40)
    func lossless(seed: UInt64) throws {
        let events = random(300, seed: seed)
        let contents = try CompactLogReader.read(encoded(events))
        #expect(contents.header == header)
        #expect(contents.events == events)
        #expect(contents.losses == [])
    }

    @Test("takes at most 12 bytes an event of a real program's trace")
    func size() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "OpvizTests/Traces/quotes.json")
        let contents = try TraceReader(path: url.path).events()
        let bytes = encoded(contents.events)
        #expect(try CompactLogReader.read(bytes).events == contents.events)
        #expect(bytes.count <= 12 * contents.events.count, "\(bytes.count) for \(contents.events.count)")
    }

    @Test("cut anywhere, keeps every whole event before the cut, and says so, also between two events")
    func truncations() throws {
        let events = random(100, seed: 5)
        let bytes = encoded(events)
        var longest = 0
        for length in 8..<bytes.count {
            guard let contents = try? CompactLogReader.read(Array(bytes[..<length])) else {
                #expect(longest == 0)
                continue
            }
            #expect(contents.events.elementsEqual(events.prefix(contents.events.count)))
            #expect(contents.events.count >= longest)
            #expect(contents.losses.first?.hasPrefix("the file is cut off at byte ") == true, "\(length)")
            longest = contents.events.count
        }
        #expect(longest == 100, "what is missing last is the end")
    }

    @Test("gives a result or a sentence if any bit is flipped", arguments: 0..<8)
    func bits(bit: Int) {
        var bytes = encoded(random(60, seed: 6))
        for position in bytes.indices {
            bytes[position] ^= 1 << bit
            _ = try? CompactLogReader.read(bytes)
            bytes[position] ^= 1 << bit
        }
    }
}
