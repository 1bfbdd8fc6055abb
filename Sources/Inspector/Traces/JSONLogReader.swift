import CTraceJSON
import EventLog
import Foundation

/// Reads the JSON form of an event log, and reports what is wrong with a damaged one.
final class JSONLogReader {
    private let path: String
    private let descriptor: Int32
    private var header: LogHeader?
    private var refusal: TraceError?
    private let consumer: any EventConsumer
    /// A pointer, because a property of an object is checked for exclusive access at each event.
    private let state: UnsafeMutablePointer<Events>
    private var events: Events { state.pointee }

    private struct Events {
        let members = JSONMembers.all
        var texts = InternedTexts()
        /// The current event.
        var event = EventFields()
        var count = 0
        /// The process of a merged log, by the `pid` of events. Empty for a single process.
        var processes: [Int64: Int32] = [:]
        /// Events that are well-formed JSON but unknown to this version.
        var unknown = 0
        /// Events of known types that lack required members.
        var damaged = DamagedEvents()

        mutating func take(_ event: trace_event, _ consumer: any EventConsumer) {
            switch self.event.take(event, members, &texts) {
            case .event: break
            case .unknown:
                unknown += 1
                return
            case .damaged(let lack):
                damaged.add(at: Int(clamping: event.offset), without: lack)
                return
            }
            self.event.process = processes.isEmpty ? 0 : processes[event.process] ?? 0
            count += 1
            consumer.consume(self.event, texts)
        }
    }

