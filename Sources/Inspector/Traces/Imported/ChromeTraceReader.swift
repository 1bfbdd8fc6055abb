import CTraceJSON
import EventLog
import Foundation

/// Reads a Chrome trace of another program. Slices become operations, nesting becomes parents, flows become
/// edges, and instants become marks. Everything that could not be used is counted and reported. A trace that
/// this project exported is restored.
///
/// [Trace Event Format](https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU), as
/// programs write it: an object with `traceEvents`, or just the list, closed or not, in any order.
final class ChromeTraceReader {
    private let path: String
    private let descriptor: Int32
    private var events = ChromeEvents()
    private var date = ChromeDate()
    /// The events of a file that this project exported.
    private var exported: ExportedEvents?

    init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Passes the file's contents to `consumer`, as the events of a log. O(n log n) in the events of the
    /// file, which are kept in memory.
    ///
    /// - Returns: nil if it is not such a trace, so that the caller can report what it is.
    func read(into consumer: any EventConsumer) -> ReadLog? {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
        let result = chrome_json_read(
            descriptor, Unmanaged.passUnretained(self).toOpaque(),
            {
                Unmanaged<ChromeTraceReader>.fromOpaque($0!).takeUnretainedValue().take(process: $1!.pointee)
            },
            { Unmanaged<ChromeTraceReader>.fromOpaque($0!).takeUnretainedValue().take($1!.pointee) },
            { Unmanaged<ChromeTraceReader>.fromOpaque($0!).takeUnretainedValue().date.take($1!.pointee) })
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        if let exported { return exported.read(into: consumer, named: name, result) }
        let slices = ChromeSlices(events)
        guard !slices.slices.isEmpty else { return nil }
        let flows = ChromeFlows(events, slices)
        let first = events.entries.lazy.map(\.time).min() ?? 0
        let start = date.moment(of: first)
        let processes = ChromeProcesses(events, start: start?.nanoseconds ?? 0, fallback: name)
        var log = ChromeLog(events, slices, flows, processes)
        log.write(to: consumer)
        var header = LogHeader(
            process: "", processID: 0, host: "", start: start?.nanoseconds ?? 0, isClosed: true)
        header.isOfAnotherProgram = true
        header.take(processes.processes)
        if processes.processes.count == 1 { header.processes = [] }
        let losses = losses(result, slices, flows, isDateGuessed: start?.isSaid == false)
        return ReadLog(
            header: header, texts: log.texts, eventCount: log.eventCount, losses: losses.texts,
            notes: losses.notes)
    }

    private func take(process attributes: otlp_attributes) {
        if exported == nil { exported = ExportedEvents() }
        exported?.take(process: attributes)
    }

    private func take(_ event: chrome_event) {
        if exported == nil { events.take(event) } else { exported?.take(event) }
    }

    // MARK: Losses

    private func losses(
        _ result: trace_result, _ slices: ChromeSlices, _ flows: ChromeFlows, isDateGuessed: Bool
    ) -> ChromeLosses {
        var losses = ChromeLosses()
        losses.note(
            "a Chrome trace of another program: slices are shown as operations, nested slices as their "
                + "children, and flows as dependencies")
        if isDateGuessed { losses.note("its times are read as microseconds since 1970") }
        // Writers of lists may omit the end.
        losses.add(result, of: "events", mayEndAnywhere: true)
        for (phase, count) in events.leftOut.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            losses.passOver(count, Self.meaning[phase] ?? "event", phase.isEmpty ? "" : "(\(phase))")
        }
        losses.passOver(events.sums, "sum", "of slices (Total …)")
        if date.hasSystemEvents { losses.note("not used: the kernel's events (systemTraceEvents)") }
        losses.leaveOut(slices.endsAlone, "end", "without a beginning")
        losses.leaveOut(flows.loose, "flow event", "at no slice")
        losses.leaveOut(flows.contrary, "step", "of flows to a slice that began before the other one ended")
        losses.leaveOut(events.timeless, "event", "without a time")
        losses.leaveOut(events.mistimed, "event", "with a time that is not a number")
        losses.leaveOut(events.mismeasured, "slice", "with a duration that is negative or not a number")
        losses.leaveOut(LeftOutEvents(result), "event", "in an unknown form")
        losses.endLeavingOut()
        losses.note(open: slices.slices.count { $0.end == nil }, "slice")
        if slices.overlapping > 0 {
            losses.note(
                "\(Prose.counted(slices.overlapping, "slice")) began within another on the same thread and "
                    + "ended after it: the other one is not shown as its parent")
        }
        return losses
    }

    private static let meaning = [
        "C": "counter", "n": "asynchronous instant", "T": "asynchronous step", "p": "asynchronous step",
        "P": "sample", "N": "object event", "O": "object event", "D": "object event", "v": "memory dump",
        "V": "memory dump", "c": "clock synchronization", "(": "context", ")": "context",
    ]
}
