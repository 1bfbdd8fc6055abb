import CTraceJSON

/// Events of one kind that were left out: their number, and the offset of the first in the file.
struct LeftOutEvents {
    private(set) var count = 0
    private(set) var first: UInt64?

    init() {}

    /// Events that could not be parsed.
    init(_ result: trace_result) {
        count = Int(clamping: result.damaged_events)
        if count > 0 { first = result.first_damaged_offset }
    }

    mutating func add(at offset: UInt64) {
        count += 1
        if first == nil { first = offset }
    }
}

/// What could not be used in a trace of another program, as `TraceReader` reports it.
struct ChromeLosses {
    /// How the file was interpreted, and which parts are not about operations. These are not losses.
    private(set) var notes: [String] = []
    private(set) var texts: [String] = []
    private var leftOut: [String] = []
    private var unused: [String] = []

    /// - Parameters:
    ///   - noun: what the file's entries are called, in the plural.
    ///   - mayEndAnywhere: whether writers may omit the end of the file.
    mutating func add(_ result: trace_result, of noun: String, mayEndAnywhere: Bool = false) {
        let isWithin = result.ends_within_event ? ", within one of its \(noun)" : ""
        let offset = Prose.grouped(result.offset)
        switch result.ending {
        case TRACE_WHOLE: break
        case TRACE_CUT:
            if mayEndAnywhere && !result.ends_within_event { break }
            texts.append(
                "the file is cut off at byte \(offset)\(isWithin); the \(noun) before that were kept")
        case TRACE_UNREADABLE, TRACE_TOO_LARGE:
            texts.append("reading ended at byte \(offset); everything before that was kept")
        default:
            texts.append(
                "the file is not JSON from byte \(offset) on; the \(noun) before that were kept")
        }
    }

    /// Also gives the offset of the first event in the file.
    mutating func leaveOut(_ events: LeftOutEvents, _ noun: String, _ which: String) {
        guard let first = events.first else { return }
        let place = "\(events.count == 1 ? "" : "the first ")at byte \(Prose.grouped(first))"
        leaveOut(events.count, noun, "\(which) (\(place))")
    }

    /// - Parameter which: a description; empty if the noun is enough.
    mutating func leaveOut(_ count: Int, _ noun: String, _ which: String) {
        Self.add(count, noun, which, to: &leftOut)
    }

    /// Counts entries that are not about operations.
    mutating func passOver(_ count: Int, _ noun: String, _ which: String) {
        Self.add(count, noun, which, to: &unused)
    }

    private static func add(_ count: Int, _ noun: String, _ which: String, to list: inout [String]) {
        if count > 0 { list.append(Prose.counted(count, noun) + (which.isEmpty ? "" : " " + which)) }
    }

    /// Adds a sentence about everything that was left out so far, and one about everything that was passed
    /// over.
    mutating func endLeavingOut() {
        if !leftOut.isEmpty { texts.append("left out: " + leftOut.joined(separator: ", ")) }
        if !unused.isEmpty { notes.append("not used: " + unused.joined(separator: ", ")) }
        (leftOut, unused) = ([], [])
    }

    mutating func note(open count: Int, _ noun: String) {
        if count > 0 { notes.append("\(Prose.counted(count, noun)) did not end before the trace did") }
    }

    mutating func note(_ text: String) { notes.append(text) }
}
