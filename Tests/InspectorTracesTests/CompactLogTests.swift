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

    @Test("the compact form is read back without loss, for any events", arguments: 0..<40)
    func lossless(seed: UInt64) throws {
        let events = random(300, seed: seed)
        let contents = try CompactLogReader.read(encoded(events))
        #expect(contents.header == header)
        #expect(contents.events == events)
        #expect(contents.losses == [])
    }

    private func trace(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "OpvizTests/Traces/\(name)").path
    }

    @Test("the compact form takes at most 7 bytes an event of a real program's trace")
    func size() throws {
        let contents = try TraceReader(path: trace("quotes.json")).events()
        let bytes = encoded(contents.events)
        #expect(try CompactLogReader.read(bytes).events == contents.events)
        #expect(bytes.count <= 7 * contents.events.count, "\(bytes.count) for \(contents.events.count)")
    }

    @Test("the compact form of version 4 is read as before")
    func version4() throws {
        let contents = try TraceReader(path: trace("quotes-compact-4.optrace")).events()
        #expect(contents.events == (try TraceReader(path: trace("quotes.json")).events().events))
        #expect(contents.losses == [])
    }

    /// Operations that are added one by one, with a name for each, and executed in that order.
    private func serial(_ count: UInt64) -> [LogEvent] {
        let added = (1...count).flatMap { number -> [LogEvent] in
            let operation = OperationID(number)
            let enqueue = LogEvent.Body.enqueued(
                .init(
                    operation: operation, kind: "BlockOperation", name: "item \(number)", queue: QueueID(1),
                    origin: "/usr/bin/app+0x1f@8c5a"))
            let time = Int64(number) * 1_000
            return [
                LogEvent(time: time, thread: 1, enqueue), LogEvent(time: time, thread: 1, .ready(operation)),
            ]
        }
        let executed = (1...count).flatMap { number -> [LogEvent] in
            let (time, operation) = (Int64(count + number) * 1_000, OperationID(number))
            return [
                LogEvent(time: time, thread: 2, .executing(operation)),
                LogEvent(time: time + 300, thread: 2, .finished(operation, .succeeded)),
            ]
        }
        return added + executed
    }

    @Test("the compact form takes at most 24 bytes an operation, with its name and the place of its code")
    func sizeOfOperation() throws {
        let events = serial(10_000)
        let bytes = encoded(events)
        #expect(try CompactLogReader.read(bytes).events == events)
        #expect(bytes.count <= 24 * 10_000, "\(bytes.count)")
    }

    @Test("the compact form rejects a text that shares more bytes than the one before has, or than 127")
    func shared() throws {
        let events = [String(repeating: "x", count: 1_000), String(repeating: "x", count: 1_001)].map {
            LogEvent(time: 1, thread: 1, .marked($0, by: nil))
        }
        let bytes = encoded(events)
        #expect(try CompactLogReader.read(bytes).events == events)
        // The second text: 127 bytes shared, and 874 more.
        let place = try #require(
            bytes.indices.dropLast(3).first { Array(bytes[$0..<$0 + 4]) == [8, 127, 0xEA, 0x06] })
        for shared: [UInt8] in [[128, 1], [255, 255, 127]] {
            var damaged = bytes
            damaged.replaceSubrange(place + 1..<place + 2, with: shared)
            let contents = try CompactLogReader.read(damaged)
            #expect(contents.events == [events[0]])
            #expect(contents.losses.first?.hasPrefix("expected a record at byte ") == true)
        }
    }

    @Test("the compact form, cut anywhere, keeps whole events, and says so, also between two events")
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

    @Test("the compact form gives a result or a sentence if any bit is flipped", arguments: 0..<8)
    func bits(bit: Int) {
        var bytes = encoded(random(60, seed: 6))
        for position in bytes.indices {
            bytes[position] ^= 1 << bit
            _ = try? CompactLogReader.read(bytes)
            bytes[position] ^= 1 << bit
        }
    }
}
