/// Operations that have not finished, and their common cause.
package struct Standstill: Sendable {
    package enum Cause: Hashable, Sendable {
        /// Each waits for the next, and the last for the first, so none will ever finish. Proven.
        case deadlock([WaitHop])
        case executing
        /// Its `isFinished` is true, but its queue was not notified.
        case unnotified
        case suspended(queue: Int)
        /// It was cancelled before its start, and its queue has not finished it.
        case cancelled
        case notAdded
        case notReady
        /// It is ready, but its queue has no free slot.
        case full(queue: Int)
        /// It is ready and has a slot, but was not started.
        case notStarted
    }

    /// The operation that the others wait for in the end; the lowest if there are several.
    package let operation: Int
    package let cause: Cause
    /// The other operations, ascending: those that wait for it, and those that are held up beside it by the
    /// same cause.
    package let others: [Int]
    /// A circle that is closed if the operation waits for a task that it created, which is its first hop. The
    /// other hops are proven. Empty without such a circle.
    package let possibleCircle: [WaitHop]

    package var isDeadlock: Bool { if case .deadlock = cause { true } else { false } }

    /// The operations of a deadlock, or the single operation.
    package var origins: [Int] {
        if case .deadlock(let hops) = cause { hops.map(\.operation) } else { [operation] }
    }

    /// How many operations wait, without the origins.
    package var waiting: Int {
        if case .suspended = cause { return others.count + 1 }
        return others.count - (origins.count - 1)
    }

    /// The tasks of a circle, whether it is proven or possible.
    package func tasks(in graph: WaitGraph) -> [Int] {
        (origins + possibleCircle.map(\.operation)).filter { graph.operations[$0].isTask }
    }
}

/// Everything in a graph that has not finished, by cause.
package struct Standstills: Sendable {
    /// The standstills with the most other operations first.
    package let all: [Standstill]
    /// For each operation, one that it waits for, if any is known.
    package let hops: [WaitHop?]

    /// Cost: linear in the graph, O(n log n) in causes.
    package init(_ graph: WaitGraph) {
        let links = WaitLinks(graph)
        let isStuck = StuckOperations.find(graph, links)
        var hops = WaitHops(graph, links, isStuck: isStuck)
        var roots = Roots(hops.hops)
        // Circles of tasks only are not the subject of this diagnosis, and have no operation to begin with.
        let ofTasks = Set(
            roots.circles.filter { $0.allSatisfy { graph.operations[$0.operation].isTask } }
                .map { roots[$0[0].operation] })
        if !ofTasks.isEmpty {
            for (operation, hop) in hops.hops.enumerated()
            where hop?.reason == .thread && ofTasks.contains(roots[operation]) {
                hops.cut(operation)
            }
            roots = Roots(hops.hops)
        }
        // Only proven circles are deadlocks. A parent need not wait for its child, and a slot may become
        // free.
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
        let inCircle = Set(circles.values.flatMap { $0.map(\.operation) })
        var members: [Int: [Int]] = [:]
        for operation in graph.operations.indices where graph.isOpen(operation) {
            let origin = origins[operation]
            // Tasks are told only as members of a circle that includes an operation.
            guard !graph.operations[origin].isTask,
                !graph.operations[operation].isTask || inCircle.contains(operation)
            else { continue }
            members[origin, default: []].append(operation)
        }
        let possible = Self.possibleCircles(graph, self.hops, roots)
        all = members.map { origin, members in
            Standstill(
                operation: origin,
                cause: circles[origin].map { .deadlock($0) } ?? graph.cause(of: origin, links),
                others: members.filter { $0 != origin }, possibleCircle: possible[origin] ?? [])
        }.sorted { (-$0.others.count, $0.operation) < (-$1.others.count, $1.operation) }
    }
}

extension Standstills {
    /// For an operation that executes and waits for nothing that is known: the chain of a task that it
    /// created, if that leads back to it.
    private static func possibleCircles(
        _ graph: WaitGraph, _ hops: [WaitHop?], _ roots: Roots
    ) -> [Int: [WaitHop]] {
        var found: [Int: [WaitHop]] = [:]
        for (task, operation) in graph.created
        where found[operation] == nil && hops[operation] == nil && roots.end(of: task) == operation {
            var circle = [WaitHop(operation: operation, reason: .created, next: task)]
            while let last = circle.last, last.next != operation, let hop = hops[last.next],
                graph.isCertain(hop)
            {
                circle.append(hop)
            }
            if circle.last?.next == operation { found[operation] = circle }
        }
        return found
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
