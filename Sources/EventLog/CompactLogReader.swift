import CLogFormat

/// Reads a compact log. See Documentation/TraceFormat.md.
package struct CompactLogReader: BinaryReading {
    /// Whether a file that begins with `bytes` is a compact log.
    package static func recognizes(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.starts(with: CompactLog.magic)
    }

    private let end: Int
    private var bytes: CompactBytes
    private var state = CompactState()
    private var decoder = RecordDecoder(processCount: 0)
    private var texts = InternedTexts()
    private var numbers = TextNumbers()
    private var textCount: UInt32 = 0
    /// Whether the bytes of types say what is expected.
    private var hasFlags = false
    private var unknownRecords = 0

    package static func read(
        _ bytes: UnsafeRawBufferPointer, into consumer: any EventConsumer
    ) throws(BinaryLogError) -> ReadLog {
        var reader = CompactLogReader(bytes)
        return try reader.read(into: consumer)
    }

    private init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = CompactBytes(bytes, offset: CompactLog.magic.count)
        end = bytes.count
    }

    private mutating func read(into consumer: any EventConsumer) throws(BinaryLogError) -> ReadLog {
        guard let version = bytes.number() else { throw cut() }
        guard (1...CompactLog.version).contains(version) else {
            throw BinaryLogError(version: UInt32(clamping: version))
        }
        guard let header = header(version) else { throw cut() }
        hasFlags = version >= 5
        state = CompactState(version: version)
        decoder = RecordDecoder(processCount: header.processes.count)
        var count = 0
        var whole = bytes.offset
        var problem: String?
        var hasEnd = version < 3
        while !bytes.isAtEnd {
            switch event() {
            case .event:
                consumer.consume(decoder.event, texts)
                count += 1
                whole = bytes.offset
            case .nothing: break
            case .end(let expected):
                // Bytes after the end mark do not belong to the log.
                hasEnd = expected == UInt64(count) && bytes.isAtEnd && version >= 3
                if !hasEnd { problem = "expected the end of the log" }
            case .cut: problem = "the file is cut off"
            case .damaged: problem = "expected a record"
            }
            if problem != nil { break }
        }
        if !hasEnd, problem == nil { problem = "the file is cut off" }
        var losses =
            problem.map { ["\($0) at byte \(Prose.grouped(whole)); \(Prose.kept(count))"] } ?? []
        if decoder.lostTexts > 0 {
            losses.append(
                Prose.counted(
                    decoder.lostTexts, "name is damaged, and shown as ?",
                    "names are damaged, and shown as ?"))
        }
        if let loss = BinaryRecord.loss(unknown: unknownRecords) { losses.append(loss) }
        return ReadLog(header: header, texts: texts, eventCount: count, losses: losses)
    }

    /// Nil if the file ends inside it.
    private mutating func header(_ version: UInt64) -> LogHeader? {
        guard let processID = bytes.number(), let start = bytes.number(), let dropped = bytes.number(),
            let closed = bytes.number(), let lastAlive = bytes.number(), let process = bytes.string(),
            let host = bytes.string()
        else { return nil }
        var header = LogHeader(
            process: process, processID: Int32(truncatingIfNeeded: processID), host: host,
            start: Int64(bitPattern: start), droppedEvents: dropped, isClosed: closed == 1,
            lastAlive: max(0, Int64(bitPattern: lastAlive)))
        if closed % 2 == 0 { header.endingSignal = LogHeader.signal(closed / 2) }
        guard version > 1 else { return header }
        guard let high = bytes.number(), let low = bytes.number(), let monotonic = bytes.number(),
            let processes = bytes.processes()
        else { return nil }
        header.bootClock = BootID(high: high, low: low).map { BootClock(boot: $0, monotonic: monotonic) }
        header.processes = processes
        guard version > 3 else { return header }
        guard let recorder = bytes.string() else { return nil }
        header.recorder = recorder.isEmpty ? nil : recorder
        guard version > 5 else { return header }
        guard let times = bytes.number() else { return nil }
        header.processorTimes = ProcessorTimes(rawValue: UInt32(clamping: times))
        guard version > 6 else { return header }
        header.processors = bytes.processorCount()
        bytes.takeProcessors(of: &header.processes)
        guard version > 7 else { return header }
        guard let otherProgram = bytes.number() else { return nil }
        header.isOfAnotherProgram = otherProgram == 1
        bytes.takeLimits(of: &header.processors)
        bytes.takeLimits(of: &header.processes)
        return header
    }

    private enum Step {
        /// The decoder has the event.
        case event
        case nothing, cut, damaged
        /// The end mark, with the log's number of events.
        case end(UInt64)
    }

    /// Reads the records up to an event, or one text or thread.
    private mutating func event() -> Step {
        decoder.forget()
        while true {
            guard let byte = bytes.byte() else { return .cut }
            let type = hasFlags ? byte & CompactLog.typeMask : byte
            switch type {
            case _ where hasFlags && type != byte && !CompactLog.hasFlags(type): return .damaged
            case CompactLog.text:
                if let failure = readText() { return failure }
                return .nothing
            case CompactLog.end:
                guard let count = bytes.number() else { return .cut }
                return .end(count)
            case RecordType.thread.rawValue:
                guard let number = bytes.number() else { return .cut }
                if state.thread(numbered: number) == nil {
                    guard let thread = bytes.number() else { return .cut }
                    state.add(thread: thread)
                }
                return .nothing
            case RecordType.process.rawValue:
                guard let number = bytes.number() else { return .cut }
                decoder.set(process: number)
                return .nothing
            default:
                guard RecordType(number: type) != nil || type >= RecordType.ofLaterVersions.lowerBound else {
                    return .damaged
                }
                guard let (time, record) = record(type, flags: byte ^ type) else { return .cut }
                switch decoder.take(record, numbers) {
                case .event:
                    // Stored as the time before the event.
                    let notBefore = decoder.notBefore.map { time &- Int64(bitPattern: $0) }
                    decoder.set(time: time, notBefore: notBefore)
                    decoder.set(thread: state.thread ?? 0)
                    return .event
                case .nothing: continue
                case .unknown: unknownRecords += 1
                case .damaged: return .damaged
                }
            }
        }
    }

    /// Nil if it was read.
    private mutating func readText() -> Step? {
        guard hasFlags else {
            guard let text = bytes.text() else { return .cut }
            add(text)
            return nil
        }
        guard let count = bytes.number(), let rest = bytes.text() else { return .cut }
        guard let shared = state.shared(count) else { return .damaged }
        let text = Array(shared) + rest
        text.withUnsafeBytes { add($0) }
        state.add(text: text)
        return nil
    }

    private mutating func add(_ text: UnsafeRawBufferPointer) {
        textCount &+= 1
        numbers.set(textCount, to: texts.newNumber(of: text))
    }

    /// What follows the type; nil if the file ends within it. The time is that of an event.
    private mutating func record(_ type: UInt8, flags: UInt8) -> (time: Int64, record: BinaryRecord)? {
        let hasArgument = CompactLog.hasArgument(type)
        let isSecondExpected = flags & CompactLog.expectedSecond != 0
        var time: Int64 = 0
        if RecordType.ofEvents.contains(type) {
            var elapsed: Int64 = 0
            if hasArgument || !isSecondExpected {
                guard let number = hasFlags ? bytes.number().map(Int64.init(bitPattern:)) : bytes.signed()
                else { return nil }
                elapsed = number
            }
            time = state.advance(by: elapsed)
        }
        var difference: Int64 = 0
        if flags & CompactLog.expectedSubject == 0 {
            guard let number = bytes.signed() else { return nil }
            difference = number
        }
        let subject = state.subject(by: difference, type: type)
        var argument: UInt64 = 0
        if hasArgument {
            guard let number = isSecondExpected ? state.expectedArgument(type) : self.argument(type) else {
                return nil
            }
            argument = number & BinaryRecord.argumentMask
            state.set(argument: argument, type: type)
        }
        return (time, BinaryRecord(number: type, subject: subject, argument: argument))
    }

    private mutating func argument(_ type: UInt8) -> UInt64? {
        guard let number = bytes.number() else { return nil }
        guard hasFlags, type == RecordType.enqueued.rawValue else { return number }
        guard let kind = bytes.number() else { return nil }
        return number & (1 << EventSchema.queueBits - 1) | kind << EventSchema.queueBits
    }

    private func cut() -> BinaryLogError {
        BinaryLogError(offset: end, reason: "the file ends within its header")
    }
}
