import EventLog
import InspectorColumns

/// The causes of operations in processes whose logs are not in the trace. Causes in the same OpenTelemetry
/// trace become parents of operations without a parent; all others become links.
struct OTLPRemoteCauses {
    private var parents: [Int: TraceContext.Span] = [:]
    private var links: [Int: [TraceContext.Span]] = [:]

    /// Linear in operations and contexts.
    init(_ trace: Trace, _ identifiers: OTLPIdentifiers) {
        guard !trace.receivedContexts.isEmpty else { return }
        let columns = trace.operations.store.columns
        var ofProcess: [Int: [TraceContext.Span]] = [:]
        var ofOperation: [Int: [TraceContext.Span]] = [:]
        for received in trace.receivedContexts {
            if let operation = received.operation {
                ofOperation[operation, default: []].append(received.context.span)
            } else {
                ofProcess[received.process, default: []].append(received.context.span)
            }
        }
        // A cause that merging has turned into a parent or an edge is left out here.
        var resolved: [Int: Set<UInt64>] = [:]
        for edge in trace.edges
        where max(edge.predecessor, edge.successor) < columns.count
            && trace.isAcrossProcesses(edge.predecessor, edge.successor)
        {
            resolved[edge.successor, default: []].insert(identifiers.identifiers(edge.predecessor).span)
        }
        for index in 0..<columns.count {
            let parent = Int(columns.parents[index])
            if parent < columns.count, trace.isAcrossProcesses(parent, index) {
                resolved[index, default: []].insert(identifiers.identifiers(parent).span)
            }
            guard
                let spans = ofOperation[index]
                    ?? (parent < 0 ? ofProcess[Int(columns.processes[index])] : nil)
            else { continue }
            for span in spans where resolved[index]?.contains(span.span) != true {
                if parent < 0, parents[index] == nil,
                    Array(span.traceText.utf8) == identifiers.trace(of: index)
                {
                    parents[index] = span
                } else {
                    links[index, default: []].append(span)
                }
            }
        }
    }

    func parent(of operation: Int) -> TraceContext.Span? { parents[operation] }

    func links(of operation: Int) -> [TraceContext.Span] { links[operation] ?? [] }
}
