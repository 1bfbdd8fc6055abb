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
    private var spans: [UInt64: UInt64] = [:]
    private var (unknownTraces, unknownSpans): (UInt64, UInt64) = (0, 0)

    /// Nothing to compute without contexts, which are rare.
    init(_ contents: EventLogContents, anonymous header: LogHeader) {
        guard contents.events.contains(where: { if case .contextReceived = $0.body { true } else { false } })
        else { return }
        let before = Self.identifiers(contents.header)
        let after = Self.identifiers(header)
        for (before, after) in zip(before, after) {
            traces[TraceNumber(before.span(1))] = TraceNumber(after.span(1))
        }
        for event in contents.events where before.indices.contains(event.process) {
            guard case .enqueued(let enqueue) = event.body else { continue }
            var number = enqueue.operation.rawValue
            if contents.header.processes.indices.contains(event.process) {
                number &-= contents.header.processes[event.process].operationsBefore
            }
            spans[before[event.process].span(number).span] = after[event.process].span(number).span
        }
    }

    private static func identifiers(_ header: LogHeader) -> [SpanIdentifiers] {
        let processes = header.processes.isEmpty ? [LogProcess(header)] : header.processes
        return processes.map {
            SpanIdentifiers(host: $0.host, process: $0.process, processID: $0.processID, start: $0.start)
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
