import CLogFormat

/// The records of one stream of a growing log: goes on, at each look, where the last one ended.
struct FollowedStream {
    private static let chunkSize = 512 * BinaryRecord.size

    private let segmentSize: Int
    /// Those that are not read to the end; the first is being read.
    private var segments: ArraySlice<FollowedSegments.Segment> = []
    /// Of the next record, within the first of these.
    private var position = BinaryLogHeader.segmentHeaderSize
    private let buffer = LogBuffer()
    /// What was read and not looked at.
    private var rest = UnsafeRawBufferPointer(start: nil, count: 0)
    // A log that is being written is of one process.
    private var decoder = RecordDecoder(processCount: 1)
    private let texts = TextNumbers(areKept: true)
    /// Of the event that `advance` went to, as it stands in the log; nil when that was given.
    private(set) var pending: UInt64?
    private(set) var unknownRecords = 0
    private(set) var damagedEvents = DamagedEvents()
    /// Records that were overwritten, or left out, before they were read.
    private(set) var missedRecords = 0

    init(segmentSize: Int) { self.segmentSize = segmentSize }

    /// - Parameter segment: one that comes after all before.
    mutating func append(_ segment: FollowedSegments.Segment) { segments.append(segment) }

    /// To be called before each look: what was read earlier may have been written on since.
    mutating func begin() { rest = UnsafeRawBufferPointer(start: nil, count: 0) }

    /// Goes on to the next event. Gives its time, or nil where no more is written. Anchors on the way are
    /// given to `clock`.
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
            // A record that is not there ends what was written; what is read now was found to be followed
            // before.
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
                    // What comes in its place is of another sequence, and is found as that.
                    goOn()
                    return nil
                }
                goOn()
                continue
            }
            if rest.count < BinaryRecord.size {
                // The file ends here: it was cut.
                guard isFull else { return nil }
                goOn()
            }
        }
    }

    /// Gives the event that `advance` went to.
    mutating func give(to consumer: any FollowedEventConsumer, _ clock: FollowedClock) -> Int64 {
        let time = clock.nanoseconds(pending ?? 0)
        pending = nil
        decoder.set(time: time, notBefore: decoder.notBefore.map { clock.nanoseconds($0) })
        consumer.consume(decoder.event)
        return time
    }

    /// Leaves out all but the last segment.
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
