/// The operations that can never finish, whatever happens, because they wait for each other.
///
/// The others are found first: what executes and waits for nothing may finish, and so may what waits only for what may
/// finish. A thread in a blocking wait waits for its target; an operation that has not started waits for all its
/// dependencies, and for one of those that have the slots of its queue. What is left waits in circles, or for one. That
/// a parent waits for its children is not taken as given, nor that a suspended queue stays so.
struct StuckOperations {
    enum Reason { case wait, queueWait, dependency, slot }

    struct Circle {
        /// Each waits for the next, and the last for the first.
        let operations: [Int]
        let reasons: [Reason]
        /// How many more wait for these, in the end.
        let waiting: Int
    }

    /// In the order of their lowest operations.
    private(set) var circles: [Circle] = []

    /// Cost: linear in operations, edges and waits.
    init(_ context: HazardContext) {
        let blocked = Blocked(context)
        let freed = blocked.freed()
        let isStuck = (0..<context.count).map { context.isUnfinished($0) && !freed[$0] }
        guard isStuck.contains(true) else { return }
        let stuck = StuckInQueues(isStuck, context)
        let next = isStuck.indices.map { isStuck[$0] ? blocked.cause(of: $0, isStuck, stuck) : nil }
        circles = Self.circles(next)
    }

    /// Follows each operation to the one that it waits for, until that is known: each is passed once.
    private static func circles(_ next: [(operation: Int, reason: Reason)?]) -> [Circle] {
        var circleOf = Array(repeating: -1, count: next.count)
        var passedBy = Array(repeating: -1, count: next.count)
        var found: [(operations: [Int], reasons: [Reason])] = []
        var sizes: [Int] = []
        for start in next.indices where next[start] != nil && passedBy[start] < 0 {
            var path: [Int] = []
            var current = start
            while passedBy[current] < 0, let hop = next[current] {
                passedBy[current] = start
                path.append(current)
                current = hop.operation
            }
            var circle = circleOf[current]
            if circle < 0, passedBy[current] == start, let begin = path.firstIndex(of: current) {
                circle = found.count
                let operations = Array(path[begin...])
                found.append((operations, operations.compactMap { next[$0]?.reason }))
                sizes.append(0)
            }
            guard circle >= 0 else { continue }
            for operation in path { circleOf[operation] = circle }
            sizes[circle] += path.count
        }
        return zip(found, sizes).map { circle, size in
            Circle(
                operations: circle.operations, reasons: circle.reasons,
                waiting: size - circle.operations.count)
        }
    }
}

/// What each operation that has not finished waits for.
private struct Blocked {
    private let context: HazardContext
    private let isOpen: [Bool]
    /// By queue: how many have a slot, and how many are open.
    private var holders: [Int]
    private var open: [Int]

    init(_ context: HazardContext) {
        self.context = context
        isOpen = (0..<context.count).map { context.isUnfinished($0) }
        holders = Array(repeating: 0, count: context.trace.queues.count)
        open = holders
        for index in isOpen.indices where isOpen[index] && context.queue[index] >= 0 {
            open[context.queue[index]] += 1
            if context.executing.isKnown(index) { holders[context.queue[index]] += 1 }
        }
    }

    /// What the thread of an open operation waits for.
    private func target(_ operation: Int) -> BlockingWait.Target? { context.openWait(operation)?.target }

    private func hasFreeSlot(_ queue: Int) -> Bool {
        guard queue >= 0, let limit = context.trace.queues[queue].limits.last?.limit else { return true }
        return limit < 0 || holders[queue] < limit
    }

    private func isOpen(_ operation: Int) -> Bool { isOpen.indices.contains(operation) && isOpen[operation] }

