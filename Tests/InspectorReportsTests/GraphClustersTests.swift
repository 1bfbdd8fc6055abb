import EventLog
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorTraces

@Suite("Queues and groups drawn inside each other")
struct GraphClustersTests {
    /// Operation i is in queue `queues[i]`, added by `parents[i]`.
    private func graph(_ queues: [Int?], parents: [Int?]) throws -> DrawnGraph {
        var trace = Trace(header: LogHeader(process: "x", processID: 1, host: "h", start: 0))
        for index in 0...(queues.compactMap { $0 }.max() ?? 0) {
            trace.queues.append(TracedQueue(id: QueueID(UInt64(index)), name: "\(index)"))
        }
        var operations: [OperationDraft] = []
        for (index, queue) in queues.enumerated() {
            var operation = OperationDraft(id: OperationID(UInt64(index)), kind: "K")
            operation.queue = queue
            operation.parent = parents[index]
            operations.append(operation)
        }
        trace.operations = TracedOperations(operations)
        // Of what is put together, there would be nothing to see here.
        var options = GraphOptions()
        options.collapse = .none
        return try DrawnGraph(TraceAnalysis(trace), options)
    }

    /// From the outermost to the innermost, `q1` for a queue, `g0` for a group.
    private func path(of node: Int, _ graph: DrawnGraph) -> String {
        var parts: [String] = []
        var next = graph.nodes[node].cluster
        while let cluster = next {
            let (queue, group) = (graph.clusters[cluster].queue, graph.clusters[cluster].group)
            parts.append((queue.map { "q\($0)" } ?? "") + (group.map { "g\($0)" } ?? ""))
            next = graph.clusters[cluster].outer
        }
        return parts.reversed().joined(separator: " ")
    }

    private func paths(_ queues: [Int?], parents: [Int?]) throws -> [String] {
        let graph = try graph(queues, parents: parents)
        return graph.nodes.indices.map { path(of: $0, graph) }
    }

    @Test("a queue lies in the cluster of the operation that added all of its operations")
    func nestedQueues() throws {
        #expect(
            try paths([0, 1, 1, 2], parents: [nil, 0, 0, 1]) == ["q0", "q0 q1g0", "q0 q1g0", "q0 q1g0 q2g1"])
    }

    @Test("a group's children in its own queue lie in a cluster of the operation that added them")
    func groups() throws {
        #expect(try paths([0, 0, 0, 0], parents: [nil, 0, 0, nil]) == ["q0 g0", "q0 g0", "q0 g0", "q0"])
    }

    @Test("groups whose children share another queue lie in that one")
    func sharedQueue() throws {
        #expect(
            try paths([0, 0, 1, 1, 1, 1], parents: [nil, nil, 0, 0, 1, 1])
                == ["q0", "q0", "q1 g0", "q1 g0", "q1 g1", "q1 g1"])
    }

    @Test("parents of each other, and of themselves, are drawn once each")
    func cycles() throws {
        #expect(try graph([0, 1], parents: [1, 0]).nodes.count == 2)
        #expect(try graph([0, 0, 0], parents: [1, 2, 0]).nodes.count == 3)
        let circular = try graph([0, 0, 0, 0], parents: [1, 0, 0, 0])
        #expect(circular.nodes.count == 4)
    }

    @Test("operations without a queue are only in the cluster of their group")
    func noQueue() throws {
        #expect(try paths([nil, nil, nil, nil], parents: [nil, 0, 0, nil]) == ["g0", "g0", "g0", ""])
    }

    @Test("clusters lie no deeper than Graphviz can go")
    func deep() throws {
        let count = 200
        // Two children in each, the first of which has two again.
        let parents: [Int?] = (0..<count).map { $0 == 0 ? nil : ($0 - 1) / 2 * 2 }
        let graph = try graph(Array(repeating: 0, count: count), parents: parents.map { $0 })
        #expect(graph.clusters.allSatisfy { $0.depth <= GraphClusters.deepest })
        #expect(graph.clusters.contains { $0.depth == GraphClusters.deepest })
        #expect(graph.nodes.count == count)
    }
}
