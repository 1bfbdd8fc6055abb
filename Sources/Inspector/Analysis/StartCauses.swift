import InspectorColumns

/// What ended the last wait of each operation before it started: the one thing but for which it would have
/// started earlier.
///
/// Of the dependencies that is the last to finish. Where the operation was ready and waited for a slot, it is
/// the operation of the same queue whose finish freed that slot, as far as slots can be inferred
/// (``SlotInference``). Where it waited for nothing, it is who added it.
package struct StartCauses {
    package enum Reason: UInt8, Sendable {
        /// It started as soon as it was added, by the operation, or by the program outside of all operations.
        case added
        /// The operation was the last of its dependencies to finish.
        case dependency
        /// The operation finished and left its slot; without an operation, the limit was raised.
        case slot
        /// The operation has a slot that it still waits for.
        case slotHeld
    }

    private var reasons: [Reason]
    private var operations: [Int32]
    private var moments: [Int64]
    private let lastDependencies: [Int32]
    /// Of a merged trace, by operation: what caused it in another process and had finished before; the last
    /// to finish.
    private let remoteCauses: [Int32]

    /// Cost: nearly linear in operations and edges.
    init(_ analysis: TraceAnalysis) {
        let lifelines = analysis.timings.lifelines
        let trace = analysis.trace
        let columns = trace.operations.store.columns
        var reasons = [Reason](repeating: .added, count: lifelines.count)
        var operations = [Int32](repeating: -1, count: lifelines.count)
        var moments = [Int64](repeating: 0, count: lifelines.count)
        // Once for each operation, what is looked at edge by edge.
        var released = moments
        var finished = moments
        var isStuck = [Bool](repeating: false, count: lifelines.count)
        for (index, line) in lifelines.enumerated() {
            guard let line else { continue }
            moments[index] = line.enqueued
            released[index] = line.ready?.notAfter ?? line.start
            finished[index] = line.finished.notBefore
            isStuck[index] = line.ready == nil
        }

        for (index, parent) in columns.parents.values.enumerated()
        where lifelines.indices.contains(Int(parent)) && lifelines.has(Int(parent)) {
            operations[index] = parent
        }
        for edge in trace.edges {
            let (predecessor, successor) = (edge.predecessor, edge.successor)
            guard predecessor != successor, lifelines.indices.contains(predecessor),
                lifelines.indices.contains(successor), lifelines.has(successor),
                let end = lifelines.end(of: predecessor)
            else { continue }
            // One whose end is known only roughly may seem to end after what it released.
            guard finished[predecessor] <= released[successor] else { continue }
            let moment = min(end, released[successor])
            let isLater =
                moment > moments[successor]
                || moment == moments[successor] && reasons[successor] == .dependency
                    && predecessor < Int(operations[successor])
                // Never ready: what it waits for has not finished when the trace ends.
                || isStuck[successor] && !columns.finished.has(predecessor) && reasons[successor] == .added
            guard isLater else { continue }
            reasons[successor] = .dependency
            operations[successor] = Int32(truncatingIfNeeded: predecessor)
            moments[successor] = moment
        }

        remoteCauses = Self.remoteCauses(trace, lifelines)
        lastDependencies = zip(reasons, operations).map { $0 == .dependency ? $1 : -1 }

        self.reasons = reasons
        self.operations = operations
        self.moments = moments
        // In many runs nothing did.
        if analysis.waits.contains(where: { $0?.slot ?? 0 > 0 }) { addSlots(analysis) }
    }

    private mutating func addSlots(_ analysis: TraceAnalysis) {
        let trace = analysis.trace
        let queueOfIndex = trace.operations.store.columns.queues
        let queues = QueueFinishes(analysis)
        let suspended = trace.queues.map { SuspendedTime($0.suspensions) }
        for (index, line) in analysis.timings.lifelines.enumerated() {
            guard let line, let ready = line.ready?.notAfter, let waits = analysis.waits[index],
                waits.slot > 0, trace.queues.indices.contains(Int(queueOfIndex[index]))
            else { continue }
            let queue = Int(queueOfIndex[index])
            if line.executing == nil, !line.isFinished {
                guard waits.dispatch == 0, let holder = queues.firstUnfinished(on: queue), holder != index
                else {
                    continue
                }
                (reasons[index], operations[index]) = (.slotHeld, Int32(truncatingIfNeeded: holder))
                moments[index] = line.end
            } else if let free = Self.slotFreed(after: ready, waits, suspended[queue]) {
                let holder = queues.finisher(on: queue, at: free, besides: index)
                // Cancelled before it had a slot: its wait ended with itself.
                if holder == nil, free == line.end { continue }
                (reasons[index], operations[index]) = (.slot, Int32(truncatingIfNeeded: holder ?? -1))
                moments[index] = free
            }
        }
    }

    /// By operation; empty without any.
    static func remoteCauses(_ trace: Trace, _ lifelines: Lifelines) -> [Int32] {
        guard trace.isMerged else { return [] }
        var causes = [Int32](repeating: -1, count: lifelines.count)
        for edge in trace.edges where trace.isAcrossProcesses(edge.predecessor, edge.successor) {
            guard lifelines.indices.contains(edge.predecessor), lifelines.indices.contains(edge.successor),
                let line = lifelines[edge.successor], let end = lifelines.end(of: edge.predecessor),
                end <= line.enqueued
            else { continue }
            let known = Int(causes[edge.successor])
            if known >= 0, let other = lifelines.end(of: known), other >= end { continue }
            causes[edge.successor] = Int32(truncatingIfNeeded: edge.predecessor)
        }
        return causes
    }

    /// What caused the operation in another process, and had finished when this was added; `nil` where
    /// nothing did.
    package func remoteCause(of operation: Int) -> Int? {
        guard !remoteCauses.isEmpty, remoteCauses[operation] >= 0 else { return nil }
        return Int(remoteCauses[operation])
    }

    package func reason(of operation: Int) -> Reason { reasons[operation] }

    /// What brought the operation about; `nil` where the trace does not name it.
    package func cause(of operation: Int) -> Int? {
        operations[operation] < 0 ? nil : Int(operations[operation])
    }

    /// The last of its dependencies to finish, also where the operation waited for a slot after that; `nil`
    /// where it never waited for one.
    package func lastDependency(of operation: Int) -> Int? {
        lastDependencies[operation] < 0 ? nil : Int(lastDependencies[operation])
    }

    /// When it did so; for one that was added at once, the enqueue.
    package func moment(of operation: Int) -> Int64 { moments[operation] }

    /// When the slot was free; `nil` where the queue was suspended after that, so that the slot was not what
    /// the operation waited for last.
    private static func slotFreed(after ready: Int64, _ waits: Waits, _ suspended: SuspendedTime) -> Int64? {
        let free = ready + waits.slot
        if waits.suspended == 0 { return free }
        let before = suspended.upTo(ready)
        let last = free + waits.suspended
        let isBehindAll =
            suspended.upTo(last) - before == waits.suspended && suspended.suspension(around: last) == nil
            && suspended.upTo(last) == suspended.upTo(last - 1)
        return isBehindAll ? last : nil
    }
}
