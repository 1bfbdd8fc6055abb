import InspectorColumns

/// Which nodes and clusters are drawn inside which: operations in their queue, a group's children in the
/// group. A queue that contains only one operation's children is drawn inside that operation's cluster.
struct GraphClusters: Sendable {
    struct Cluster: Hashable, Sendable {
        /// Index into `Trace.queues`; `nil` for a group inside a queue.
        let queue: Int?
        /// Index into `Trace.operations`: the parent of the cluster's operations.
        let group: Int?
        /// Index into `Trace.processes`: the process of the whole cluster, in a merged trace.
        var process: Int?
        /// Index of the surrounding cluster.
        var outer: Int?
        /// 1 for a cluster without a surrounding one.
        var depth = 1
    }

    static let deepest = 32

    private(set) var clusters: [Cluster] = []
    /// The cluster of each node.
    private(set) var ofNode: [Int?]

    /// Linear in nodes and operations.
    init(_ trace: Trace, _ nodes: [DrawnGraph.Node]) {
        ofNode = Array(repeating: nil, count: nodes.count)
        let family = GraphFamily(trace, nodes)
        var clusterOfQueue: [Int: Int] = [:]
        var clusterOfGroup: [GroupInQueue: Int] = [:]
        // First the clusters of queues, in the trace's order, and then the groups. A surrounding cluster may
        // come after the ones inside it.
        for queue in trace.queues.indices where family.queues[queue] != .empty {
            clusterOfQueue[queue] = clusters.count
            clusters.append(Cluster(queue: queue, group: family.queues[queue].owner))
        }
        for group in family.groups {
            clusterOfGroup[group] = clusters.count
            clusters.append(Cluster(queue: nil, group: group.operation))
        }
        /// The cluster for an operation or a node of that queue that was added by that parent.
        func home(_ queue: Int?, _ parent: Int?) -> Int? {
            if let parent {
                if let queue, family.queues[queue].owner == parent { return clusterOfQueue[queue] }
                if let cluster = clusterOfGroup[GroupInQueue(queue: queue, operation: parent)] {
                    return cluster
                }
            }
            return queue.flatMap { clusterOfQueue[$0] }
        }
        /// The cluster for an operation that has a cluster of its own: inside of it.
        func place(_ operation: Int, _ queue: Int?, _ parent: Int?) -> Int? {
            clusterOfGroup[GroupInQueue(queue: queue, operation: operation)] ?? home(queue, parent)
        }
        for (index, node) in nodes.enumerated() {
            if case .operation(let operation) = node.content {
                ofNode[index] = place(operation, node.queue, family.parent(of: operation))
            } else {
                ofNode[index] = home(node.queue, nil)
            }
        }
        for (group, cluster) in clusterOfGroup {
            let queue = family.queue(of: group.operation)
            clusters[cluster].outer =
                group.queue == queue
                ? home(queue, family.parent(of: group.operation)) : group.queue.flatMap { clusterOfQueue[$0] }
        }
        for (queue, cluster) in clusterOfQueue {
            guard let owner = family.queues[queue].owner else { continue }
            clusters[cluster].outer = place(owner, family.queue(of: owner), family.parent(of: owner))
        }
        if trace.isMerged { addProcesses(trace, nodes) }
        limitDepth()
    }

    /// Puts everything outside of a cluster into one cluster for each process. Nodes with operations of
    /// several processes stay outside.
    private mutating func addProcesses(_ trace: Trace, _ nodes: [DrawnGraph.Node]) {
        let processOf = trace.operations.store.columns.processes
        func process(of cluster: Cluster) -> Int? {
            cluster.queue.map { trace.queues[$0].process } ?? cluster.group.map { Int(processOf[$0]) }
        }
        func process(of node: DrawnGraph.Node) -> Int? {
            switch node.content {
            case .operation(let index), .group(let index): Int(processOf[index])
            case .queue(let queue): trace.queues[queue].process
            case .kind, .noQueue, .others: node.queue.map { trace.queues[$0].process }
            }
        }
        let outermost = clusters.indices.filter { clusters[$0].outer == nil }
        let loose = nodes.indices.filter { ofNode[$0] == nil }
        let present = Set(
            outermost.compactMap { process(of: clusters[$0]) } + loose.compactMap { process(of: nodes[$0]) })
        var clusterOfProcess: [Int: Int] = [:]
        for process in present.sorted() {
            clusterOfProcess[process] = clusters.count
            clusters.append(Cluster(queue: nil, group: nil, process: process))
        }
        for cluster in outermost {
            clusters[cluster].outer = process(of: clusters[cluster]).flatMap { clusterOfProcess[$0] }
        }
        for node in loose { ofNode[node] = process(of: nodes[node]).flatMap { clusterOfProcess[$0] } }
    }

