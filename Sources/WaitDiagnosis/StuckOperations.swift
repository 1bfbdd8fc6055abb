/// The operations that can never finish, because they wait for each other.
///
/// The search finds the other operations first: an operation may finish if it executes and waits for
/// nothing, or if everything that it waits for may finish. A blocked thread waits for its target. An
/// operation that has not started waits for all its dependencies, for one of the operations in the slots of
/// its queue, and for the task that has its queue's only thread, or for what this thread is blocked for. A
/// task waits for one of its targets. The rest waits in circles, or for a circle. The search does not
/// assume that a parent waits for its children, or that a suspended queue stays suspended.
struct StuckOperations {
    private let graph: WaitGraph
    private let links: WaitLinks
    /// For each operation, how many things it still waits for. The slot of its queue counts as one.
    private var missing: [Int]
    private var isFree: [Bool]
    private var openIn: [Int]
    private var isServed: [Bool]
    private var work: [Int] = []

    /// For each operation, whether it is stuck. Cost: linear in the graph.
    static func find(_ graph: WaitGraph, _ links: WaitLinks) -> [Bool] {
        var search = StuckOperations(graph, links)
        search.free()
        return graph.operations.indices.map { graph.isOpen($0) && !search.isFree[$0] }
    }

    private init(_ graph: WaitGraph, _ links: WaitLinks) {
        self.graph = graph
        self.links = links
        missing = Array(repeating: 0, count: graph.operations.count)
        isFree = Array(repeating: false, count: graph.operations.count)
        openIn = graph.queues.indices.map { links.members[$0].count }
        isServed = graph.queues.indices.map { links.hasFreeSlot($0) }
    }

    private mutating func free() {
        // Operations that wait with a blocked thread or for a key, by the operation or the queue that they
        // wait for.
        var waiters: [Int: [Int]] = [:]
        var queueWaiters: [Int: [Int]] = [:]
        func wait(_ index: Int, for target: WaitGraph.Target) {
            missing[index] += 1
            switch target {
            case .operation(let other): waiters[other, default: []].append(index)
            case .queue(let queue): queueWaiters[queue, default: []].append(index)
            }
        }
        for index in graph.operations.indices where graph.isOpen(index) {
            if let target = links.target(of: index) {
                wait(index, for: target)
            } else if let holder = links.keyHolders[index] {
                wait(index, for: .operation(holder))
            } else if let wait = links.awaits[index] {
                // The first of them frees it. What follows has no effect.
                missing[index] = 1
                for other in wait.others { waiters[other, default: []].append(index) }
            } else if graph.operations[index].state != .executing {
                if graph.waitsForDependencies(index) {
                    missing[index] = links.predecessors[index].count { graph.isOpen(Int($0)) }
                }
                if waitsForSlot(index) { missing[index] += 1 }
                if let holder = links.threadHolder(of: graph.operations[index].queue) {
                    wait(index, for: .operation(holder))
                } else if let target = links.threadTarget(of: graph.operations[index].queue) {
                    wait(index, for: target)
                }
            }
            if missing[index] == 0 { work.append(index) }
        }
        while let index = work.popLast() {
            if isFree[index] { continue }
            isFree[index] = true
            for waiter in waiters.removeValue(forKey: index) ?? [] { release(waiter) }
            for successor in links.successors[index] where graph.waitsForDependencies(Int(successor)) {
                release(Int(successor))
            }
            let queue = graph.operations[index].queue
            guard queue >= 0 else { continue }
            openIn[queue] -= 1
            if openIn[queue] == 0 {
                for waiter in queueWaiters.removeValue(forKey: queue) ?? [] { release(waiter) }
            }
            guard !isServed[queue], graph.operations[index].state == .executing else { continue }
            let waiting = links.members[queue].filter { waitsForSlot(Int($0)) }
            isServed[queue] = true
            for member in waiting { release(Int(member)) }
        }
    }

    private func waitsForSlot(_ operation: Int) -> Bool {
        let queue = graph.operations[operation].queue
        return queue >= 0 && !isServed[queue] && graph.operations[operation].state != .executing
            && links.target(of: operation) == nil
    }

    private mutating func release(_ operation: Int) {
        missing[operation] -= 1
        if missing[operation] == 0 { work.append(operation) }
    }
}
