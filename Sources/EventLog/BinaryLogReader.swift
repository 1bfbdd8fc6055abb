import CLogFormat

/// Reads a binary log that was sealed, that a killed program left, or that is still being written.
package struct BinaryLogReader: BinaryReading {
    /// Whether a file that begins with `bytes` is a binary log.
    package static func recognizes(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.starts(with: BinaryLogHeader.magic)
    }

    private struct Segment {
        let sequence: UInt64
        let records: Range<Int>
    }

    private let bytes: LogBytes
    private let buffer = LogBuffer()
    private var header: BinaryLogHeader
    private var texts = InternedTexts()
    private var numbers = TextNumbers()
    private var streams: [UInt64: [Segment]] = [:]
    private var processes: [Segment] = []
    private var hasDamagedProcesses = false
    private var damagedTexts = 0
    private var unknownRecords = 0
    private var damagedEvents = DamagedEvents()
    private var lostTexts = 0

    package static func read(
        _ bytes: UnsafeRawBufferPointer, into consumer: any EventConsumer
    ) throws(BinaryLogError) -> ReadLog {
        try read(LogBytes(bytes), into: consumer)
    }

    /// As `read(_:into:)`, for a log that nobody writes any more. Keeps one segment of each thread in
    /// memory at a time.
    ///
    /// - Throws: `BinaryLogError`, also if the file cannot be read.
    package static func read(
        file descriptor: Int32, size: Int, into consumer: any EventConsumer
    ) throws(BinaryLogError) -> ReadLog {
        try read(LogBytes(file: descriptor, size: size), into: consumer)
    }

    /// Removes segments that were overwritten while they were read, from a log that is still being written.
    /// Their numbers could refer to the bytes of another text.
    package static func dropOverwritten(in bytes: UnsafeMutableRawBufferPointer, of descriptor: Int32) {
        guard let header = try? BinaryLogHeader(UnsafeRawBufferPointer(bytes)),
            header.flags.contains(.keepsLatest)
        else { return }
        let buffer = LogBuffer()
        // Kind, stream and sequence number.
        let size = 24
        for start in stride(from: header.headerSize, to: bytes.count - size, by: header.segmentSize) {
            let now = buffer.read(start..<start + size, of: descriptor).bytes
            guard !now.elementsEqual(bytes[start..<start + size]) else { continue }
            bytes.storeBytes(of: 0, toByteOffset: start, as: UInt32.self)
        }
    }

    private static func read(_ bytes: LogBytes, into consumer: any EventConsumer) throws(BinaryLogError)
        -> ReadLog
    {
        var reader = try BinaryLogReader(bytes)
        let log = reader.read(into: consumer)
        if let failure = bytes.failure { throw BinaryLogError(unreadable: failure) }
        return log
    }

    private init(_ bytes: LogBytes) throws(BinaryLogError) {
        self.bytes = bytes
        let start = bytes.read(0..<min(BinaryLogHeader.size, bytes.count), buffer)
        if let failure = bytes.failure { throw BinaryLogError(unreadable: failure) }
        header = try BinaryLogHeader(start)
        for start in stride(from: header.headerSize, to: bytes.count, by: header.segmentSize) {
            let end = min(start + header.segmentSize, bytes.count)
            guard end - start >= BinaryLogHeader.segmentHeaderSize else { break }
            let body = start + BinaryLogHeader.segmentHeaderSize..<end
            let segment = bytes.read(start..<body.lowerBound, buffer)
            guard segment.count == BinaryLogHeader.segmentHeaderSize else { break }
            switch Self.uint32(segment, 0) {
            case UInt32(LOG_SEGMENT_RECORDS):
                streams[Self.uint64(segment, 8), default: []].append(
                    Segment(sequence: Self.uint64(segment, 16), records: body))
            case UInt32(LOG_SEGMENT_TEXTS): readTexts(bytes.read(body, buffer))
            case UInt32(LOG_SEGMENT_PROCESSES):
                processes.append(Segment(sequence: Self.uint64(segment, 16), records: body))
            default: break
            }
        }
        if !processes.isEmpty { readProcesses() }
    }

    private mutating func readProcesses() {
        var content: [UInt8] = []
        for segment in processes.sorted(by: { $0.sequence < $1.sequence }) {
            content += bytes.read(segment.records, buffer)
        }
        let read = content.withUnsafeBytes { buffer in
            var numbers = CompactBytes(buffer)
            return numbers.processes()
        }
        header.log.processes = read ?? []
        hasDamagedProcesses = read == nil
    }

    private static func uint64(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private static func uint32(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    private mutating func readTexts(_ body: UnsafeRawBufferPointer) {
        var offset = 0
        while offset + 8 <= body.count {
            let number = Self.uint32(body, offset)
            guard number != 0 else { return }
            let start = offset + 8
            let end = start + Int(Self.uint32(body, offset + 4))
            guard end <= body.count else {
                damagedTexts += 1
                return
            }
            numbers.set(number, to: texts.newNumber(of: UnsafeRawBufferPointer(rebasing: body[start..<end])))
            offset = (end + 7) & ~7
        }
    }

    private mutating func read(into consumer: any EventConsumer) -> ReadLog {
        // Streams in the order of their numbers: at equal times, the lower one comes first.
        var sources = streams.sorted { $0.key < $1.key }.map { _, segments in
            RecordStream(
                bytes, segments: segments.sorted { $0.sequence < $1.sequence }.map(\.records),
                processCount: header.log.processes.count)
        }
        var clock = LogClock(
            countsTicks: header.countsTicks, start: header.start, anchors: header.countsTicks ? anchors() : []
        )
        var count = 0
        var last: Int64 = 0
        var queue = StreamHeap(
            sources.indices.compactMap { index in sources[index].advance(numbers).map { ($0, index) } })
        while let index = queue.first {
            last = sources[index].give(to: consumer, texts, &clock)
            count += 1
            queue.replaceFirst(with: sources[index].advance(numbers))
        }
        unknownRecords += sources.reduce(0) { $0 + $1.unknownRecords }
        for source in sources { damagedEvents.add(source.damagedEvents) }
        lostTexts += sources.reduce(0) { $0 + $1.lostTexts }
        var log = header.log
        log.lastAlive = max(0, clock.nanoseconds(header.lastAlive), last)
        return ReadLog(header: log, texts: texts, eventCount: count, losses: losses(count))
    }

    private func anchors() -> [LogClock.Anchor] {
        var anchors: [LogClock.Anchor] = []
        for segment in streams.values.joined() {
            let records = bytes.read(segment.records, buffer)
            for offset in stride(from: 0, through: records.count - BinaryRecord.size, by: BinaryRecord.size) {
                guard let record = BinaryRecord(records, at: offset) else { break }
                guard record.type == RecordType.anchor.rawValue else { continue }
                anchors.append(LogClock.Anchor(time: record.time, monotonic: record.subject))
            }
        }
        return anchors
    }

    /// Whether the end of the file is missing.
    private var isCut: Bool {
        if UInt64(bytes.count) < header.sealedSize { return true }
        return bytes.count < header.headerSize || (bytes.count - header.headerSize) % header.segmentSize != 0
    }

    private func losses(_ count: Int) -> [String] {
        var losses: [String] = []
        if header.overwritten > 0 {
            losses.append(
                "only the latest events were kept: about \(Prose.grouped(header.overwritten)) earlier "
                    + "records were overwritten"
            )
        }
        if isCut {
            losses.append(
                "the file is cut off at byte \(Prose.grouped(bytes.count)); \(Prose.kept(count))")
        }
        if hasDamagedProcesses {
            losses.append("the list of its processes is damaged; all operations are shown in one process")
        }
        if damagedTexts > 0 {
            losses.append(
                Prose.counted(
                    damagedTexts, "group of names is damaged, and shown as ?",
                    "groups of names are damaged, and shown as ?"))
        }
        if let loss = damagedEvents.loss { losses.append(loss) }
        if lostTexts > 0 {
            losses.append(
                Prose.counted(
                    lostTexts, "name was overwritten or damaged, and is shown as ?",
                    "names were overwritten or damaged, and are shown as ?")
            )
        }
        if let loss = BinaryRecord.loss(unknown: unknownRecords) { losses.append(loss) }
        return losses
    }
}