    private mutating func limitDepth() {
        var isKnown = clusters.map { $0.outer == nil }
        for start in clusters.indices where !isKnown[start] {
            var path = [start]
            while let outer = clusters[path[path.count - 1]].outer, !isKnown[outer],
                path.count < clusters.count
            {
                path.append(outer)
            }
            for cluster in path.reversed() {
                var outer = clusters[cluster].outer
                // A cluster that would be too deep is drawn beside the surrounding one.
                if let around = outer, clusters[around].depth >= Self.deepest {
                    outer = clusters[around].outer
                }
                clusters[cluster].outer = outer
                clusters[cluster].depth = outer.map { clusters[$0].depth + 1 } ?? 1
                isKnown[cluster] = true
            }
        }
    }

    fileprivate struct GroupInQueue: Hashable {
        let queue: Int?
        let operation: Int
    }
}

/// Which of the drawn operations belong to which other operations and to which queues.
private struct GraphFamily {
    struct Members: Equatable {
        /// The common parent, if it is drawn and in another queue.
        var owner: Int?
        var isEmpty = true
        static let empty = Members()
    }

    /// For each queue.
    private(set) var queues: [Members]
    /// Parents with several children in a queue that also has other operations, in the order of their first
    /// children.
    private(set) var groups: [GraphClusters.GroupInQueue] = []
    private var parents: [Int: Int] = [:]
    private var queueOfOperation: [Int: Int] = [:]

    func parent(of operation: Int) -> Int? { parents[operation] }
    func queue(of operation: Int) -> Int? { queueOfOperation[operation] }

    init(_ trace: Trace, _ nodes: [DrawnGraph.Node]) {
        let columns = trace.operations.store.columns
        let roots = OperationRoots(trace)
        queues = Array(repeating: .empty, count: trace.queues.count)
        var drawn: [Int] = []
        for node in nodes {
            guard case .operation(let index) = node.content else {
                if let queue = node.queue { queues[queue].isEmpty = false }
                continue
            }
            drawn.append(index)
            queueOfOperation[index] = node.queue
        }
        let isDrawn = Set(drawn)
        // The outermost operation of a cycle has a parent. Without it, the others do not form a cycle any
        // more.
        for index in drawn where roots[index] != index {
            let parent = Int(columns.parents[index])
            // An operation that was caused in another process is drawn there, not inside its cause.
            if isDrawn.contains(parent), columns.processes[parent] == columns.processes[index] {
                parents[index] = parent
            }
        }
        addOwners(nodes)
        var counts: [GraphClusters.GroupInQueue: Int] = [:]
        for index in drawn {
            guard let parent = parents[index],
                queueOfOperation[index].map({ queues[$0].owner != parent }) ?? true
            else { continue }
            let group = GraphClusters.GroupInQueue(queue: queueOfOperation[index], operation: parent)
            counts[group, default: 0] += 1
            if counts[group] == 2 { groups.append(group) }
        }
    }

    private mutating func addOwners(_ nodes: [DrawnGraph.Node]) {
        var isShared = Array(repeating: false, count: queues.count)
        for node in nodes {
            guard let queue = node.queue else { continue }
            var parent: Int?
            if case .operation(let index) = node.content { parent = parents[index] }
            if let parent, queueOfOperation[parent] == queue { isShared[queue] = true }
            if queues[queue].isEmpty {
                queues[queue] = Members(owner: parent, isEmpty: false)
            } else if queues[queue].owner != parent {
                isShared[queue] = true
            }
        }
        for queue in queues.indices where isShared[queue] { queues[queue].owner = nil }
    }
}
