import InspectorColumns

/// What ended the last wait of each operation before it started. Without it, the operation would have started
/// earlier.
///
/// Among dependencies, that is the last to finish. If the operation was ready and waited for a slot, it is
/// the operation of the same queue whose finish freed that slot, as far as slots can be inferred
/// (``SlotInference``). If it waited for nothing, it is the operation that added it.
package struct StartCauses {
    package enum Reason: UInt8, Sendable {
        /// It started as soon as it was added, by the operation or by the program outside of operations.
        case added
        /// The operation was its last dependency to finish.
        case dependency
        /// The operation finished and left its slot; without an operation, the limit was raised.
        case slot
        /// The operation has the slot that this one still waits for.
        case slotHeld
        /// It waits for the operation, a dependency that was never added to a queue.
        case neverAdded
        /// The operation was the last before it on its thread.
        case thread
    }

    private var reasons: [Reason]
    private var operations: [Int32]
    private var moments: [Int64]
    private let lastDependencies: [Int32]
    /// In a merged trace, for each operation, the operation in another process that caused it and had
    /// finished before; the last to finish.
    private let remoteCauses: [Int32]

    /// Cost: nearly linear in operations and edges.
    init(_ analysis: TraceAnalysis) {
        let transitions = analysis.timings.transitions
        let trace = analysis.trace
        let columns = trace.operations.store.columns
        var reasons = [Reason](repeating: .added, count: transitions.count)
        var operations = [Int32](repeating: -1, count: transitions.count)
        var moments = [Int64](repeating: 0, count: transitions.count)
        // Computed once for each operation, because it is read for each edge.
        var released = moments
        var finished = moments
        var isStuck = [Bool](repeating: false, count: transitions.count)
        for (index, line) in transitions.enumerated() {
            guard let line else { continue }
            moments[index] = line.enqueued
            released[index] = line.ready?.notAfter ?? line.start
            finished[index] = line.finished.notBefore
            isStuck[index] = line.ready == nil
        }

        for (index, parent) in columns.parents.values.enumerated()
        where transitions.indices.contains(Int(parent)) && transitions.has(Int(parent)) {
            operations[index] = parent
        }
        var missing: [(successor: Int, predecessor: Int32)] = []
        for edge in trace.edges {
            let (predecessor, successor) = (edge.predecessor, edge.successor)
            guard predecessor != successor, transitions.indices.contains(predecessor),
                transitions.indices.contains(successor), transitions.has(successor)
            else { continue }
            guard let end = transitions.end(of: predecessor) else {
                if isStuck[successor], !columns.finished.has(predecessor) {
                    missing.append((successor, Int32(truncatingIfNeeded: predecessor)))
                }
                continue
            }
            // An operation whose end is known only roughly may seem to end after what it released.
            guard finished[predecessor] <= released[successor] else { continue }
            let moment = min(end, released[successor])
            let isLater =
                moment > moments[successor]
                || moment == moments[successor] && reasons[successor] == .dependency
                    && predecessor < Int(operations[successor])
                // Never ready: its dependency had not finished at the end of the trace.
                || isStuck[successor] && !columns.finished.has(predecessor) && reasons[successor] == .added
            guard isLater else { continue }
            reasons[successor] = .dependency
            operations[successor] = Int32(truncatingIfNeeded: predecessor)
            moments[successor] = moment
        }

        // What was added and may still finish comes first: it is what can be helped.
        for (index, predecessor) in missing
        where reasons[index] == .added
            || reasons[index] == .dependency && columns.finished.has(Int(operations[index]))
        {
            (reasons[index], operations[index]) = (.neverAdded, predecessor)
            moments[index] = transitions.enqueued(of: index) ?? 0
        }

        remoteCauses = Self.remoteCauses(trace, transitions)
        lastDependencies = zip(reasons, operations).map { $0 == .dependency || $0 == .neverAdded ? $1 : -1 }

        self.reasons = reasons
        self.operations = operations
        self.moments = moments
        if trace.isOfAnotherProgram { addThreads(trace, transitions) }
        // In many runs, nothing waited for a slot.
        if analysis.waits.contains(where: { $0?.slot ?? 0 > 0 }) { addSlots(analysis) }
    }

    /// A trace of another program has a queue for each thread. What a thread does follows on what it did.
    private mutating func addThreads(_ trace: Trace, _ transitions: TraceTransitions) {
        let columns = trace.operations.store.columns
        let isThread = Self.threads(trace, transitions)
        // The operation of each queue that ended last.
        var last = [Int32](repeating: -1, count: trace.queues.count)
        for index in transitions.indices where columns.parents[index] < 0 && transitions.has(index) {
            let queue = Int(columns.queues[index])
            guard isThread.indices.contains(queue), isThread[queue], columns.threads[index] >= 0
            else { continue }
            let before = Int(last[queue])
            let end = before < 0 ? nil : transitions.end(of: before)
            let isSame = before >= 0 && columns.threads[before] == columns.threads[index]
            if isSame, let end, end <= moments[index], reasons[index] == .added {
                (reasons[index], operations[index]) = (.thread, Int32(truncatingIfNeeded: before))
            }
            if transitions.end(of: index) ?? .min >= end ?? .min {
                last[queue] = Int32(truncatingIfNeeded: index)
            }
        }
    }

    /// For each queue, whether its operations follow one another. Those of a category may overlap; on a
    /// thread, only what a profiler measured twice does.
    private static func threads(_ trace: Trace, _ transitions: TraceTransitions) -> [Bool] {
        let columns = trace.operations.store.columns
        var ends = [Int64](repeating: .min, count: trace.queues.count)
        var counts = [(all: Int, overlapping: Int)](repeating: (0, 0), count: trace.queues.count)
        for index in transitions.indices where columns.parents[index] < 0 {
            let queue = Int(columns.queues[index])
            guard let line = transitions[index], ends.indices.contains(queue) else { continue }
            counts[queue].all += 1
            if line.enqueued < ends[queue] { counts[queue].overlapping += 1 }
            ends[queue] = max(ends[queue], line.end)
        }
        return counts.map { $0.overlapping * leastPerOverlap <= $0.all }
    }

    /// On a thread, at most one in this many operations begins within the one before it.
    private static let leastPerOverlap = 20

    private mutating func addSlots(_ analysis: TraceAnalysis) {
        let trace = analysis.trace
        let queueOfIndex = trace.operations.store.columns.queues
        let queues = QueueFinishes(analysis)
        let suspended = trace.queues.map { SuspendedTime($0.suspensions) }
        for (index, line) in analysis.timings.transitions.enumerated() {
            guard let line, let ready = line.ready?.notAfter, trace.task(index) == nil,
                trace.queues.indices.contains(Int(queueOfIndex[index]))
            else { continue }
            let waits = analysis.waits.parts(of: index, line)
            guard waits.slot > 0 else { continue }
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
                // It was cancelled before it had a slot: its wait ended with it.
                if holder == nil, free == line.end { continue }
                (reasons[index], operations[index]) = (.slot, Int32(truncatingIfNeeded: holder ?? -1))
                moments[index] = free
            }
        }
    }

    /// For each operation; empty without causes in other processes.
    static func remoteCauses(_ trace: Trace, _ transitions: TraceTransitions) -> [Int32] {
        guard trace.isMerged else { return [] }
        var causes = [Int32](repeating: -1, count: transitions.count)
        for edge in trace.edges where trace.isAcrossProcesses(edge.predecessor, edge.successor) {
            guard transitions.indices.contains(edge.predecessor),
                transitions.indices.contains(edge.successor),
                let line = transitions[edge.successor], let end = transitions.end(of: edge.predecessor),
                end <= line.enqueued
            else { continue }
            let known = Int(causes[edge.successor])
            if known >= 0, let other = transitions.end(of: known), other >= end { continue }
            causes[edge.successor] = Int32(truncatingIfNeeded: edge.predecessor)
        }
        return causes
    }

    /// The operation in another process that caused this one, and had finished when this was added; `nil`
    /// otherwise.
    package func remoteCause(of operation: Int) -> Int? {
        guard !remoteCauses.isEmpty, remoteCauses[operation] >= 0 else { return nil }
        return Int(remoteCauses[operation])
    }

    package func reason(of operation: Int) -> Reason { reasons[operation] }

    /// The operation that ended the wait; `nil` if the trace does not name it.
    package func cause(of operation: Int) -> Int? {
        operations[operation] < 0 ? nil : Int(operations[operation])
    }

    /// Its last dependency to finish, or one that never did, even if the operation then waited for a slot;
    /// `nil` if it did not wait for dependencies.
    package func lastDependency(of operation: Int) -> Int? {
        lastDependencies[operation] < 0 ? nil : Int(lastDependencies[operation])
    }

    /// When its last wait ended; if it did not wait, its enqueue.
    package func moment(of operation: Int) -> Int64 { moments[operation] }

    /// When the slot became free; `nil` if the queue was suspended after that, so that the slot was not the
    /// last thing it waited for.
    private static func slotFreed(after ready: Int64, _ waits: LifetimeParts, _ suspended: SuspendedTime)
        -> Int64?
    {
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
