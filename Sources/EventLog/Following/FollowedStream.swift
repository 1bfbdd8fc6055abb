import CLogFormat

/// The records of one stream of a growing log. Each look continues where the last one ended.
struct FollowedStream {
    private static let chunkSize = 512 * BinaryRecord.size

    private let segmentSize: Int
    /// Segments with unread records; the first is being read.
    private var segments: ArraySlice<FollowedSegments.Segment> = []
    /// The offset of the next record in the first of these.
    private var position = BinaryLogHeader.segmentHeaderSize
    private let buffer = LogBuffer()
    /// Bytes that were read but not processed.
    private var rest = UnsafeRawBufferPointer(start: nil, count: 0)
    // A log that is being written has only one process.
    private var decoder = RecordDecoder(processCount: 1)
    private let texts = TextNumbers(areKept: true)
    /// The time in the log of the event that `advance` found; nil after that event was passed on.
    private(set) var pending: UInt64?
    private(set) var unknownRecords = 0
    private(set) var damagedEvents = DamagedEvents()
    /// Records that were overwritten, or skipped, before they were read.
    private(set) var missedRecords = 0

    init(segmentSize: Int) { self.segmentSize = segmentSize }

    /// - Parameter segment: a segment after all earlier ones.
    mutating func append(_ segment: FollowedSegments.Segment) { segments.append(segment) }

    /// Call this before each look: bytes that were read earlier may have changed.
    mutating func begin() { rest = UnsafeRawBufferPointer(start: nil, count: 0) }

    /// Advances to the next event. Returns its time, or nil if no more is written. Passes anchors on the way
    /// to `clock`.
    mutating func advance(
        _ file: FollowedFile, _ all: FollowedSegments, _ clock: inout FollowedClock
    ) throws(BinaryLogError) -> UInt64? {
        while true {
            if rest.count >= BinaryRecord.size, let record = BinaryRecord(rest, at: 0) {
                rest = UnsafeRawBufferPointer(rebasing: rest[BinaryRecord.size...])
                position += BinaryRecord.size
                if record.type == RecordType.anchor.rawValue {
                    clock.add(LogClock.Anchor(time: record.time, monotonic: record.subject))
                }
                switch decoder.take(record, texts) {
                case .event:
                    pending = record.time
                    return record.time
                case .nothing: continue
                case .unknown: unknownRecords += 1
                case .damaged(let lack):
                    let start = (segments.first?.offset ?? 0) + position - BinaryRecord.size
                    damagedEvents.add(at: start, without: lack)
                }
                continue
            }
            guard let segment = segments.first else { return nil }
            let isFull = segments.count > 1
            // A missing record ends what was written. If the segment is full, it has a successor that was
            // found before.
            let isAtEnd = rest.count >= BinaryRecord.size || position + BinaryRecord.size > segmentSize
            if isAtEnd {
                guard isFull else { return nil }
                goOn()
                continue
            }
            let end = isFull ? segmentSize : min(segmentSize, position + Self.chunkSize)
            rest = try file.read(segment.offset + position..<segment.offset + end, buffer)
            if try !all.isThere(segment, file) {
                missedRecords += (segmentSize - position) / BinaryRecord.size
                decoder.forget()
                guard isFull else {
                    // The segment's new contents have another sequence number, and are found by that.
                    goOn()
                    return nil
                }
                goOn()
                continue
            }
            if rest.count < BinaryRecord.size {
                // The file ends here: it was truncated.
                guard isFull else { return nil }
                goOn()
            }
        }
    }

    /// Passes on the event that `advance` found.
    mutating func give(to consumer: any FollowedEventConsumer, _ clock: FollowedClock) -> Int64 {
        let time = clock.nanoseconds(pending ?? 0)
        pending = nil
        decoder.set(time: time, notBefore: decoder.notBefore.map { clock.nanoseconds($0) })
        consumer.consume(decoder.event)
        return time
    }

    /// Skips all segments except the last one.
    mutating func skip() {
        guard segments.count > 1 else { return }
        missedRecords +=
            (segments.count * (segmentSize - BinaryLogHeader.segmentHeaderSize)) / BinaryRecord.size
        missedRecords -= (segmentSize - BinaryLogHeader.segmentHeaderSize) / BinaryRecord.size
        missedRecords -= (position - BinaryLogHeader.segmentHeaderSize) / BinaryRecord.size
        segments = segments.suffix(1)
        position = BinaryLogHeader.segmentHeaderSize
        pending = nil
        decoder.forget()
        begin()
    }

    private mutating func goOn() {
        segments.removeFirst()
        position = BinaryLogHeader.segmentHeaderSize
        begin()
    }
}
