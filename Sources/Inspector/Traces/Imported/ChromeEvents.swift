import CTraceJSON
import EventLog

/// The events of a Chrome trace of another program, as they were read: numbers and interned texts.
struct ChromeEvents {
    enum Phase: UInt8 { case slice, begin, end, asyncBegin, asyncEnd, flow, flowEnd, instant }

    struct Entry {
        var phase: Phase
        /// Whether `bp` is `e`: this end of a flow belongs to the slice around it, not to the next slice.
        var isEnclosed = false
        /// Index into `tracks`.
        var track: Int32
        var name: InternedTexts.Number
        /// The slice's own name, if it also has one.
        var detail: InternedTexts.Number?
        var category: InternedTexts.Number
        /// Index of the asynchronous slice or the flow that the event belongs to.
        var group: Int32 = -1
        /// Nanoseconds since the program's own origin.
        var time: Int64
        /// Nil if the slice did not end before the trace did.
        var duration: Int64?
    }

    /// The thread that an event belongs to.
    struct Track: Hashable {
        var process: InternedTexts.Number
        var thread: InternedTexts.Number
    }

    /// Identifies the events of an asynchronous slice, or of a flow.
    private struct GroupKey: Hashable {
        var isFlow: Bool
        var category: InternedTexts.Number
        var name: InternedTexts.Number
        var identifier: InternedTexts.Number
        var scope: InternedTexts.Number
        var process: InternedTexts.Number
    }

    private(set) var entries: [Entry] = []
    private(set) var tracks: [Track] = []
    private(set) var threadNames: [Track: InternedTexts.Number] = [:]
    private(set) var processNames: [InternedTexts.Number: InternedTexts.Number] = [:]
    /// Counts events that are not about operations, by the letter of their phase.
    private(set) var leftOut: [String: Int] = [:]
    /// Events without a time.
    private(set) var timeless = LeftOutEvents()
    /// Events whose time is not a number.
    private(set) var mistimed = LeftOutEvents()
    /// Slices whose duration is negative or not a number.
    private(set) var mismeasured = LeftOutEvents()
    /// Totals that clang writes as slices from the start of the trace.
    private(set) var sums = 0
    private(set) var texts = InternedTexts()

    private var indexOfTrack: [Track: Int32] = [:]
    private var indexOfGroup: [GroupKey: Int32] = [:]

    mutating func take(_ event: chrome_event) {
        switch event.phase.letter {
        case UInt8(ascii: "X") where event.has_average && event.name.isTotal: sums += 1
        case UInt8(ascii: "X"): append(event, .slice)
        case UInt8(ascii: "B"): append(event, .begin)
        case UInt8(ascii: "E"): append(event, .end)
        case UInt8(ascii: "b"): appendAsync(event, .asyncBegin, isNestable: true)
        case UInt8(ascii: "e"): appendAsync(event, .asyncEnd, isNestable: true)
        case UInt8(ascii: "S"): appendAsync(event, .asyncBegin, isNestable: false)
        case UInt8(ascii: "F"): appendAsync(event, .asyncEnd, isNestable: false)
        case UInt8(ascii: "s"), UInt8(ascii: "t"): appendFlow(event, .flow)
        case UInt8(ascii: "f"): appendFlow(event, .flowEnd)
        case UInt8(ascii: "i"), UInt8(ascii: "I"), UInt8(ascii: "R"): append(event, .instant)
        case UInt8(ascii: "M"): takeMetadata(event)
        default:
            let phase = event.phase.string.map { TerminalText.shortened($0, toColumns: 10) } ?? ""
            // The number of different phases in a file has no limit.
            leftOut[leftOut.count < 30 ? phase : "", default: 0] += 1
        }
    }

    /// The number of different asynchronous slices and flows.
    var groupCount: Int { indexOfGroup.count }

    // MARK: Reading

    private mutating func append(_ event: chrome_event, _ phase: Phase) {
        guard let entry = entry(event, phase) else { return }
        entries.append(entry)
        guard phase == .slice, event.flow.length > 0 else { return }
        // A flow that passes the slice, without events of its own. It enters at the beginning, and leaves
        // there too.
        var end = entry
        end.group = group(event, event.flow, isFlow: true, isNamed: false)
        end.isEnclosed = true
        end.phase = .flow
        if event.flows_in || event.flows_out { entries.append(end) }
    }

