/// Reads a compact log. See Documentation/TraceFormat.md.
public struct CompactLogReader {
    /// Whether a file that begins with `bytes` is a compact log.
    public static func recognizes(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.starts(with: CompactLog.magic)
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset: Int
    private var state = CompactState()
    private var texts: [UInt32: String] = [:]

    /// Reads all of a log, or up to where it is cut or damaged. Linear in its size.
    ///
    /// - Throws: `BinaryLogError` when it is no log, or of another version.
    public static func read(_ bytes: [UInt8]) throws(BinaryLogError) -> EventLogContents {
        let result: Result<EventLogContents, BinaryLogError> = bytes.withUnsafeBytes { buffer in
            var reader = CompactLogReader(buffer)
            do throws(BinaryLogError) {
                return .success(try reader.contents())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        offset = CompactLog.magic.count
    }

    private mutating func contents() throws(BinaryLogError) -> EventLogContents {
        guard let version = number() else { throw cut() }
        guard version == CompactLog.version else { throw BinaryLogError(version: UInt32(clamping: version)) }
        guard let processID = number(), let start = number(), let dropped = number(), let closed = number(),
            let lastAlive = number(), let process = text(), let host = text()
        else { throw cut() }
        let header = LogHeader(
            process: process, processID: Int32(truncatingIfNeeded: processID), host: host,
            start: Int64(bitPattern: start), droppedEvents: dropped, isClosed: closed == 1,
            lastAlive: Int64(bitPattern: lastAlive))
        var events: [LogEvent] = []
        var whole = offset
        var problem: String?
        while offset < bytes.count {
            switch event() {
            case .event(let event):
                events.append(event)
                whole = offset
            case .nothing: break
            case .cut: problem = "the file is cut off"
            case .damaged: problem = "what stands there is no record"
            }
            if problem != nil { break }
        }
        let losses = problem.map {
            "\($0) at byte \(whole); \(events.count) whole events before that were kept"
        }
        return EventLogContents(header: header, events: events, losses: losses.map { [$0] } ?? [])
    }

    private enum Step {
        case event(LogEvent)
        case nothing, cut, damaged
    }

    /// Records up to an event, or one text or thread.
    private mutating func event() -> Step {
        var decoder = RecordDecoder(texts: texts)
        while true {
            guard let type = byte() else { return .cut }
            switch type {
            case CompactLog.text:
                guard let text = text() else { return .cut }
                texts[UInt32(truncatingIfNeeded: texts.count + 1)] = text
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
                switch decoder.take(BinaryRecord(known, subject: subject, argument: argument)) {
                case .event(let body, let length):
                    return .event(
                        LogEvent(
                            time: time, notBefore: length.map { time &- Int64(bitPattern: $0) },
                            thread: state.thread ?? 0, body))
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

    private mutating func text() -> String? {
        guard let count = number(), count <= UInt64(bytes.count - offset) else { return nil }
        defer { offset += Int(count) }
        return String(decoding: bytes[offset..<offset + Int(count)], as: UTF8.self)
    }
}
