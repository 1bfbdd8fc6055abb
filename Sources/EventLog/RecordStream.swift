/// The records of one stream, segment after segment, one event at a time.
struct RecordStream {
    private let bytes: UnsafeRawBufferPointer
    private let segments: [Range<Int>]
    private var decoder = RecordDecoder()
    private var segment = 0
    private var offset: Int
    /// Of the event that `advance` went to, as it stands in the log.
    private var time: UInt64 = 0
    private(set) var unknownRecords = 0

    init(bytes: UnsafeRawBufferPointer, segments: [Range<Int>]) {
        self.bytes = bytes
        self.segments = segments
        offset = segments.first?.lowerBound ?? 0
    }

    /// Goes on to the next event. Gives its time, or nil at the end of the stream.
    mutating func advance(_ texts: TextNumbers) -> UInt64? {
        while segment < segments.count {
            guard offset + BinaryRecord.size <= segments[segment].upperBound,
                let record = BinaryRecord(bytes, at: offset)
            else {
                segment += 1
                if segment < segments.count { offset = segments[segment].lowerBound }
                continue
            }
            offset += BinaryRecord.size
            switch decoder.take(record, texts) {
            case .event:
                time = record.time
                return time
            case .nothing: continue
            case .unknown: unknownRecords += 1
            }
        }
        return nil
    }

    /// Gives the event that `advance` went to. Returns its time.
    mutating func give(to consumer: any EventConsumer, _ texts: InternedTexts, _ clock: inout LogClock)
        -> Int64
    {
        let notBefore = decoder.notBefore.map { clock.nanoseconds($0) }
        let nanoseconds = clock.nanoseconds(time)
        decoder.set(time: nanoseconds, notBefore: notBefore)
        consumer.consume(decoder.event, texts)
        return nanoseconds
    }
}

/// Streams by the time of their next event; among equal times by their number. A binary heap.
struct StreamHeap {
    private var entries: [(time: UInt64, stream: Int)]

    init(_ entries: [(time: UInt64, stream: Int)]) {
        // Sorted is a heap.
        self.entries = entries.sorted { Self.isBefore($0, $1) }
    }

    /// The stream whose event comes next.
    var first: Int? { entries.first?.stream }

    /// Gives the first stream its next time; nil removes it.
    mutating func replaceFirst(with time: UInt64?) {
        if let time {
            entries[0].time = time
        } else {
            entries[0] = entries[entries.count - 1]
            entries.removeLast()
        }
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < entries.count else { return }
            if child + 1 < entries.count, Self.isBefore(entries[child + 1], entries[child]) { child += 1 }
            guard Self.isBefore(entries[child], entries[parent]) else { return }
            entries.swapAt(child, parent)
            parent = child
        }
    }

    private static func isBefore(_ first: (time: UInt64, stream: Int), _ second: (time: UInt64, stream: Int))
        -> Bool
    {
        first.time != second.time ? first.time < second.time : first.stream < second.stream
    }
}