    private mutating func appendAsync(_ event: chrome_event, _ phase: Phase, isNestable: Bool) {
        guard var entry = entry(event, phase) else { return }
        entry.group = group(event, event.identifier, isFlow: false, isNamed: !isNestable)
        entries.append(entry)
    }

    private mutating func appendFlow(_ event: chrome_event, _ phase: Phase) {
        guard var entry = entry(event, phase) else { return }
        entry.group = group(event, event.identifier, isFlow: true, isNamed: true)
        entries.append(entry)
    }

    private mutating func entry(_ event: chrome_event, _ phase: Phase) -> Entry? {
        guard let time = event.timestamp.nanoseconds else {
            if event.timestamp.length == 0 {
                timeless.add(at: event.offset)
            } else {
                mistimed.add(at: event.offset)
            }
            return nil
        }
        var duration: Int64?
        // A trace that was cut off has slices without a duration.
        if phase == .slice, event.duration.length > 0 {
            duration = event.duration.nanoseconds
            guard duration ?? -1 >= 0 else {
                mismeasured.add(at: event.offset)
                return nil
            }
        }
        return Entry(
            phase: phase, isEnclosed: event.is_enclosed, track: track(event), name: kind(event.name),
            detail: event.detail.bytes.map { texts.number(of: $0) }, category: number(event.category),
            time: time, duration: duration)
    }

    private mutating func takeMetadata(_ event: chrome_event) {
        guard let bytes = event.own_name.bytes, bytes.count > 0 else { return }
        let name = texts.number(of: bytes)
        if event.name.equals("process_name") {
            processNames[number(event.process)] = name
        } else if event.name.equals("thread_name") {
            threadNames[Track(process: number(event.process), thread: number(event.thread))] = name
        }
    }

    private mutating func track(_ event: chrome_event) -> Int32 {
        let track = Track(process: number(event.process), thread: number(event.thread))
        if let last = entries.last, tracks[Int(last.track)] == track { return last.track }
        if let index = indexOfTrack[track] { return index }
        let index = Int32(tracks.count)
        tracks.append(track)
        indexOfTrack[track] = index
        return index
    }

    private mutating func group(
        _ event: chrome_event, _ identifier: trace_text, isFlow: Bool, isNamed: Bool
    ) -> Int32 {
        let key = GroupKey(
            isFlow: isFlow, category: number(event.category),
            name: isNamed ? number(event.name) : InternedTexts.empty, identifier: number(identifier),
            scope: number(event.scope),
            process: event.is_local ? number(event.process) : InternedTexts.empty)
        if let index = indexOfGroup[key] { return index }
        let index = Int32(indexOfGroup.count)
        indexOfGroup[key] = index
        return index
    }

    /// Profilers write `name (/a/long/path/file.py:12)`. The kind keeps only the file's name.
    private mutating func kind(_ name: trace_text) -> InternedTexts.Number {
        guard let bytes = name.bytes, bytes.last == UInt8(ascii: ")"),
            let slash = bytes.lastIndex(of: UInt8(ascii: "/")),
            let bracket = bytes[..<slash].lastIndex(of: UInt8(ascii: "(")),
            bracket > 0, bytes[bracket - 1] == UInt8(ascii: " "),
            bytes[slash...].contains(UInt8(ascii: ":"))
        else { return number(name) }
        let short = Array(bytes[...bracket]) + Array(bytes[(slash + 1)...])
        return short.withUnsafeBytes { texts.number(of: $0) }
    }

    private mutating func number(_ text: trace_text) -> InternedTexts.Number {
        text.bytes.map { texts.number(of: $0) } ?? InternedTexts.empty
    }
}

extension trace_text {
    /// From microseconds. Some programs write large and small numbers with an exponent.
    fileprivate var nanoseconds: Int64? {
        guard let bytes else { return nil }
        if let nanoseconds = LogTimestamp.nanoseconds(ofMicroseconds: bytes) { return nanoseconds }
        guard let number = string.flatMap(Double.init), number.isFinite else { return nil }
        return Int64(rounding: number * 1_000)
    }

    fileprivate var isTotal: Bool { string?.hasPrefix("Total ") == true }

    /// The byte of a text with one byte, otherwise 0.
    fileprivate var letter: UInt8 { length == 1 ? bytes?.first ?? 0 : 0 }
}
