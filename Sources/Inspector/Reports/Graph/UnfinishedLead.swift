import InspectorColumns
import WaitDiagnosis

/// Of the operations of a node that never finished, the one to look at first.
struct UnfinishedLead: Sendable {
    let operation: Int
    /// What it waits for, if that is known.
    let blocker: Int?
    /// How many others wait for it, in the end.
    let waiting: Int
}

/// By node, the unfinished operation that the most others wait for, or else that has executed longest.
struct UnfinishedLeads {
    /// `nil` for a node that is an operation itself, and where all finished.
    private(set) var leads: [UnfinishedLead?]

    /// Linear in operations and edges, where something of what is put together never finished.
    init(_ analysis: TraceAnalysis, _ folding: GraphFolding, _ nodes: [DrawnGraph.Node]) {
        leads = Array(repeating: nil, count: nodes.count)
        let isWanted = nodes.map { node in
            if case .operation = node.content { return false }
            return node.count(.unfinished) > 0
        }
        guard isWanted.contains(true) else { return }
        let columns = analysis.trace.operations.store.columns
        let blockers = Blockers(analysis.trace, end: analysis.end)
        let waiting = Self.waiting(blockers, columns.count)
        var best = [(operation: Int32, waiting: Int32, start: Int64)](
            repeating: (-1, -1, .max), count: nodes.count)
        for (index, node) in folding.nodes.enumerated() where node >= 0 && isWanted[Int(node)] {
            guard columns.enqueued.has(index), !columns.finished.has(index) else { continue }
            let start = columns.executing.has(index) ? columns.executing.notAfter(index) : .max
            let known = best[Int(node)]
            if waiting[index] < known.waiting { continue }
            if waiting[index] == known.waiting, start >= known.start { continue }
            best[Int(node)] = (Int32(index), waiting[index], start)
        }
        for (node, lead) in best.enumerated() where lead.operation >= 0 {
            let operation = Int(lead.operation)
            // That a parent waits for its child is not certain while it executes.
            let blocker = blockers[operation].flatMap { $0.reason == .child ? nil : $0.next }
            leads[node] = UnfinishedLead(
                operation: operation, blocker: blocker, waiting: Int(lead.waiting))
        }
    }

    /// By operation, how many others wait for it in the end: each waits for one, so that they are trees, some
    /// of which grow on a circle, where each waits for all.
    static func waiting(_ blockers: Blockers, _ count: Int) -> [Int32] {
        let next = (0..<count).map { Int32(blockers[$0]?.next ?? -1) }
        var waiting = [Int32](repeating: 0, count: count)
        var incoming = waiting
        for other in next where other >= 0 { incoming[Int(other)] += 1 }
        var work = next.indices.filter { incoming[$0] == 0 }
        while let index = work.popLast() {
            guard next[index] >= 0 else { continue }
            let other = Int(next[index])
            waiting[other] += waiting[index] + 1
            incoming[other] -= 1
            if incoming[other] == 0 { work.append(other) }
        }
        for start in next.indices where incoming[start] > 0 {
            var circle: [Int] = []
            var index = start
            while incoming[index] > 0 {
                incoming[index] = 0
                circle.append(index)
                index = Int(next[index])
            }
            let all = circle.reduce(Int32(circle.count - 1)) { $0 + waiting[$1] }
            for index in circle { waiting[index] = all }
        }
        return waiting
    }
}