    /// Which of the open operations may finish some day.
    func freed() -> [Bool] {
        var isFree = Array(repeating: false, count: isOpen.count)
        var missing = Array(repeating: 0, count: isOpen.count)
        var openIn = open
        var isServed = (0..<open.count).map { hasFreeSlot($0) }
        // By operation, and by queue: who waits for it with its thread.
        var waiters: [Int: [Int]] = [:]
        var queueWaiters: [Int: [Int]] = [:]
        var work: [Int] = []
        for index in isOpen.indices where isOpen[index] {
            if let target = target(index) {
                switch target {
                case .operation(let other) where isOpen(other):
                    missing[index] = 1
                    waiters[other, default: []].append(index)
                case .queue(let queue) where open.indices.contains(queue) && open[queue] > 0:
                    missing[index] = 1
                    queueWaiters[queue, default: []].append(index)
                case .operation, .queue: break
                }
            } else if !context.executing.isKnown(index) {
                if !context.ready.isKnown(index) && !context.cancelled.isKnown(index) {
                    missing[index] = context.predecessors[index].count { isOpen[$0] }
                }
                if context.queue[index] >= 0, !isServed[context.queue[index]] { missing[index] += 1 }
            }
            if missing[index] == 0 { work.append(index) }
        }
        while let index = work.popLast() {
            if isFree[index] { continue }
            isFree[index] = true
            func release(_ other: Int) {
                missing[other] -= 1
                if missing[other] == 0 { work.append(other) }
            }
            for waiter in waiters.removeValue(forKey: index) ?? [] { release(waiter) }
            for successor in context.successors[index]
            where isOpen[successor] && waitsForDependencies(successor) {
                release(successor)
            }
            let queue = context.queue[index]
            guard queue >= 0 else { continue }
            openIn[queue] -= 1
            if openIn[queue] == 0 {
                for waiter in queueWaiters.removeValue(forKey: queue) ?? [] { release(waiter) }
            }
            guard !isServed[queue], context.executing.isKnown(index) else { continue }
            isServed[queue] = true
            for member in context.members[queue] where waitsForSlot(member) { release(member) }
        }
        return isFree
    }

    private func waitsForDependencies(_ operation: Int) -> Bool {
        target(operation) == nil && !context.executing.isKnown(operation)
            && !context.ready.isKnown(operation) && !context.cancelled.isKnown(operation)
    }

    private func waitsForSlot(_ operation: Int) -> Bool {
        isOpen[operation] && target(operation) == nil && !context.executing.isKnown(operation)
    }

    /// One of the stuck operations that this stuck one waits for. Nil where there is none, in a trace that makes no sense.
    func cause(
        of operation: Int, _ isStuck: [Bool], _ stuck: StuckInQueues
    ) -> (operation: Int, reason: StuckOperations.Reason)? {
        switch target(operation) {
        case .operation(let other): return isStuck.indices.contains(other) ? (other, .wait) : nil
        case .queue(let queue):
            guard open.indices.contains(queue) else { return nil }
            guard let other = stuck.first(in: queue, but: operation) else { return nil }
            return (other, .queueWait)
        case nil: break
        }
        if waitsForDependencies(operation),
            let other = context.predecessors[operation].first(where: { isStuck[$0] })
        {
            return (other, .dependency)
        }
        let queue = context.queue[operation]
        guard queue >= 0, let holder = stuck.holder(of: queue), holder != operation else { return nil }
        return (holder, .slot)
    }
}

/// By queue, some of the stuck operations in it: looked for once, and not for each that waits for them.
private struct StuckInQueues {
    private var firsts: [(first: Int32, second: Int32)]
    private var holders: [Int32]

    init(_ isStuck: [Bool], _ context: HazardContext) {
        firsts = Array(repeating: (-1, -1), count: context.trace.queues.count)
        holders = Array(repeating: -1, count: context.trace.queues.count)
        for operation in isStuck.indices where isStuck[operation] && context.queue[operation] >= 0 {
            let queue = context.queue[operation]
            if firsts[queue].first < 0 {
                firsts[queue].first = Int32(operation)
            } else if firsts[queue].second < 0 {
                firsts[queue].second = Int32(operation)
            }
            if holders[queue] < 0, context.executing.isKnown(operation) { holders[queue] = Int32(operation) }
        }
    }

    /// The operation itself only where there is no other.
    func first(in queue: Int, but operation: Int) -> Int? {
        let (first, second) = firsts[queue]
        let other = Int(first) == operation && second >= 0 ? second : first
        return other < 0 ? nil : Int(other)
    }

    /// The first that has a slot.
    func holder(of queue: Int) -> Int? { holders[queue] < 0 ? nil : Int(holders[queue]) }
}
