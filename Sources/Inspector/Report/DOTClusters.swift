/// Which queue is drawn inside which: one whose operations all have the same parent lies in the parent's queue.
struct DOTClusters: Sendable {
    struct Cluster: Sendable {
        /// Index into `Trace.queues`.
        let queue: Int
        let operations: [Int]
        var children: [Cluster] = []
    }

    /// Queues inside no other, in the order of the trace.
    let roots: [Cluster]
    /// Operations in no queue that is known.
    let outside: [Int]

    /// - Parameter drawn: indices into the trace's operations, ascending.
    init(_ trace: Trace, drawn: [Int]) {
        var members: [[Int]] = Array(repeating: [], count: trace.queues.count)
        var outside: [Int] = []
        for index in drawn {
            if let queue = trace.operations[index].queue {
                members[queue].append(index)
            } else {
                outside.append(index)
            }
        }
        self.outside = outside

        var inner: [[Int]] = Array(repeating: [], count: trace.queues.count)
        var roots: [Int] = []
        for queue in trace.queues.indices where !members[queue].isEmpty {
            if let outer = Self.queue(around: queue, members[queue], trace) {
                inner[outer].append(queue)
            } else {
                roots.append(queue)
            }
        }
        // A queue may lie in one of which nothing is drawn, or two may lie in each other; those come out as roots.
        var reached: Set<Int> = []
        func cluster(_ queue: Int, depth: Int) -> Cluster? {
            guard depth < 32, reached.insert(queue).inserted else { return nil }
            return Cluster(
                queue: queue, operations: members[queue],
                children: inner[queue].compactMap { cluster($0, depth: depth + 1) })
        }
        var clusters = roots.compactMap { cluster($0, depth: 0) }
        for queue in trace.queues.indices where !members[queue].isEmpty {
            if let rest = cluster(queue, depth: 0) { clusters.append(rest) }
        }
        self.roots = clusters
    }

    private static func queue(around queue: Int, _ members: [Int], _ trace: Trace) -> Int? {
        guard let first = members.first, let parent = trace.operations[first].parent,
            members.allSatisfy({ trace.operations[$0].parent == parent }),
            let outer = trace.operations[parent].queue, outer != queue
        else { return nil }
        return outer
    }
}
