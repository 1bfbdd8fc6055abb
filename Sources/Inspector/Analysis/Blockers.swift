/// For each operation that has not finished, one that it waits for and that has not finished either.
struct Blockers {
    enum Reason {
        case dependency
        /// A child of its own, which it may wait for while it executes, or not.
        case child
        /// It blocks its thread until the other has finished.
        case wait
        /// The other has the exclusion key that it needs, or comes before it.
        case key
        /// The other has a slot of its queue, and there is no other.
        case slot
    }

    struct Blocker {
        let operation: Int
        let reason: Reason
    }

    /// By operation; the blocker is -1 for one that waits for nothing that is known.
    private var blockers: [(operation: Int32, reason: Reason)]

    subscript(operation: Int) -> Blocker? {
        let (blocker, reason) = blockers[operation]
        return blocker < 0 ? nil : Blocker(operation: Int(blocker), reason: reason)
    }

    /// Linear in operations, edges and waits.
    ///
    /// - Parameters:
    ///   - waits: those of the trace's operations.
    ///   - includesChildren: whether one that executes is taken to wait for its children.
    init(_ trace: Trace, _ waits: OperationWaits, includesChildren: Bool = true) {
        let columns = trace.operations.store.columns
        let operations = trace.operations.indices
        blockers = Array(repeating: (-1, .dependency), count: operations.count)
        let isOpen = { (index: Int) in
            operations.contains(index) && columns.enqueued.has(index) && !columns.finished.has(index)
        }
        addWaits(trace, isOpen)
        for (waiting, holder) in KeyWaits(trace, isOpen).holders {
            add(Int(holder), before: Int(waiting), .key)
        }
        for edge in trace.edges where operations.contains(edge.predecessor) && isOpen(edge.successor) {
            guard !columns.finished.has(edge.predecessor), !columns.ready.has(edge.successor),
                !columns.executing.has(edge.successor)
            else { continue }
            add(edge.predecessor, before: edge.successor, .dependency)
        }
        for child in operations where includesChildren && isOpen(child) {
            let parent = Int(columns.parents[child])
            guard parent != child, isOpen(parent), columns.executing.has(parent) else { continue }
            add(child, before: parent, .child)
        }
        // By queue: the first that has a slot and is not blocked itself, or else the first.
        var holders = [Int32](repeating: -1, count: trace.queues.count)
        for index in operations where isOpen(index) && columns.executing.has(index) {
            let queue = Int(columns.queues[index])
            guard holders.indices.contains(queue) else { continue }
            let known = holders[queue]
            if known >= 0, self[Int(known)] == nil || self[index] != nil { continue }
            holders[queue] = Int32(index)
        }
        for index in operations where isOpen(index) && !columns.executing.has(index) {
            let queue = Int(columns.queues[index])
            guard columns.ready.has(index), holders.indices.contains(queue), holders[queue] >= 0,
                let waits = waits[index], waits.slot > 0, waits.dispatch == 0
            else { continue }
            add(Int(holders[queue]), before: index, .slot)
        }
    }

    /// For each operation, where the chain of what it waits for ends; in a circle, its lowest operation. Linear.
    func roots(of operations: [Int]) -> [Int] {
        var roots = Array(repeating: -1, count: blockers.count)
        var passedBy = Array(repeating: -1, count: blockers.count)
        for start in operations where roots[start] < 0 {
            var path: [Int] = []
            var current = start
            while roots[current] < 0, passedBy[current] != start {
                passedBy[current] = start
                path.append(current)
                guard let next = self[current]?.operation else { break }
                current = next
            }
            var root = roots[current] >= 0 ? roots[current] : current
            if roots[current] < 0, self[current] != nil, let begin = path.firstIndex(of: current) {
                root = path[begin...].min() ?? current
            }
            for operation in path { roots[operation] = root }
        }
        return roots
    }

    /// What a thread waits for is what its operation waits for, whatever else there is.
    private mutating func addWaits(_ trace: Trace, _ isOpen: (Int) -> Bool) {
        guard trace.blockingWaits.contains(where: { $0.end == nil }) else { return }
        let queues = trace.operations.store.columns.queues
        // By queue: the first two that have not finished.
        var open = [(Int32, Int32)](repeating: (-1, -1), count: trace.queues.count)
        for index in trace.operations.indices where isOpen(index) {
            let queue = Int(queues[index])
            guard open.indices.contains(queue) else { continue }
            if open[queue].0 < 0 {
                open[queue].0 = Int32(index)
            } else if open[queue].1 < 0 {
                open[queue].1 = Int32(index)
            }
        }
        for wait in trace.blockingWaits where wait.end == nil {
            guard let waiting = wait.operation, isOpen(waiting) else { continue }
            switch wait.target {
            case .operation(let index) where isOpen(index): add(index, before: waiting, .wait)
            case .operation: break
            case .queue(let queue):
                guard open.indices.contains(queue) else { continue }
                let (first, second) = open[queue]
                let other = Int(first) == waiting && second >= 0 ? second : first
                if other >= 0 { add(Int(other), before: waiting, .wait) }
            }
        }
    }

    private mutating func add(_ blocker: Int, before blocked: Int, _ reason: Reason) {
        let known = blockers[blocked]
        if known.operation >= 0, known.reason != reason || Int(known.operation) < blocker { return }
        blockers[blocked] = (Int32(blocker), reason)
    }
}
