import CTraceJSON
import EventLog

/// Makes a trace from imported spans: its log, its header, and its notes and losses.
struct ImportedTrace {
    private let spans: ImportedSpans

    init(_ spans: ImportedSpans) { self.spans = spans }

    /// O(n log n) in spans and their events.
    ///
    /// - Parameters:
    ///   - name: the name of a process that the file does not name.
    ///   - meaning: what the spans are interpreted as.
    ///   - noun: what the file calls a span.
    func read(
        into consumer: any EventConsumer, named name: String, meaning: String, _ result: trace_result,
        of noun: String
    ) -> ReadLog {
        var log = ImportedLog(spans)
        log.write(to: consumer)
        var losses = ChromeLosses()
        losses.note(meaning + missing)
        var origins = spans.origins
        if !origins.isEmpty, !log.keepsIdentifiers {
            origins.take(spans.processes.resources)
            (consumer as? TraceBuilder)?.keep(origins)
        }
        if !spans.spans.contains(where: { $0.identifier != nil }) {
            losses.note(spans.unkept.note(traces: traces))
        }
        if let note = spans.unkept.noteOfMembers { losses.note(note) }
        if log.outside > 0 {
            losses.note(
                "\(Prose.grouped(log.outside)) "
                    + "\(log.outside == 1 ? "parent or link leads" : "parents and links lead") to \(noun)s "
                    + "that are not in the trace; kept as causes in other processes")
        }
        losses.note(open: spans.spans.count { $0.end == nil }, noun)
        losses.add(result, of: noun + "s")
        losses.leaveOut(spans.nameless, noun, "without usable identifiers")
        losses.leaveOut(spans.colliding, noun, "with the identifiers of another")
        losses.leaveOut(spans.timeless, noun, "without a start")
        losses.leaveOut(spans.negative, noun, "that ended before it began")
        losses.leaveOut(log.contrary, "link", "to a \(noun) that had not ended when the other began")
        losses.leaveOut(LeftOutEvents(result), noun, "in an unknown form")
        losses.endLeavingOut()
        var all = losses.texts
        // The file contains the losses that each export reported.
        for resource in spans.processes.resources {
            for loss in resource.losses where !all.contains(loss) { all.append(loss) }
        }
        return ReadLog(
            header: header(log, name), texts: log.texts, eventCount: log.eventCount, losses: all,
            notes: losses.notes)
    }

    private func header(_ log: ImportedLog, _ name: String) -> LogHeader {
        let resources = spans.processes.resources
        var processes = resources.map { $0.process(origin: log.origin, fallback: name) }
        SpanResource.tellApart(&processes, resources)
        var header = LogHeader(
            process: "", processID: 0, host: "",
            start: resources.contains(where: \.isUndated) ? 0 : log.origin)
        header.isOfAnotherProgram =
            !spans.spans.contains { $0.identifier != nil } || resources.contains(where: \.isOfAnotherProgram)
        header.take(processes)
        // For a single process, the list adds nothing to the header.
        if processes.count == 1, processes[0].offset == 0, processes[0].operationsBefore == 0 {
            header.processes = []
        }
        if let last = spans.lastMoment {
            header.lastAlive = max(header.lastAlive, last.saturatingSubtract(log.origin))
        }
        return header
    }

    /// The number of traces that the spans belong to.
    private var traces: Int { Set(spans.spans.lazy.map { [$0.key.high, $0.key.low] }).count }

    /// What this project's export does not contain, and which waits are therefore unknown.
    private var missing: String {
        guard spans.spans.contains(where: { $0.identifier != nil }) else { return "" }
        let areQueuesKnown = spans.processes.resources.contains { $0.queues != nil }
        return areQueuesKnown
            ? "; threads' waits for operations and queues are not in it"
            : "; limits of queues, and threads' waits for operations and queues, are not in it"
    }
}
