/// For each operation that has not finished, one that it waits for and that has not finished either.
struct Blockers {
    enum Reason {
        case dependency
        /// A child of its own, which it may wait for while it executes, or not.
        case child
        /// It blocks its thread until the other has finished.
        case wait
        /// The other has a slot of its queue, and there is no other.
        case slot
    }

    struct Blocker {
        let operation: Int
        let reason: Reason
    }

    private var blockers: [Int: Blocker] = [:]

    subscript(operation: Int) -> Blocker? { blockers[operation] }

    /// Linear in operations, edges and waits.
    ///
    /// - Parameter includesChildren: whether one that executes is taken to wait for its children.
    init(_ analysis: TraceAnalysis, includesChildren: Bool = true) {
        let trace = analysis.trace
        let operations = trace.operations
        let isOpen = { (index: Int) in
            operations.indices.contains(index) && operations[index].enqueued != nil
                && operations[index].finished == nil
        }
        addWaits(trace, isOpen)
        for edge in trace.edges where operations.indices.contains(edge.predecessor) && isOpen(edge.successor)
        {
            let successor = operations[edge.successor]
            guard operations[edge.predecessor].finished == nil, successor.ready == nil,
                successor.executing == nil
            else { continue }
            add(edge.predecessor, before: edge.successor, .dependency)
        }
        for (child, operation) in operations.enumerated() where includesChildren && isOpen(child) {
            guard let parent = operation.parent, parent != child, isOpen(parent),
                operations[parent].executing != nil
            else { continue }
            add(child, before: parent, .child)
        }
        // By queue: the first that has a slot and is not blocked itself, or else the first.
        var holders: [Int: Int] = [:]
        for (index, operation) in operations.enumerated() where isOpen(index) && operation.executing != nil {
            guard let queue = operation.queue else { continue }
            if let known = holders[queue], blockers[known] == nil || blockers[index] != nil { continue }
            holders[queue] = index
        }
        for (index, operation) in operations.enumerated() where isOpen(index) && operation.executing == nil {
            guard operation.ready != nil, let queue = operation.queue, let holder = holders[queue],
                let waits = analysis.waits[index], waits.slot > 0, waits.dispatch == 0
            else { continue }
            add(holder, before: index, .slot)
        }
    }

    /// What a thread waits for is what its operation waits for, whatever else there is.
    private mutating func addWaits(_ trace: Trace, _ isOpen: (Int) -> Bool) {
        // By queue: those that have not finished, two at most.
        var open: [Int: [Int]] = [:]
        for (index, operation) in trace.operations.enumerated() where isOpen(index) {
            if let queue = operation.queue, open[queue, default: []].count < 2 {
                open[queue, default: []].append(index)
            }
        }
        for wait in trace.blockingWaits where wait.end == nil {
            guard let waiting = wait.operation, isOpen(waiting) else { continue }
            switch wait.target {
            case .operation(let index) where isOpen(index): add(index, before: waiting, .wait)
            case .operation: break
            case .queue(let queue):
                if let other = open[queue]?.first(where: { $0 != waiting }) ?? open[queue]?.first {
                    add(other, before: waiting, .wait)
                }
            }
        }
    }

    private mutating func add(_ blocker: Int, before blocked: Int, _ reason: Reason) {
        if let known = blockers[blocked], known.reason != reason || known.operation < blocker { return }
        blockers[blocked] = Blocker(operation: blocker, reason: reason)
    }
}
