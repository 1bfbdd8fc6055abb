import InspectorColumns
import WaitDiagnosis

/// The unfinished operation of a node to look at first.
struct UnfinishedLead: Sendable {
    let operation: Int
    /// What it waits for, if that is known.
    let blocker: Int?
    /// How many others wait for it, directly or indirectly.
    let waiting: Int
}

/// For each node, the unfinished operation that the most others wait for; or else the one that has executed
/// longest.
struct UnfinishedLeads {
    /// `nil` for a node with one operation, and if all finished.
    private(set) var leads: [UnfinishedLead?]

    /// Linear in operations and edges, if a combined operation never finished.
    init(_ analysis: TraceAnalysis, _ blockers: Blockers, _ folding: GraphFolding, _ nodes: [DrawnGraph.Node])
    {
        leads = Array(repeating: nil, count: nodes.count)
        let isWanted = nodes.map { node in
            if case .operation = node.content { return false }
            if node.tasks == node.count { return false }
            return node.count(.unfinished) > 0
        }
        guard isWanted.contains(true) else { return }
        let columns = analysis.trace.operations.store.columns
        let waiting = Self.waiting(blockers, columns.count)
        var best = [(operation: Int32, waiting: Int32, start: Int64)](
            repeating: (-1, -1, .max), count: nodes.count)
        for (index, node) in folding.nodes.enumerated() where node >= 0 && isWanted[Int(node)] {
            guard columns.enqueued.has(index), !columns.finished.has(index),
                analysis.trace.task(index) == nil
            else { continue }
            let start = columns.executing.has(index) ? columns.executing.notAfter(index) : .max
            let known = best[Int(node)]
            if waiting[index] < known.waiting { continue }
            if waiting[index] == known.waiting, start >= known.start { continue }
            best[Int(node)] = (Int32(index), waiting[index], start)
        }
        for (node, lead) in best.enumerated() where lead.operation >= 0 {
            let operation = Int(lead.operation)
            // While a parent executes, it need not wait for its child.
            let blocker = blockers[operation].flatMap { $0.reason == .child ? nil : $0.next }
            leads[node] = UnfinishedLead(
                operation: operation, blocker: blocker, waiting: Int(lead.waiting))
        }
    }

    /// For each operation, how many others wait for it, directly or indirectly. Each operation waits for at
    /// most one, so they form trees. Some trees end in a cycle, where each operation waits for all others.
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