    init(path: String, descriptor: Int32, consumer: any EventConsumer) {
        self.path = path
        self.descriptor = descriptor
        self.consumer = consumer
        state = .allocate(capacity: 1)
        state.initialize(to: Events())
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Passes the events to the consumer. Linear in the file's size. Memory does not grow with the file,
    /// except for texts.
    func read() throws(TraceError) -> ReadLog {
        let wanted = JSONMembers.all.wanted
        let result = trace_json_read(
            descriptor, wanted, wanted.count, Unmanaged.passUnretained(self).toOpaque(),
            { Unmanaged<JSONLogReader>.fromOpaque($0!).takeUnretainedValue().take(header: $1!.pointee) },
            { Unmanaged<JSONLogReader>.fromOpaque($0!).takeUnretainedValue().take(event: $1!.pointee) })
        let reason = String(cString: strerror(errno))
        if let refusal { throw refusal }
        guard let header, result.ending != TRACE_OTHER else {
            let chrome = ChromeTraceReader(path: path, descriptor: descriptor)
            if let log = chrome.read(into: consumer) { return log }
            let spans = OTLPTraceReader(path: path, descriptor: descriptor)
            if let log = try spans.read(into: consumer) { return log }
            throw noTrace(result, reason)
        }
        guard result.has_events || result.ending == TRACE_CUT || result.ending == TRACE_MALFORMED else {
            throw TraceError(.notATrace, path: path, reason: #"is a trace's header without "traceEvents""#)
        }
        guard events.count > 0 || result.ending == TRACE_WHOLE else { throw noTrace(result, reason) }
        let others = self.losses(result, header, reason)
        return ReadLog(
            header: header, texts: events.texts, eventCount: events.count,
            losses: header.ending(besides: others) + others)
    }

    // MARK: Errors

    /// The error for a file that cannot be used at all.
    private func noTrace(_ result: trace_result, _ reason: String) -> TraceError {
        let offset = Int(clamping: result.offset)
        switch result.ending {
        case TRACE_UNREADABLE:
            return TraceError(.unreadable, path: path, offset: offset, reason: reason)
        case TRACE_TOO_LARGE:
            return TraceError(.notATrace, path: path, offset: offset, reason: "a value is larger than 64 MiB")
        case TRACE_CUT where offset == 0:
            return TraceError(.notATrace, path: path, reason: "is empty")
        case TRACE_CUT:
            return TraceError(
                .notATrace, path: path, offset: offset, reason: "the file ends before the first whole event")
        case TRACE_MALFORMED:
            return TraceError(
                .notATrace, path: path, offset: offset,
                reason: offset == 0
                    ? "not a trace: expected {"
                    : "is not JSON that could be a trace"
            )
        default:
            return TraceError(
                .notATrace, path: path,
                reason: #"is JSON, but not a trace: expected an object with "otherData" and its "format": "#
                    + "\"\(LogHeader.format)\", a Chrome trace with slices, or spans of OpenTelemetry")
        }
    }

    /// What is missing from a log that could be partly read.
    private func losses(_ result: trace_result, _ header: LogHeader, _ reason: String) -> [String] {
        var losses: [String] = []
        let kept = Prose.kept(events.count)
        switch result.ending {
        case TRACE_CUT where header.isClosed || header.endingSignal != nil:
            losses.append("the file is cut off at byte \(Prose.grouped(result.offset)); \(kept)")
        case TRACE_MALFORMED:
            losses.append("the file is not JSON from byte \(Prose.grouped(result.offset)) on; \(kept)")
        case TRACE_UNREADABLE:
            losses.append("reading failed at byte \(Prose.grouped(result.offset)) (\(reason)); \(kept)")
        case TRACE_TOO_LARGE:
            losses.append("a value at byte \(Prose.grouped(result.offset)) is larger than 64 MiB; \(kept)")
        default:
            break
        }
        losses += header.losses(
            of: events.count, end: result.ending == TRACE_CUT ? Int(clamping: result.offset) : nil)
        if result.damaged_events > 0 {
            losses.append(
                Prose.counted(
                    result.damaged_events, "event could not be read and was left out, at byte ",
                    "events could not be read and were left out, the first at byte ")
                    + Prose.grouped(result.first_damaged_offset))
        }
        if let loss = events.damaged.loss { losses.append(loss) }
        if events.unknown > 0 {
            losses.append(
                Prose.counted(
                    events.unknown,
                    "event is of an unknown type, and was left out; a newer opviz may read it",
                    "events are of an unknown type, and were left out; a newer opviz may read them"))
        }
        return losses
    }

    // MARK: Decoding

    private func take(header fields: trace_header) -> Bool {
        guard fields.format.string == LogHeader.format else {
            // Other programs may put anything there.
            if fields.format.string == nil { return false }
            refusal = TraceError(
                .notATrace, path: path,
                reason: "is JSON, but not an opviz trace: its format is "
                    + (fields.format.string.map { "\"\(TerminalText.shortened($0))\"" } ?? "")
                    + ", expected \"\(LogHeader.format)\"")
            return false
        }
        guard (1...Int64(LogHeader.currentVersion)).contains(fields.version) else {
            refusal = TraceError(
                fields.version > 0 ? .newerVersion : .notATrace, path: path,
                reason: "is a trace of version \(fields.version), but this opviz reads up to version "
                    + "\(LogHeader.currentVersion)" + (fields.version > 0 ? "; use a newer opviz" : ""))
            return false
        }
        header = LogHeader(
            process: fields.process.string ?? "", processID: fields.process_id.number(radix: 10) ?? 0,
            host: fields.host.string ?? "", start: fields.start.number(radix: 10) ?? 0,
            droppedEvents: fields.dropped.number(radix: 10) ?? 0, isClosed: fields.is_closed,
            lastAlive: max(0, fields.last_alive.bytes.flatMap(LogTimestamp.nanoseconds) ?? 0))
        header?.isOfAnotherProgram = fields.is_of_another_program
        header?.recorder = fields.recorder.string
        let word = fields.processor_times.string
        header?.processorTimes = ProcessorTimes.allCases.first { $0.word == word }
        header?.processors = ProcessorCount(
            fields.processors, fields.usable_processors, quota: fields.processor_quota,
            later: fields.later_processors)
        let signal: Int32? = fields.signal.number(radix: 10)
        if !fields.is_closed { header?.endingSignal = signal.flatMap { LogHeader.signal($0) } }
        if let boot = fields.boot.string.flatMap({ BootID($0) }),
            let monotonic: UInt64 = fields.monotonic.number(radix: 10)
        {
            header?.bootClock = BootClock(boot: boot, monotonic: monotonic)
        }
        let processes = UnsafeBufferPointer(start: fields.processes, count: fields.process_count)
        header?.processes = processes.map { LogProcess($0) }
        for (index, process) in processes.enumerated() {
            let number: Int64? =
                process.event_process_id.number(radix: 10) ?? process.process_id.number(radix: 10)
            if let number, events.processes[number] == nil {
                state.pointee.processes[number] = Int32(clamping: index)
            }
        }
        return true
    }

    private func take(event: trace_event) {
        if event.category.equals("view") || event.phase.equals("M") { return }
        state.pointee.take(event, consumer)
    }
}

extension LogProcess {
    fileprivate init(_ fields: trace_process) {
        func time(_ text: trace_text) -> Int64 { text.bytes.flatMap(LogTimestamp.nanoseconds) ?? 0 }
        self.init(
            process: fields.process.string ?? "", processID: fields.process_id.number(radix: 10) ?? 0,
            host: fields.host.string ?? "", start: fields.start.number(radix: 10) ?? 0,
            offset: time(fields.offset), shift: time(fields.shift),
            operationsBefore: fields.operations_before.number(radix: 10) ?? 0,
            droppedEvents: fields.dropped.number(radix: 10) ?? 0, isClosed: fields.is_closed,
            lastAlive: time(fields.last_alive))
        processors = ProcessorCount(
            fields.processors, fields.usable_processors, quota: fields.processor_quota,
            later: fields.later_processors)
    }
}

extension ProcessorCount {
    fileprivate init?(_ online: trace_text, _ usable: trace_text, quota: trace_text, later: trace_text) {
        func number(_ text: trace_text) -> UInt32 { text.number(radix: 10) ?? 0 }
        self.init(
            online: number(online), usable: number(usable), quota: number(quota), later: number(later))
    }
}
