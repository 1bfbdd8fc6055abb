import Foundation
import InspectorTraces
import TestTraces
import Testing

@testable import EventLog

@Suite("The binary form of a log")
struct BinaryLogTests {
    private let header = LogHeader(
        process: "app \"x\"", processID: 4711, host: "box", start: 1_795_233_519_123_456_789,
        droppedEvents: 3, isClosed: true, lastAlive: 9_876_543_210_000)

    private func encoded(_ events: [LogEvent]) -> [UInt8] {
        var encoder = BinaryLogEncoder(header: header)
        for event in events { encoder.encode(event) }
        return encoder.finish()
    }

    @Test("the binary form is read back without loss, for any events", arguments: 0..<40)
    func lossless(seed: UInt64) throws {
        var random = RandomEvents(seed: seed)
        let events = (0..<300).map { _ in random.next() }
        let contents = try BinaryLogReader.read(encoded(events))
        #expect(contents.header == header)
        #expect(contents.events == events)
    }

    @Test("the binary form keeps the order of the log over many segments, even if times go back")
    func order() throws {
        let events = (0..<UInt64(20_000)).map { (index: UInt64) -> LogEvent in
            let time = Int64(index * 7_919 % 10_007)
            return LogEvent(time: time, thread: index % 3, .ready(OperationID(index)))
        }
        #expect(try BinaryLogReader.read(encoded(events)).events == events)
    }

    @Test("the binary form says where an operation was added to no queue, and leaves that out")
    func noQueue() throws {
        let enqueued = LogEvent.Body.enqueued(
            .init(operation: OperationID(1), kind: "K", name: nil, queue: QueueID(0)))
        let bytes = encoded([
            LogEvent(time: 1, thread: 1, .ready(OperationID(2))), LogEvent(time: 2, thread: 1, enqueued),
        ])
        let contents = try BinaryLogReader.read(bytes)
        #expect(contents.events.map(\.body) == [.ready(OperationID(2))])
        // Segments of 64 KiB follow the header of 4 KiB; a segment of records has the kind 1, and an addition
        // the type 16.
        let segment = try #require(
            stride(from: 4096, to: bytes.count, by: 65_536).first { bytes[$0] == 1 })
        let record = try #require(
            stride(from: segment + 32, to: segment + 65_536, by: 24).first { bytes[$0 + 16] == 16 })
        let byte = Prose.grouped(record)
        #expect(
            contents.losses.last
                == "1 event is damaged and was left out, the first at byte \(byte): it has no queue")
    }

    @Test("the binary form keeps names up to 60,000 bytes, over many segments")
    func names() throws {
        let events = (0..<40).map { (index: Int) -> LogEvent in
            let name = String(repeating: "é", count: 5_000 + index * 500) + "\(index)"
            return LogEvent(time: Int64(index), thread: 1, .marked(name, by: nil))
        }
        #expect(try BinaryLogReader.read(encoded(events)).events == events)
    }

    @Test("the binary form gives a result or a sentence, wherever it is cut")
    func truncations() throws {
        var random = RandomEvents(seed: 5)
        let events = (0..<200).map { _ in random.next() }
        let bytes = encoded(events)
        var longest = 0
        for length in stride(from: 0, through: bytes.count, by: 61) {
            guard let contents = try? BinaryLogReader.read(Array(bytes[..<length])) else {
                #expect(length < 640)
                continue
            }
            #expect(contents.events.count >= longest)
            longest = contents.events.count
        }
        #expect(longest > 0)
    }

    @Test("a cut binary log says that it is cut, also within its header and at the end of a segment")
    func everyTruncation() throws {
        var random = RandomEvents(seed: 7)
        let bytes = encoded((0..<20).map { _ in random.next() })
        let whole = try BinaryLogReader.read(bytes)
        #expect(whole.losses == [] && whole.events.count == 20)
        var silent: [Int] = []
        bytes.withUnsafeBytes { bytes in
            for length in 0..<bytes.count {
                let part = UnsafeRawBufferPointer(rebasing: bytes[..<length])
                guard let log = try? BinaryLogReader.read(part, into: EventCollector()) else { continue }
                let byte = Prose.grouped(length)
                if !log.losses.contains(where: { $0.hasPrefix("the file is cut off at byte \(byte);") }) {
                    silent.append(length)
                }
            }
        }
        #expect(silent.isEmpty, "\(silent.count): \(silent.prefix(3))")
    }

    @Test("the binary form of a recorder that did not say its length is read as before")
    func withoutLength() throws {
        var random = RandomEvents(seed: 8)
        let events = (0..<20).map { _ in random.next() }
        var bytes = encoded(events)
        bytes.replaceSubrange(104..<112, with: repeatElement(0, count: 8))
        let contents = try BinaryLogReader.read(bytes)
        #expect(contents.events == events && contents.losses == [])
    }

    @Test("the binary form shows a name that is not there as ?, and counts it")
    func lostNames() throws {
        let events = (0..<3).map { LogEvent(time: $0, thread: 1, .marked("mark \($0)", by: nil)) }
        var bytes = encoded(events)
        // The kind of the first segment, which has the texts: it is unused then.
        bytes[BinaryLogHeader.size] = 0
        let contents = try BinaryLogReader.read(bytes)
        #expect(contents.events.map(\.body) == Array(repeating: .marked("?", by: nil), count: 3))
        #expect(contents.losses == ["3 names were overwritten or damaged, and are shown as ?"])
    }

    @Test("the binary form gives a result or a sentence if any bit is flipped", arguments: 0..<8)
    func bits(bit: Int) throws {
        var random = RandomEvents(seed: 6)
        var bytes = encoded((0..<60).map { _ in random.next() })
        let used = bytes.indices.filter { bytes[$0] != 0 || $0 < 128 }
        for position in used {
            bytes[position] ^= 1 << bit
            _ = try? BinaryLogReader.read(bytes)
            bytes[position] ^= 1 << bit
        }
    }
}
