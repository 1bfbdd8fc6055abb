/// The records of one stream, segment by segment, one event at a time.
struct RecordStream {
    private let bytes: LogBytes
    private let segments: [Range<Int>]
    private let buffer = LogBuffer()
    private var decoder: RecordDecoder
    /// How many segments were begun, the last one, and the offset of its next record.
    private var begun = 0
    private var segment = UnsafeRawBufferPointer(start: nil, count: 0)
    private var offset = 0
    /// The time in the log of the event that `advance` found.
    private var time: UInt64 = 0
    private(set) var unknownRecords = 0
    private(set) var damagedEvents = DamagedEvents()
    var lostTexts: Int { decoder.lostTexts }

    init(_ bytes: LogBytes, segments: [Range<Int>], processCount: Int) {
        self.bytes = bytes
        decoder = RecordDecoder(processCount: processCount)
        self.segments = segments
    }

    /// Advances to the next event. Returns its time, or nil at the end of the stream.
    mutating func advance(_ texts: TextNumbers) -> UInt64? {
        while true {
            guard offset + BinaryRecord.size <= segment.count,
                let record = BinaryRecord(segment, at: offset)
            else {
                guard begun < segments.count else { return nil }
                segment = bytes.read(segments[begun], buffer)
                begun += 1
                offset = 0
                continue
            }
            offset += BinaryRecord.size
            switch decoder.take(record, texts) {
            case .event:
                time = record.time
                return time
            case .nothing: continue
            case .unknown: unknownRecords += 1
            case .damaged(let lack):
                let start = segments[begun - 1].lowerBound + offset - BinaryRecord.size
                damagedEvents.add(at: start, without: lack)
            }
        }
    }

    /// Exchanges `event` for the event that `advance` found. Returns its time.
    mutating func give(_ event: inout EventFields, _ clock: inout LogClock) -> Int64 {
        let notBefore = decoder.notBefore.map { clock.nanoseconds($0) }
        let nanoseconds = clock.nanoseconds(time)
        decoder.set(time: nanoseconds, notBefore: notBefore)
        decoder.exchange(&event)
        return nanoseconds
    }
}

/// Streams ordered by the time of their next event; at equal times by their number. A binary heap.
package struct StreamHeap {
    private var entries: [(time: UInt64, stream: Int)]

    package init(_ entries: [(time: UInt64, stream: Int)]) {
        // A sorted array is a heap.
        self.entries = entries.sorted { Self.isBefore($0, $1) }
    }

    /// The stream whose event comes next.
    package var first: Int? { entries.first?.stream }

    /// Sets the first stream's next time; nil removes the stream.
    package mutating func replaceFirst(with time: UInt64?) {
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
