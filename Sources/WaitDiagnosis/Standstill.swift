/// Operations that have not finished, and the one cause of that in the end.
package struct Standstill: Sendable {
    package enum Cause: Hashable, Sendable {
        /// Each waits for the next, and the last for the first: none will ever finish. Proven.
        case deadlock([WaitHop])
        case executing
        /// It says that it has finished, and its queue was not told.
        case unnotified
        case suspended(queue: Int)
        /// Before its start, and its queue has not finished it.
        case cancelled
        case notAdded
        case notReady
        /// Ready, with no slot of its queue free.
        case full(queue: Int)
        /// Ready, with a slot, and not started.
        case notStarted
    }

    /// What the others wait for in the end; of several the lowest.
    package let operation: Int
    package let cause: Cause
    /// The others, ascending: those that wait for it, and those that are held up beside it by the same cause.
    package let others: [Int]

    package var isDeadlock: Bool { if case .deadlock = cause { true } else { false } }

    /// The operations of a deadlock, or the one.
    package var origins: [Int] {
        if case .deadlock(let hops) = cause { hops.map(\.operation) } else { [operation] }
    }

    /// How many wait, but for the origins.
    package var waiting: Int {
        if case .suspended = cause { return others.count + 1 }
        return others.count - (origins.count - 1)
    }
}

/// Everything in a graph that has not finished, by its causes.
package struct Standstills: Sendable {
    /// Those with the most others first.
    package let all: [Standstill]
    /// For each operation one that it waits for, if any is known.
    package let hops: [WaitHop?]

    /// Cost: linear in the graph, O(n log n) in causes.
    package init(_ graph: WaitGraph) {
        let links = WaitLinks(graph)
        let isStuck = StuckOperations.find(graph, links)
        var hops = WaitHops(graph, links, isStuck: isStuck)
        var roots = Roots(hops.hops)
        // What is not proven is no deadlock. A parent need not wait for its child, nor is any slot lost for
        // ever.
        for circle in roots.circles where !isStuck[circle[0].operation] {
            let weakest =
                circle.first { $0.reason == .child } ?? circle.first { $0.reason == .slot } ?? circle[0]
            hops.cut(weakest.operation)
            roots.replace(circle, by: weakest.operation)
        }
        self.hops = hops.hops
        let circles = Dictionary(
            roots.circles.filter { isStuck[$0[0].operation] }.map { (roots[$0[0].operation], $0) },
            uniquingKeysWith: { first, _ in first })
        let origins = roots.gathered(graph, self.hops)
        var members: [Int: [Int]] = [:]
        for operation in graph.operations.indices where graph.isOpen(operation) {
            members[origins[operation], default: []].append(operation)
        }
        all = members.map { origin, members in
            Standstill(
                operation: origin,
                cause: circles[origin].map { .deadlock($0) } ?? graph.cause(of: origin, links),
                others: members.filter { $0 != origin })
        }.sorted { (-$0.others.count, $0.operation) < (-$1.others.count, $1.operation) }
    }
}

extension WaitGraph {
    /// Why an operation that waits for no other has not finished.
    fileprivate func cause(of index: Int, _ links: WaitLinks) -> Standstill.Cause {
        let operation = operations[index]
        if operation.isUnnotified { return .unnotified }
        switch operation.state {
        case .notAdded, .finished: return .notAdded
        case .executing: return .executing
        case .pending, .ready: break
        }
        if operation.queue >= 0, queues[operation.queue].isSuspended {
            return .suspended(queue: operation.queue)
        }
        if operation.isCancelled { return .cancelled }
        if operation.state == .pending { return .notReady }
        if operation.queue >= 0, !links.hasFreeSlot(operation.queue) { return .full(queue: operation.queue) }
        return .notStarted
    }
}
