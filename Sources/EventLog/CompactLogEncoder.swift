import CLogFormat

/// Writes events as a compact log, a form for storing complete logs. See Documentation/TraceFormat.md.
///
/// Each event takes a few bytes: its time is stored relative to the event before, its operation and its
/// argument only if they are not those that usually follow, and numbers in as few bytes as possible.
package struct CompactLogEncoder {
    private var bytes: [UInt8]
    private var state = CompactState()
    private var process: Int32 = 0
    private var numbers = WrittenTexts()
    private var group: [BinaryRecord] = []
    /// How many events were encoded.
    package private(set) var count: UInt64 = 0
    /// How many events were left out because their identifiers exceed the format's limits.
    package private(set) var unencodableEvents = 0

    package init(header: LogHeader) {
        bytes = CompactLog.magic
        bytes.appendNumber(CompactLog.version)
        for number in [
            UInt64(bitPattern: Int64(header.processID)), UInt64(bitPattern: header.start),
            header.droppedEvents,
            header.isClosed ? 1 : 2 * UInt64(clamping: header.endingSignal ?? 0),
            UInt64(bitPattern: header.lastAlive),
        ] { bytes.appendNumber(number) }
        for text in [header.process, header.host] { bytes.appendText(text) }
        for number in [header.bootClock?.boot.high, header.bootClock?.boot.low, header.bootClock?.monotonic] {
            bytes.appendNumber(number ?? 0)
        }
        bytes.appendProcesses(header.processes)
        bytes.appendText(header.recorder ?? "")
        bytes.appendNumber(UInt64(header.processorTimes?.rawValue ?? 0))
        bytes.append(header.processors)
        for process in header.processes { bytes.append(process.processors) }
        bytes.appendNumber(header.isOfAnotherProgram ? 1 : 0)
        bytes.append(limitsOf: header.processors)
        for process in header.processes { bytes.append(limitsOf: process.processors) }
    }

    /// Appends one event. The order of the calls is the order of the log.
    package mutating func encode(_ event: LogEvent) { encode(numbers.fields(of: event), numbers.texts) }

    /// The same for an event as a reader passes it on. All must come from the same reader.
    package mutating func encode(_ event: EventFields, _ source: InternedTexts) {
        var event = event
        // The texts of an event are stored before it.
        for text in numbers.renumber(&event) { source.withBytes(of: text.source) { append(text: $0) } }
        group.removeAll(keepingCapacity: true)
        if let notBefore = event.notBefore {
            // Stored as the time before the event, which is small.
            group.append(BinaryRecord(.notBefore, subject: UInt64(bitPattern: event.time &- notBefore)))
        }
        guard event.encode(into: &group) else {
            unencodableEvents += 1
            return
        }
        count += 1
        if event.process != process {
            process = event.process
            bytes.append(RecordType.process.rawValue)
            bytes.appendNumber(UInt64(clamping: event.process))
        }
        if event.thread != state.thread {
            bytes.append(RecordType.thread.rawValue)
            bytes.appendNumber(state.number(ofThread: event.thread))
            if state.isNewThread { bytes.appendNumber(event.thread) }
        }
        for record in group { append(record, at: event.time) }
    }

    private mutating func append(text: UnsafeRawBufferPointer) {
        let content = Array(text)
        let shared = state.shared(with: content)
        bytes.append(CompactLog.text)
        bytes.appendNumber(UInt64(shared))
        bytes.appendNumber(UInt64(content.count - shared))
        bytes += content[shared...]
        state.add(text: content)
    }

    private mutating func append(_ record: BinaryRecord, at time: Int64) {
        let hasArgument = CompactLog.hasArgument(record.type)
        let hasTime = RecordType.ofEvents.contains(record.type)
        let elapsed = hasTime ? state.advance(to: time) : 0
        let difference = state.difference(ofSubject: record.subject, type: record.type)
        let isSecondExpected =
            hasArgument
            ? state.isExpected(argument: record.argument, type: record.type) : hasTime && elapsed == 0
        bytes.append(
            record.type | (difference == 0 ? CompactLog.expectedSubject : 0)
                | (isSecondExpected ? CompactLog.expectedSecond : 0))
        if hasTime, hasArgument || !isSecondExpected { bytes.appendNumber(UInt64(bitPattern: elapsed)) }
        if difference != 0 { bytes.appendSigned(difference) }
        if hasArgument, !isSecondExpected {
            for part in CompactLog.parts(ofArgument: record.argument, type: record.type) {
                bytes.appendNumber(part)
            }
        }
    }

    /// The whole file.
    package consuming func finish() -> [UInt8] {
        bytes.append(CompactLog.end)
        bytes.appendNumber(count)
        return bytes
    }
}
