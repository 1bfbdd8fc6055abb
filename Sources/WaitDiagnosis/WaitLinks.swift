/// A graph's edges, grouped by operation and queue.
struct WaitLinks {
    /// For each operation, whether or not the others have finished.
    let predecessors: Buckets
    let successors: Buckets
    /// For each queue, the operations in it that have not finished.
    let members: Buckets
    /// For each queue, how many operations have a slot.
    private var holders: [Int]
    private let limits: [Int]
    private var targets: [Int: WaitGraph.Target] = [:]
    /// For each operation that waits for a key, the operation ahead of it.
    private(set) var keyHolders: [Int: Int] = [:]
    /// For each task that awaits something, why, and what.
    private(set) var awaits: [Int: (reason: WaitHop.Reason, others: [Int])] = [:]
    private let threadHolders: [Int?]
    private var threadTargets: [WaitGraph.Target?] = []

    /// Linear in the graph.
    init(_ graph: WaitGraph) {
        let count = graph.operations.count
        predecessors = Buckets(
            count, graph.dependencies.lazy.map { ($0.successor, $0.predecessor) })
        successors = Buckets(count, graph.dependencies.lazy.map { ($0.predecessor, $0.successor) })
        let open = graph.operations.indices.filter { graph.isOpen($0) && graph.operations[$0].queue >= 0 }
        members = Buckets(graph.queues.count, open.lazy.map { (graph.operations[$0].queue, $0) })
        limits = graph.queues.map(\.limit)
        threadHolders = graph.queues.map { queue in queue.threadHolder.flatMap { graph.isOpen($0) ? $0 : nil }
        }
        for wait in graph.awaits where wait.others.allSatisfy(graph.isOpen) {
            awaits[wait.task] = (wait.reason, wait.others)
        }
        holders = Array(repeating: 0, count: graph.queues.count)
        for operation in open where graph.operations[operation].state == .executing {
            holders[graph.operations[operation].queue] += 1
        }
        func isOpen(_ target: WaitGraph.Target) -> Bool {
            switch target {
            case .operation(let other): graph.isOpen(other)
            case .queue(let queue): !members[queue].isEmpty
            }
        }
        for wait in graph.waits where graph.isOpen(wait.operation) {
            targets[wait.operation] = isOpen(wait.target) ? wait.target : nil
        }
        threadTargets = graph.queues.map { $0.threadTarget.flatMap { isOpen($0) ? $0 : nil } }
        for (waiting, holder) in graph.keys where graph.isOpen(waiting) && graph.isOpen(holder) {
            keyHolders[waiting] = holder
        }
    }

    func hasFreeSlot(_ queue: Int) -> Bool { limits[queue] < 0 || holders[queue] < limits[queue] }

    /// The task that has the only thread of a queue.
    func threadHolder(of queue: Int) -> Int? {
        queue < 0 || threadTarget(of: queue) != nil ? nil : threadHolders[queue]
    }

    /// What the only thread of a queue waits for, if that has not finished and it is not a task's wait.
    func threadTarget(of queue: Int) -> WaitGraph.Target? {
        guard queue >= 0, threadHolders[queue].map({ targets[$0] == nil }) ?? true else { return nil }
        return threadTargets[queue]
    }

    /// What the operation's thread waits for, if that has not finished.
    func target(of operation: Int) -> WaitGraph.Target? { targets[operation] }
}

/// Numbers in buckets, in the order in which they were added.
struct Buckets {
    private var ends: [Int32]
    private var items: [Int32]

    /// Linear.
    init(_ count: Int, _ pairs: some Collection<(Int, Int)>) {
        ends = Array(repeating: 0, count: count + 1)
        items = Array(repeating: 0, count: pairs.count)
        for (bucket, _) in pairs { ends[bucket + 1] += 1 }
        for bucket in 0..<count { ends[bucket + 1] += ends[bucket] }
        var places = ends
        for (bucket, item) in pairs {
            items[Int(places[bucket])] = Int32(item)
            places[bucket] += 1
        }
    }

    subscript(bucket: Int) -> ArraySlice<Int32> { items[Int(ends[bucket])..<Int(ends[bucket + 1])] }
}
