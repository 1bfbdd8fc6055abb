import CTraceJSON
import EventLog
import Foundation

/// Reads OTLP JSON from any program. Spans become operations of the processes that their resources describe.
/// Parents become the operations that enqueued them, links become edges, and events of spans become marks.
/// Everything that could not be used is counted and reported.
///
/// [OTLP](https://opentelemetry.io/docs/specs/otlp/): one request, or one on each line as the collector
/// writes them to files.
final class OTLPTraceReader {
    private let path: String
    private let descriptor: Int32
    private var spans = ImportedSpans()

    init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Passes the file's contents to `consumer`, as the events of a log. O(n log n) in spans and their
    /// events, which are kept in memory.
    ///
    /// - Returns: nil if the file has no spans, so that the caller can report what it is.
    /// - Throws: `TraceError` if it has spans, but none can be used.
    func read(into consumer: any EventConsumer) throws(TraceError) -> ReadLog? {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
        let result = otlp_json_read(
            descriptor, Unmanaged.passUnretained(self).toOpaque(),
            { context, resource, attributes in
                Unmanaged<OTLPTraceReader>.fromOpaque(context!).takeUnretainedValue().spans.take(
                    resource: resource, attributes!.pointee)
            },
            { Unmanaged<OTLPTraceReader>.fromOpaque($0!).takeUnretainedValue().spans.take($1!.pointee) },
            {
                Unmanaged<OTLPTraceReader>.fromOpaque($0!).takeUnretainedValue().spans.unkept.take(
                    member: $1!.pointee)
            })
        guard !spans.spans.isEmpty else {
            guard let (offset, reason) = spans.refusal else { return nil }
            throw TraceError(.notATrace, path: path, offset: Int(clamping: offset), reason: reason)
        }
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        return ImportedTrace(spans).read(
            into: consumer, named: name,
            meaning:
                "a trace of OpenTelemetry: spans are shown as operations, links as dependencies",
            result, of: "span")
    }
}
