/// Reads a compact log. See Documentation/TraceFormat.md.
public struct CompactLogReader {
    /// Whether a file that begins with `bytes` is a compact log.
    public static func recognizes(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.starts(with: CompactLog.magic)
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset: Int
    private var state = CompactState()
    private var decoder = RecordDecoder()
    private var texts = InternedTexts()
    private var numbers = TextNumbers()
    private var textCount: UInt32 = 0

    /// Reads all of a log, or up to where it is cut or damaged, event by event. Linear in its size.
    ///
    /// - Throws: `BinaryLogError` when it is no log, or of another version.
    public static func read(_ bytes: [UInt8]) throws(BinaryLogError) -> EventLogContents {
        let collector = EventCollector()
        return try bytes.withUnsafeBufferPointer { (buffer) throws(BinaryLogError) in
            collector.contents(try read(UnsafeRawBufferPointer(buffer), into: collector))
        }
    }

    /// Gives the events of a log to `consumer`. Linear in its size; what it remembers itself are the texts.
    ///
    /// - Throws: `BinaryLogError` when it is no log, or of another version; then there was no event.
    package static func read(
        _ bytes: UnsafeRawBufferPointer, into consumer: any EventConsumer
    ) throws(BinaryLogError) -> ReadLog {
        var reader = CompactLogReader(bytes)
        return try reader.read(into: consumer)
    }

    private init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        offset = CompactLog.magic.count
    }

    private mutating func read(into consumer: any EventConsumer) throws(BinaryLogError) -> ReadLog {
        guard let version = number() else { throw cut() }
        guard version == CompactLog.version else { throw BinaryLogError(version: UInt32(clamping: version)) }
        guard let processID = number(), let start = number(), let dropped = number(), let closed = number(),
            let lastAlive = number(), let process = text().map(Self.string),
            let host = text().map(Self.string)
        else { throw cut() }
        let header = LogHeader(
            process: process, processID: Int32(truncatingIfNeeded: processID), host: host,
            start: Int64(bitPattern: start), droppedEvents: dropped, isClosed: closed == 1,
            lastAlive: max(0, Int64(bitPattern: lastAlive)))
        var count = 0
        var whole = offset
        var problem: String?
        while offset < bytes.count {
            switch event() {
            case .event:
                consumer.consume(decoder.event, texts)
                count += 1
                whole = offset
            case .nothing: break
            case .cut: problem = "the file is cut off"
            case .damaged: problem = "what stands there is no record"
            }
            if problem != nil { break }
        }
        let losses = problem.map {
            "\($0) at byte \(whole); \(count) whole events before that were kept"
        }
        return ReadLog(header: header, texts: texts, eventCount: count, losses: losses.map { [$0] } ?? [])
    }

    private enum Step {
        /// The decoder has it.
        case event
        case nothing, cut, damaged
    }

    /// Records up to an event, or one text or thread.
    private mutating func event() -> Step {
        decoder.forget()
        while true {
            guard let type = byte() else { return .cut }
            switch type {
            case CompactLog.text:
                guard let text = text() else { return .cut }
                textCount &+= 1
                numbers.set(textCount, to: texts.newNumber(of: text))
                return .nothing
            case RecordType.thread.rawValue:
                guard let number = number() else { return .cut }
                if state.thread(numbered: number) == nil {
                    guard let thread = self.number() else { return .cut }
                    state.add(thread: thread)
                }
                return .nothing
            default:
                guard let known = RecordType(rawValue: type) else { return .damaged }
                var time: Int64 = 0
                if type >= RecordType.enqueued.rawValue {
                    guard let difference = signed() else { return .cut }
                    time = state.advance(by: difference)
                }
                guard let difference = signed() else { return .cut }
                let subject = state.subject(by: difference, type: type)
                var argument: UInt64 = 0
                if CompactLog.hasArgument(type) {
                    guard let number = number() else { return .cut }
                    argument = number & BinaryRecord.argumentMask
                }
                switch decoder.take(BinaryRecord(known, subject: subject, argument: argument), numbers) {
                case .event:
                    // How long before the event.
                    let notBefore = decoder.notBefore.map { time &- Int64(bitPattern: $0) }
                    decoder.set(time: time, notBefore: notBefore)
                    decoder.set(thread: state.thread ?? 0)
                    return .event
                case .nothing: continue
                case .unknown: return .damaged
                }
            }
        }
    }

    private func cut() -> BinaryLogError {
        BinaryLogError(offset: bytes.count, reason: "the file ends within its header")
    }

    // MARK: Bytes

    private mutating func byte() -> UInt8? {
        guard offset < bytes.count else { return nil }
        defer { offset += 1 }
        return bytes[offset]
    }

    private mutating func number() -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = byte() else { return nil }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        return nil
    }

    private mutating func signed() -> Int64? {
        number().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
    }

    private mutating func text() -> UnsafeRawBufferPointer? {
        guard let count = number(), count <= UInt64(bytes.count - offset) else { return nil }
        defer { offset += Int(count) }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(count)])
    }

    private static func string(_ text: UnsafeRawBufferPointer) -> String {
        String(decoding: text, as: UTF8.self)
    }
}
