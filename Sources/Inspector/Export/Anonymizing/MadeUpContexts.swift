import EventLog
import InspectorTraces

/// Made-up trace contexts. The context of an operation of the trace becomes that of the same operation of the
/// anonymized trace, so that they stay connected.
struct MadeUpContexts {
    private struct TraceNumber: Hashable {
        let high, low: UInt64

        init(_ span: TraceContext.Span) { (high, low) = (span.traceHigh, span.traceLow) }
    }

    private var traces: [TraceNumber: TraceNumber] = [:]
    /// Those of the trace's operations, and others that were seen.
    private var spans: [UInt64: UInt64]
    private var (unknownTraces, unknownSpans): (UInt64, UInt64) = (0, 0)

    /// - Parameter spans: those of the trace's operations, as ``OperationSpans`` finds them.
    init(_ header: LogHeader, anonymous: LogHeader, spans: [UInt64: UInt64]) {
        self.spans = spans
        for (before, after) in zip(header.spanIdentifiers, anonymous.spanIdentifiers) {
            traces[TraceNumber(before.span(1))] = TraceNumber(after.span(1))
        }
    }

    /// Nil for a text that is not a context.
    mutating func text(_ text: String) -> String? {
        guard let context = TraceContext(traceparent: text) else { return nil }
        let trace = TraceNumber(context.span)
        if traces[trace] == nil {
            unknownTraces += 1
            // Its low half alone: those of runs have a high half.
            traces[trace] = TraceNumber(
                TraceContext.Span(traceHigh: 0, traceLow: unknownTraces, span: 1))
        }
        if spans[context.span.span] == nil {
            unknownSpans += 1
            spans[context.span.span] = unknownSpans
        }
        guard let new = traces[trace], let span = spans[context.span.span] else { return nil }
        return TraceContext(
            TraceContext.Span(traceHigh: new.high, traceLow: new.low, span: span), flags: context.flags & 1
        ).traceparent
    }
}

/// The spans of a log's operations, and those that they have in the anonymized log.
final class OperationSpans: EventConsumer {
    private(set) var spans: [UInt64: UInt64] = [:]
    private let before: [SpanIdentifiers]
    private let after: [SpanIdentifiers]
    private let processes: [LogProcess]

    init(_ header: LogHeader, anonymous: LogHeader) {
        before = header.spanIdentifiers
        after = anonymous.spanIdentifiers
        processes = header.processes
    }

    func consume(_ event: EventFields, _ texts: InternedTexts) {
        let process = Int(event.process)
        guard case .step(.enqueued)? = EventSchema.of(event.type)?.meaning, before.indices.contains(process)
        else { return }
        var number = event.subject
        if processes.indices.contains(process) { number &-= processes[process].operationsBefore }
        spans[before[process].span(number).span] = after[process].span(number).span
    }
}

extension LogHeader {
    /// For each process.
    fileprivate var spanIdentifiers: [SpanIdentifiers] {
        let processes = processes.isEmpty ? [LogProcess(self)] : processes
        return processes.map {
            SpanIdentifiers(host: $0.host, process: $0.process, processID: $0.processID, start: $0.start)
        }
    }
}
