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
        var losses = ForeignLosses(
            meaning:
                "this Chrome trace is another program's: its slices are taken for operations, which lie within one another, and "
                + "its flows for dependencies")
        // Writers of lists are allowed to leave the end away.
        losses.add(result, of: "events", mayEndAnywhere: true)
        for (phase, count) in events.leftOut.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            losses.leaveOut(count, Self.meaning[phase] ?? "event", phase.isEmpty ? "" : "(\(phase))")
        }
        losses.leaveOut(events.sums, "sum", "of slices (Total …)")
        losses.leaveOut(slices.endsAlone, "end", "of nothing that had begun")
        losses.leaveOut(flows.loose, "flow event", "at no slice")
        losses.leaveOut(flows.contrary, "step", "of flows to a slice that had begun before the other ended")
        losses.leaveOut(events.timeless, "event", "without a time")
        losses.leaveOut(Int(clamping: result.damaged_events), "event", "that could not be understood")
        losses.endLeavingOut()
        losses.add(open: slices.slices.count { $0.end == nil }, "slice")
        if slices.overlapping > 0 {
            losses.add(
                "\(Prose.counted(slices.overlapping, "slice")) began within another on the same thread, and ended after it: "
                    + "that one is not taken for the parent")
        }
        return losses.texts
    }

    private static let meaning = [
        "C": "counter", "n": "asynchronous instant", "T": "asynchronous step", "p": "asynchronous step",
        "P": "sample", "N": "object event", "O": "object event", "D": "object event", "v": "memory dump",
        "V": "memory dump", "c": "clock synchronization", "(": "context", ")": "context",
    ]
}
