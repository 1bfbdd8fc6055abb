/// What of a trace is drawn. Laying out thousands of nodes takes minutes, and nobody can read the result; so a large
/// graph is cut down to what took longest and what everything waited for.
struct DOTSelection {
    static let operationLimit = 1_000
    static let edgeLimit = 3_000

    /// Indices into the trace, ascending.
    let operations: [Int]
    /// Among those operations, in the order of the trace.
    let edges: [Trace.Edge]
    let omittedOperations: Int
    /// Edges that were left out although both their ends are drawn.
    let omittedEdges: Int

    init(_ analysis: TraceAnalysis) {
        let trace = analysis.trace
        operations = Self.longest(of: analysis)
        omittedOperations = trace.operations.count - operations.count
        let drawn = Set(operations)
        let candidates =
            omittedOperations == 0
            ? trace.edges
            : trace.edges.filter { drawn.contains($0.predecessor) && drawn.contains($0.successor) }
        edges = candidates.count <= Self.edgeLimit ? candidates : Self.deciding(candidates, analysis)
        omittedEdges = candidates.count - edges.count
    }

    /// All operations, or those on the critical path and then those with the longest lifetime.
    private static func longest(of analysis: TraceAnalysis) -> [Int] {
        let all = analysis.trace.operations.indices
        guard all.count > operationLimit else { return Array(all) }
        let ranked = all.map { index in
            (
                isCritical: analysis.criticalPath.contains(operation: index),
                lifetime: analysis.waits[index]?.total ?? 0, index: index
            )
        }
        .sorted { first, second in
            if first.isCritical != second.isCritical { return first.isCritical }
            return first.lifetime != second.lifetime
                ? first.lifetime > second.lifetime : first.index < second.index
        }
        return ranked.prefix(operationLimit).map(\.index).sorted()
    }

    /// Of every operation the dependency that finished last, as far as they go: it is the one that was waited for.
    private static func deciding(_ edges: [Trace.Edge], _ analysis: TraceAnalysis) -> [Trace.Edge] {
        var last: [Int: (edge: Trace.Edge, finish: Int64)] = [:]
        for edge in edges {
            let finish = analysis.trace.operations[edge.predecessor].finished?.notAfter ?? .max
            if let known = last[edge.successor], known.finish >= finish { continue }
            last[edge.successor] = (edge, finish)
        }
        let kept = edges.filter {
            last[$0.successor]?.edge == $0 || analysis.criticalPath.contains(edge: $0)
        }
        return Array(kept.prefix(edgeLimit))
    }
}
