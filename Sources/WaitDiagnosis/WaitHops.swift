/// For each operation that has not finished, one that it waits for.
struct WaitHops {
    private(set) var hops: [WaitHop?]
    private let graph: WaitGraph
    private let links: WaitLinks
    private let isStuck: [Bool]
    /// For each queue, the first two operations in it, and those of the stuck ones.
    private let firstMembers, firstStuckMembers: [[Int]]
    /// For each queue, the operation that stands for all operations that have a slot.
    private var holders: [Int?] = []

    /// Linear in the graph.
    ///
    /// - Parameter isStuck: for each operation. Each stuck operation waits for another stuck one, so their
    ///   hops lead into circles.
    init(_ graph: WaitGraph, _ links: WaitLinks, isStuck: [Bool]) {
        self.graph = graph
        self.links = links
        self.isStuck = isStuck
        let members = graph.queues.indices.map { links.members[$0].lazy.map { Int($0) } }
        firstMembers = members.map { Array($0.prefix(2)) }
        firstStuckMembers = members.map { Array($0.filter { isStuck[$0] }.prefix(2)) }
        hops = Array(repeating: nil, count: graph.operations.count)
        var firstChildren: [Int: Int] = [:]
        for (child, parent) in graph.children where graph.isOpen(child) {
            firstChildren[parent] = min(firstChildren[parent] ?? child, child)
        }
        for operation in graph.operations.indices where graph.operations[operation].state == .executing {
            hops[operation] =
                blockedHop(operation) ?? awaitHop(operation)
                ?? (isStuck[operation] ? nil : firstChildren[operation]).map {
                    WaitHop(operation: operation, reason: .child, next: $0)
                }
        }
        holders = graph.queues.indices.map(holder)
        for operation in graph.operations.indices
        where graph.isOpen(operation) && graph.operations[operation].state != .executing {
            hops[operation] =
                blockedHop(operation) ?? dependencyHop(operation) ?? threadHop(operation)
                ?? slotHop(operation)
        }
        for (task, next) in AwaitChoices(graph, links, hops, isStuck: isStuck).all {
            guard let reason = links.awaits[task]?.reason else { continue }
            hops[task] = WaitHop(operation: task, reason: reason, next: next)
        }
    }

    /// The operation is not part of a proven circle: the chain ends here.
    mutating func cut(_ operation: Int) { hops[operation] = nil }

    private func blockedHop(_ operation: Int) -> WaitHop? {
        if let target = links.target(of: operation) {
            let reason: WaitHop.Reason = if case .queue = target { .queueWait } else { .wait }
            return next(operation, target).map { WaitHop(operation: operation, reason: reason, next: $0) }
        }
        return links.keyHolders[operation].map { WaitHop(operation: operation, reason: .key, next: $0) }
    }

    /// The operation that it waits for: of a queue the first other one, or itself.
    private func next(_ operation: Int, _ target: WaitGraph.Target) -> Int? {
        switch target {
        case .operation(let other): return other
        case .queue(let queue):
            let first = isStuck[operation] ? firstStuckMembers[queue] : firstMembers[queue]
            return first.first { $0 != operation } ?? first.first
        }
    }

    /// For one that awaits several, ``AwaitChoices`` has the hop.
    private func awaitHop(_ task: Int) -> WaitHop? {
        guard let wait = links.awaits[task], wait.others.count == 1 else { return nil }
        return WaitHop(operation: task, reason: wait.reason, next: wait.others[0])
    }

    /// Behind a task only one that is stuck: others start when the task leaves the thread.
    private func threadHop(_ operation: Int) -> WaitHop? {
        let queue = graph.operations[operation].queue
        if let target = links.threadTarget(of: queue), let next = next(operation, target),
            !isStuck[operation] || isStuck[next]
        {
            return WaitHop(operation: operation, reason: .blockedThread, next: next)
        }
        guard isStuck[operation], let holder = links.threadHolder(of: queue), isStuck[holder] else {
            return nil
        }
        return WaitHop(operation: operation, reason: .thread, next: holder)
    }

    private func dependencyHop(_ operation: Int) -> WaitHop? {
        guard graph.waitsForDependencies(operation) else { return nil }
        let pending = links.predecessors[operation].lazy.map { Int($0) }.filter {
            isStuck[operation] ? isStuck[$0] : graph.operations[$0].state != .finished
        }
        return pending.min().map { WaitHop(operation: operation, reason: .dependency, next: $0) }
    }

    private func slotHop(_ operation: Int) -> WaitHop? {
        let (queue, state) = (graph.operations[operation].queue, graph.operations[operation].state)
        guard queue >= 0, !links.hasFreeSlot(queue), let holder = holders[queue] else { return nil }
        // Whether a pending operation waits for a slot is unknown, unless no other reason is left.
        guard isStuck[operation] || !graph.queues[queue].isSuspended && state == .ready else { return nil }
        return WaitHop(operation: operation, reason: .slot, next: holder)
    }

    /// The first operation that has a slot and waits for nothing, or else the first one.
    private func holder(of queue: Int) -> Int? {
        let executing = links.members[queue].lazy.map { Int($0) }.filter {
            graph.operations[$0].state == .executing
        }
        return executing.first { hops[$0] == nil } ?? executing.first
    }
}
