import CTraceJSON
import EventLog
import Foundation

/// Reads a Chrome trace that another program wrote: slices become operations, nesting becomes parents, flows become edges,
/// instants become marks. What could not be used is counted, and said.
///
/// [Trace Event Format](https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU), as its writers
/// use it: an object with `traceEvents` or their list alone, closed or not, in any order.
final class ForeignTraceReader {
    private let path: String
    private let descriptor: Int32
    private var events = ForeignEvents()

    init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Gives what the file says to `consumer`, as the events of a log. O(n log n) in the events of the file, which are held in
    /// memory.
    ///
    /// - Returns: nil where it holds no such trace, so that somebody else can say what it is.
    func read(into consumer: any EventConsumer) -> ReadLog? {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
        let result = foreign_json_read(
            descriptor, Unmanaged.passUnretained(self).toOpaque(),
            { Unmanaged<ForeignTraceReader>.fromOpaque($0!).takeUnretainedValue().events.take($1!.pointee) })
        let slices = ForeignSlices(events)
        guard !slices.slices.isEmpty else { return nil }
        let flows = ForeignFlows(events, slices)
        var log = ForeignLog(events, slices, flows)
        log.write(to: consumer)
        return ReadLog(
            header: header, texts: log.texts, eventCount: log.eventCount,
            losses: losses(result, slices, flows))
    }

    private var header: LogHeader {
        let process = events.tracks.first?.process
        let name = process.flatMap { events.processNames[$0] }.map { events.texts[$0] }
        return LogHeader(
            process: name ?? URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent,
            processID: process.flatMap { Int32(events.texts[$0]) } ?? 0, host: "", start: 0, isClosed: true)
    }

    // MARK: What was made of it

    private func losses(
        _ result: trace_result, _ slices: ForeignSlices, _ flows: ForeignFlows
    ) -> [String] {
        var losses = [
            "this Chrome trace is another program's: its slices are taken for operations, which lie within one another, and "
                + "its flows for dependencies"
        ]
        switch result.ending {
        case TRACE_CUT where result.ends_within_event:
            losses.append(
                "the file is cut off at byte \(result.offset), within an event; the events before that were kept"
            )
        // Writers of lists are allowed to end so.
        case TRACE_CUT, TRACE_WHOLE: break
        case TRACE_UNREADABLE, TRACE_TOO_LARGE:
            losses.append("reading ended at byte \(result.offset); what stands before that was kept")
        default:
            losses.append("what stands at byte \(result.offset) is no JSON; the events before that were kept")
        }
        let leftOut = leftOut(result, slices, flows)
        if !leftOut.isEmpty { losses.append("left out: " + leftOut.joined(separator: ", ")) }
        let open = slices.slices.count { $0.end == nil }
        if open > 0 { losses.append("\(Prose.counted(open, "slice")) did not end before the trace did") }
        if slices.overlapping > 0 {
            losses.append(
                "\(Prose.counted(slices.overlapping, "slice")) began within another on the same thread, and ended after it: "
                    + "that one is not taken for the parent")
        }
        return losses
    }

    private func leftOut(
        _ result: trace_result, _ slices: ForeignSlices, _ flows: ForeignFlows
    ) -> [String] {
        var parts = events.leftOut.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { phase, count in
            Prose.counted(count, Self.meaning[phase] ?? "event") + (phase.isEmpty ? "" : " (\(phase))")
        }
        func add(_ count: Int, _ noun: String, _ why: String) {
            if count > 0 { parts.append("\(Prose.counted(count, noun)) \(why)") }
        }
        add(events.sums, "sum", "of slices (Total …)")
        add(slices.endsAlone, "end", "of nothing that had begun")
        add(flows.loose, "flow event", "at no slice")
        add(flows.contrary, "step", "of flows to a slice that had begun before the other ended")
        add(events.timeless, "event", "without a time")
        add(Int(clamping: result.damaged_events), "event", "that could not be understood")
        return parts
    }

    private static let meaning = [
        "C": "counter", "n": "asynchronous instant", "T": "asynchronous step", "p": "asynchronous step",
        "P": "sample", "N": "object event", "O": "object event", "D": "object event", "v": "memory dump",
        "V": "memory dump", "c": "clock synchronization", "(": "context", ")": "context",
    ]
}
