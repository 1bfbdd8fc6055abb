import CLogFormat

/// Writes events as a complete binary log, like that of a recorder, in one stream.
package struct BinaryLogEncoder {
    private var header: BinaryLogHeader
    private var records: [UInt8] = []
    private var texts: [UInt8] = []
    private var numbers = WrittenTexts()
    private var thread: UInt64?
    private var process: Int32 = 0
    private var group: [BinaryRecord] = []
    /// How many events were left out because their identifiers exceed the format's limits.
    package private(set) var unencodableEvents = 0
    /// How many texts were cut because they are longer than a segment.
    package private(set) var cutTexts = 0

    package init(header: LogHeader) { self.header = BinaryLogHeader(header) }

    /// Appends one event. The order of the calls is the order of the log.
    package mutating func encode(_ event: LogEvent) { encode(numbers.fields(of: event), numbers.texts) }

    /// The same for an event as a reader passes it on. All must come from the same reader.
    package mutating func encode(_ event: EventFields, _ source: InternedTexts) {
        var event = event
        for text in numbers.renumber(&event) {
            source.withBytes(of: text.source) { append(text: text.written, $0) }
        }
        group.removeAll(keepingCapacity: true)
        guard event.encode(into: &group) else {
            unencodableEvents += 1
            return
        }
        if thread != event.thread {
            thread = event.thread
            append(BinaryRecord(.thread, subject: event.thread), at: event.time)
        }
        if process != event.process {
            process = event.process
            append(BinaryRecord(.process, subject: UInt64(clamping: event.process)), at: event.time)
        }
        if let notBefore = event.notBefore {
            append(BinaryRecord(.notBefore, subject: UInt64(bitPattern: notBefore)), at: event.time)
        }
        for record in group { append(record, at: event.time) }
    }

    private mutating func append(_ record: BinaryRecord, at time: Int64) {
        var record = record
        record.time = UInt64(bitPattern: time)
        record.append(to: &records)
    }

    /// Cuts texts that are longer than a segment.
    private mutating func append(text number: UInt32, _ content: UnsafeRawBufferPointer) {
        let room = BinaryLogHeader.segmentSize - BinaryLogHeader.segmentHeaderSize
        var bytes = content[...]
        if bytes.count > LOG_LONGEST_TEXT {
            var end = LOG_LONGEST_TEXT
            while end > 0 && bytes[end] & 0xC0 == 0x80 { end -= 1 }
            bytes = bytes[..<end]
            cutTexts += 1
        }
        let size = (8 + bytes.count + 7) & ~7
        // A text must not cross the end of its segment.
        let used = texts.count % room
        if used + size > room { texts.append(contentsOf: repeatElement(0, count: room - used)) }
        for part in [number, UInt32(bytes.count)] {
            withUnsafeBytes(of: part.littleEndian) { texts.append(contentsOf: $0) }
        }
        texts += bytes
        texts.append(contentsOf: repeatElement(0, count: size - 8 - bytes.count))
    }

    /// The whole file.
    package consuming func finish() -> [UInt8] {
        // The header is written again when the size is known.
        var file = header.bytes
        let room = BinaryLogHeader.segmentSize - BinaryLogHeader.segmentHeaderSize
        var sequence: UInt64 = 0
        var processes: [UInt8] = []
        if !header.log.processes.isEmpty {
            processes.appendProcesses(header.log.processes)
            for process in header.log.processes { processes.append(process.processors) }
            for process in header.log.processes { processes.append(limitsOf: process.processors) }
        }
        for (kind, content, unit) in [
            (LOG_SEGMENT_PROCESSES, processes, 1), (LOG_SEGMENT_TEXTS, texts, 8),
            (LOG_SEGMENT_RECORDS, records, BinaryRecord.size),
        ] {
            let share = room / unit * unit
            for start in stride(from: 0, to: content.count, by: share) {
                sequence += 1
                func append(_ value: some FixedWidthInteger) {
                    withUnsafeBytes(of: value.littleEndian) { file.append(contentsOf: $0) }
                }
                append(UInt32(kind))
                append(UInt32(0))
                append(UInt64(1))
                append(sequence)
                append(UInt64(0))
                let part = content[start..<min(start + share, content.count)]
                file += part
                file.append(contentsOf: repeatElement(0, count: room - part.count))
            }
        }
        if header.flags.contains(.sealed) || header.log.endingSignal != nil {
            header.sealedSize = UInt64(file.count)
            file.replaceSubrange(0..<BinaryLogHeader.size, with: header.bytes)
        }
        return file
    }
}
