import EventLog
import Testing

@testable import Inspector

@Suite("Queues drawn inside queues")
struct DOTClustersTests {
    /// Operation i is in queue `queues[i]`, started by `parents[i]`.
    private func clusters(_ queues: [Int?], parents: [Int?], drawn: [Int]? = nil) -> DOTClusters {
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
        return DOTClusters(trace, drawn: drawn ?? Array(queues.indices))
    }

    @Test("lie in the queue of the operation that started all of theirs")
    func nested() {
        let clusters = clusters([0, 1, 1, 2], parents: [nil, 0, 0, 1])
        #expect(clusters.roots.map(\.queue) == [0])
        #expect(clusters.roots[0].children.map(\.queue) == [1])
        #expect(clusters.roots[0].children[0].children.map(\.queue) == [2])
    }

    @Test("lie side by side when different operations started theirs")
    func mixedParents() {
        let clusters = clusters([0, 0, 1, 1], parents: [nil, nil, 0, 1])
        #expect(clusters.roots.map(\.queue) == [0, 1])
    }

    @Test("that lie in each other are drawn, each once, as is one inside a queue that is not drawn")
    func strange() {
        let circular = clusters([0, 1], parents: [1, 0])
        #expect(circular.roots.map(\.queue) == [0])
        #expect(circular.roots[0].children.map(\.queue) == [1])
        let inner = clusters([0, 1, nil], parents: [nil, 0, nil], drawn: [1, 2])
        #expect(inner.roots.map(\.queue) == [1])
        #expect(inner.outside == [2])
    }
}
