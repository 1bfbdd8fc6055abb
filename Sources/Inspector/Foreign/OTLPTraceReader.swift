import CTraceJSON
import EventLog
import Foundation

/// Reads OTLP JSON, whoever wrote it: spans become operations, parents those in whose bodies they were enqueued, links edges,
/// and events of spans marks. What could not be used is counted, and said.
///
/// [OTLP](https://opentelemetry.io/docs/specs/otlp/), one request, or one on each line as the collector writes them to files.
final class OTLPTraceReader {
    private let path: String
    private let descriptor: Int32
    private var spans = OTLPSpans()

    init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Gives what the file says to `consumer`, as the events of a log. O(n log n) in spans and their events, which are held in
    /// memory.
    ///
    /// - Returns: nil where it holds no span, so that somebody else can say what it is.
    func read(into consumer: any EventConsumer) -> ReadLog? {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
        let result = otlp_json_read(
            descriptor, Unmanaged.passUnretained(self).toOpaque(),
            { context, resource, attributes in
                Unmanaged<OTLPTraceReader>.fromOpaque(context!).takeUnretainedValue().spans.take(
                    resource: resource, attributes!.pointee)
            },
            { Unmanaged<OTLPTraceReader>.fromOpaque($0!).takeUnretainedValue().spans.take($1!.pointee) })
        guard !spans.spans.isEmpty else { return nil }
        var log = OTLPLog(spans)
        log.write(to: consumer)
        return ReadLog(
            header: header(log), texts: log.texts, eventCount: log.eventCount, losses: losses(result, log))
    }

    private func header(_ log: OTLPLog) -> LogHeader {
        let resource = spans.resources[Int(spans.spans[0].resource)]
        return LogHeader(
            process: resource.process.map { spans.texts[$0] }
                ?? URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent,
            processID: resource.processID, host: resource.host.map { spans.texts[$0] } ?? "",
            start: log.origin,
            isClosed: true)
    }

    // MARK: What was made of it

    private func losses(_ result: trace_result, _ log: OTLPLog) -> [String] {
        var losses = ForeignLosses(
            meaning:
                "this is a trace of OpenTelemetry: its spans are taken for operations, and their links for dependencies; limits "
                + "and suspensions of queues are not in it")
        losses.add(result, of: "spans")
        losses.leaveOut(spans.nameless, "span", "without usable identifiers")
        losses.leaveOut(spans.colliding, "span", "with the identifiers of another")
        losses.leaveOut(spans.timeless, "span", "without a start")
        losses.leaveOut(spans.negative, "span", "that ended before it began")
        losses.leaveOut(log.orphans, "parent", "that is not in the trace")
        losses.leaveOut(log.loose, "link", "to a span that is not in the trace")
        losses.leaveOut(log.contrary, "link", "to a span that had not ended when the other began")
        losses.leaveOut(Int(clamping: result.damaged_events), "span", "that could not be understood")
        losses.endLeavingOut()
        losses.add(open: spans.spans.count { $0.end == nil }, "span")
        return losses.texts
    }
}
