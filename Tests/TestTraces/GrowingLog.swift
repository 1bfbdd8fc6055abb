import CLogFormat
package import EventLog
import Foundation
import Testing

/// A binary log that a test writes as a recorder does: segment by segment, a stream for each thread, while it
/// is read.
package final class GrowingLog {
    package static let segmentSize = BinaryLogHeader.segmentSize

    package let path = NSTemporaryDirectory() + "opviz-growing-\(UUID().uuidString).optrace"
    package let descriptor: Int32
    private var header: BinaryLogHeader
    /// By stream: where its segment begins, and how much of it is used.
    private var places: [UInt64: (offset: Int, used: Int)] = [:]
    private var textPlace: (offset: Int, used: Int)?
    private var numbers: [String: UInt32] = [:]
    private var size = BinaryLogHeader.size
    private var lastSequence: UInt64 = 0
    /// Segments that were given up, to be taken again.
    private var recycled: [Int] = []

    /// - Parameter isBegun: whether it has its header.
    package init(keepsLatest: Bool = false, process: Int32 = 7, isBegun: Bool = true) {
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
        header = BinaryLogHeader(LogHeader(process: "app", processID: process, host: "box", start: 5))
        if keepsLatest { header.flags.insert(.keepsLatest) }
        if isBegun { writeHeader() }
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    package func writeHeader() { put(header.bytes, at: 0) }

    /// What the recorder's own thread says four times a second.
    package func live(until time: Int64) {
        header.lastAlive = UInt64(time)
        writeHeader()
    }

    package func seal() {
        header.flags.insert(.sealed)
        header.log.isClosed = true
        writeHeader()
    }

    package func drop(_ count: UInt64) {
        header.log.droppedEvents = count
        writeHeader()
    }

    /// Another program begins to write in the same file.
    package func beginAgain(process: Int32) {
        ftruncate(descriptor, 0)
        (places, textPlace, numbers, size, lastSequence) = ([:], nil, [:], BinaryLogHeader.size, 0)
        header = BinaryLogHeader(LogHeader(process: "app", processID: process, host: "box", start: 6))
        writeHeader()
    }

    /// Appends events to a stream, whose thread has the same number.
    package func write(_ events: LogEvent..., stream: UInt64 = 1) { write(events, stream: stream) }

    package func write(_ events: [LogEvent], stream: UInt64 = 1) {
        for event in events { put(bytes(of: event), in: stream) }
    }

    /// The bytes of all records of an event.
    package func bytes(of event: LogEvent) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ record: BinaryRecord) {
            var record = record
            record.time = UInt64(bitPattern: event.time)
            record.append(to: &bytes)
        }
        append(BinaryRecord(.thread, subject: event.thread))
        if let notBefore = event.notBefore {
            append(BinaryRecord(.notBefore, subject: UInt64(bitPattern: notBefore)))
        }
        for record in event.body.records(text: { number(of: $0) }) ?? [] { append(record) }
        return bytes
    }

    /// Appends to the segment of a stream; takes another where that is full.
    package func put(_ bytes: [UInt8], in stream: UInt64) {
        var place = places[stream] ?? (0, Self.segmentSize)
        if place.used + bytes.count > Self.segmentSize { place = newSegment(1, stream) }
        put(bytes, at: place.offset + place.used)
        place.used += bytes.count
        places[stream] = place
    }

    /// Empties the segment that a stream is in: it is free from then on, and is taken again for the next.
    package func recycle(_ stream: UInt64) {
        guard let place = places.removeValue(forKey: stream) else { return }
        put(Array(repeating: 0, count: Self.segmentSize), at: place.offset)
        recycled.append(place.offset)
    }

    /// Where the next record of the stream goes.
    package func end(of stream: UInt64) -> Int { places[stream].map { $0.offset + $0.used } ?? size }

    package func put(_ bytes: [UInt8], at offset: Int) {
        let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
        precondition(count == bytes.count)
    }

    private func newSegment(_ kind: UInt32, _ stream: UInt64) -> (offset: Int, used: Int) {
        let offset = recycled.isEmpty ? size : recycled.removeFirst()
        if offset == size {
            // Some are allocated ahead of their use.
            size += Self.segmentSize
            ftruncate(descriptor, off_t(size + 4 * Self.segmentSize))
        }
        lastSequence += 1
        var bytes: [UInt8] = []
        for word in [UInt64(kind), stream, lastSequence, 0] {
            withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
        }
        put(bytes, at: offset)
        return (offset, BinaryLogHeader.segmentHeaderSize)
    }

    private func number(of text: String) -> UInt32 {
        if text.isEmpty { return 0 }
        if let known = numbers[text] { return known }
        let number = UInt32(numbers.count + 1)
        numbers[text] = number
        var bytes: [UInt8] = []
        for part in [number, UInt32(text.utf8.count)] {
            withUnsafeBytes(of: part.littleEndian) { bytes.append(contentsOf: $0) }
        }
        bytes += text.utf8
        bytes += Array(repeating: 0, count: -bytes.count & 7)
        var place = textPlace ?? (0, Self.segmentSize)
        if place.used + bytes.count > Self.segmentSize { place = newSegment(2, 0) }
        put(bytes, at: place.offset + place.used)
        place.used += bytes.count
        textPlace = place
        return number
    }
}

/// Keeps what a follower gives as values, with their texts.
package final class FollowedEvents: FollowedEventConsumer {
    package private(set) var fields: [EventFields] = []

    package init() {}

    package func consume(_ event: EventFields) { fields.append(event) }

    package var times: [Int64] { fields.map(\.time) }

    /// As `LogEvent`s.
    package func events(_ follower: LogFollower) -> [LogEvent] {
        let collector = EventCollector()
        // Numbers of texts here, by those of the log.
        var texts = InternedTexts()
        for var event in fields {
            let origin = event.origin
            event.text = texts.number(of: follower.text(event.text))
            event.name = event.name.map { texts.number(of: follower.text($0)) }
            event.origin = origin.map { texts.number(of: follower.text($0)) }
            collector.consume(event, texts)
        }
        return collector.contents(ReadLog(header: follower.log, texts: texts, eventCount: 0)).events
    }
}
