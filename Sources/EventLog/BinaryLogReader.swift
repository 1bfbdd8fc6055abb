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

    package static func read(
        _ bytes: UnsafeRawBufferPointer, into consumer: any EventConsumer
    ) throws(BinaryLogError) -> ReadLog {
        let bytes = LogBytes(bytes)
        let reader = try BinaryLogReader(bytes)
        let plan = reader.plan
        return try reader.log(plan, StreamMerge(bytes, plan).give(to: consumer, reader.texts))
    }

    /// As `read(_:into:)`, for a log that nobody writes any more. Keeps one segment of each thread in
    /// memory at a time. Decodes a log of more than a few segments on a second thread.
    ///
    /// - Throws: `BinaryLogError`, also if the file cannot be read.
    package static func read(
        file descriptor: Int32, size: Int, into consumer: any EventConsumer
    ) throws(BinaryLogError) -> ReadLog {
        let bytes = LogBytes(file: descriptor, size: size)
        let reader = try BinaryLogReader(bytes)
        let plan = reader.plan
        // Starting a thread takes about as long as reading this much.
        let isShort = size < 4 * BinaryLogHeader.segmentSize
        let found =
            isShort
            ? StreamMerge(bytes, plan).give(to: consumer, reader.texts)
            : MergeAhead(file: descriptor, size: size, plan).give(to: consumer, reader.texts)
        return try reader.log(plan, found)
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
        let read = content.withUnsafeBytes { buffer -> [LogProcess]? in
            var numbers = CompactBytes(buffer)
            guard var processes = numbers.processes() else { return nil }
            // Zeros follow in a log that does not say.
            numbers.takeProcessors(of: &processes)
            numbers.takeLimits(of: &processes)
            return processes
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

    private var plan: StreamMerge.Plan {
        StreamMerge.Plan(
            streams: streams.sorted { $0.key < $1.key }.map { _, segments in
                segments.sorted { $0.sequence < $1.sequence }.map(\.records)
            },
            texts: numbers,
            clock: LogClock(
                countsTicks: header.countsTicks, start: header.start,
                anchors: header.countsTicks ? anchors() : []),
            processCount: header.log.processes.count)
    }

    private func log(_ plan: StreamMerge.Plan, _ found: StreamMerge.Findings) throws(BinaryLogError)
        -> ReadLog
    {
        if let failure = bytes.failure ?? found.failure { throw BinaryLogError(unreadable: failure) }
        var clock = plan.clock
        var log = header.log
        log.lastAlive = max(0, clock.nanoseconds(header.lastAlive), found.last)
        return ReadLog(header: log, texts: texts, eventCount: found.eventCount, losses: losses(found))
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

    private func losses(_ found: StreamMerge.Findings) -> [String] {
        var losses: [String] = []
        if header.overwritten > 0 {
            losses.append(
                "only the latest events were kept: about \(Prose.grouped(header.overwritten)) earlier "
                    + "records were overwritten"
            )
        }
        if isCut {
            losses.append(
                "the file is cut off at byte \(Prose.grouped(bytes.count)); \(Prose.kept(found.eventCount))")
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
        if let loss = found.damagedEvents.loss { losses.append(loss) }
        if found.lostTexts > 0 {
            losses.append(
                Prose.counted(
                    found.lostTexts, "name was overwritten or damaged, and is shown as ?",
                    "names were overwritten or damaged, and are shown as ?")
            )
        }
        if let loss = BinaryRecord.loss(unknown: found.unknownRecords) { losses.append(loss) }
        return losses
    }
}
