import InspectorColumns

/// The nesting in a ``ReplayModel``: which operation adds which, and which waits for which while it executes.
struct ReplayExecution {
    typealias Pair = (from: Int32, to: Int32, delay: Int64)

    private(set) var waiters: [Pair] = []
    private(set) var counts: [Int32]
    private(set) var own: [Int64]
    private(set) var tails: [Int64]
    private(set) var roots: [(operation: Int32, time: Int64)] = []
    private(set) var addedAfterStart: [Pair] = []
    /// For each child, how long its parent waited for others between its start and adding it.
    private(set) var waitedBeforeAdding: [Int64]
    private(set) var addedAfterFinish: [Pair] = []
    /// For each child, the sibling whose end it seems to have been added after; -1 for none.
    private let siblings: [Int32]
    private let remoteCauses: [Int32]

    /// Nil if the trace does not say when threads were on processors.
    private(set) var pieces: ReplayPieces?

    /// Cost: nearly linear in operations and blocking waits.
    ///
    /// - Parameter dispatchDelays: for each operation, how long before its start it had a slot.
    init(_ analysis: TraceAnalysis, _ takesPart: [Bool], dispatchDelays: [Int64]) {
        let trace = analysis.trace
        let transitions = analysis.timings.transitions
        let executions = ExecutionWaits(analysis)
        var cutting = ReplayCutting(analysis, takesPart, dispatchDelays: dispatchDelays)
        remoteCauses = StartCauses.remoteCauses(trace, transitions)
        let children = analysis.nesting.children
        siblings = Self.siblingsBefore(analysis.nesting, transitions, takesPart)
        counts = Array(repeating: 0, count: transitions.count)
        own = Array(repeating: 0, count: transitions.count)
        tails = own
        waitedBeforeAdding = own

        var blocked: [(operation: Int, start: Int64, end: Int64)] = []
        for wait in trace.blockingWaits {
            guard let operation = wait.operation, transitions.indices.contains(operation),
                let line = transitions[operation]
            else { continue }
            let start = max(line.start, TraceMoment.bounded(wait.start))
            let end = min(line.end, TraceMoment.bounded(wait.end ?? analysis.end))
            if start < end { blocked.append((operation, start, end)) }
        }
        blocked.sort { $0 < $1 }
        var nextBlocked = 0
        var intervals: [(start: Int64, end: Int64)] = []

        for (index, line) in transitions.enumerated() {
            intervals.removeAll(keepingCapacity: true)
            while nextBlocked < blocked.count, blocked[nextBlocked].operation == index {
                intervals.append((blocked[nextBlocked].start, blocked[nextBlocked].end))
                nextBlocked += 1
            }
            guard let line, takesPart[index] else {
                cutting?.addNothing()
                continue
            }
            guard line.executing != nil else {
                // Finished without a start: its time after being ready needed no slot.
                own[index] = 0
                cutting?.addNothing()
                addOrigin(of: index, line, trace, transitions, executions)
                continue
            }
            var last: Int64?
            let entries = executions.entries(of: index).filter { takesPart[$0.operation] }
            for entry in entries {
                waiters.append(Self.pair(entry.operation, index, 0))
                counts[index] += 1
                last = max(last ?? entry.moment, entry.moment)
                if entry.reason == .child, let child = transitions[entry.operation] {
                    intervals.append((max(child.enqueued, line.start), min(child.end, line.end)))
                }
            }
            tails[index] = last.map { line.end - $0 } ?? 0
            own[index] = line.end - line.start
            let stretches = Self.joined(&intervals)
            cutting?.add(index, line, entries, waits: stretches)
            if !stretches.isEmpty {
                own[index] -= stretches.reduce(0) { $0 + ($1.end - $1.start) }
                noteWaits(before: children[index], transitions, stretches)
            }
            addOrigin(of: index, line, trace, transitions, executions)
        }
        pieces = cutting?.pieces
    }

    /// A child that was added while no other child of the parent existed came after the end of the last one.
    private mutating func addOrigin(
        of index: Int, _ line: OrderedTransitions, _ trace: Trace, _ transitions: TraceTransitions,
        _ executions: ExecutionWaits
    ) {
        let parent = Int(trace.operations.store.columns.parents[index])
        if parent != index, transitions.indices.contains(parent), let adder = transitions[parent],
            adder.executing != nil, adder.start <= line.enqueued, line.enqueued <= adder.end
        {
            if siblings[index] >= 0, let before = transitions[Int(siblings[index])] {
                addedAfterFinish.append(Self.pair(Int(siblings[index]), index, line.enqueued - before.end))
            } else {
                addedAfterStart.append(Self.pair(parent, index, line.enqueued - adder.start))
            }
        } else if parent < 0, let cause = remoteCauses.isEmpty ? nil : remoteCauses[index], cause >= 0,
            let end = transitions.end(of: Int(cause))
        {
            addedAfterFinish.append(Self.pair(Int(cause), index, line.enqueued - end))
        } else if parent < 0,
            let wait = executions.ofProgram(of: trace.operations[index].process, upTo: line.enqueued),
            wait.operation != index
        {
            addedAfterFinish.append(Self.pair(wait.operation, index, line.enqueued - wait.moment))
        } else {
            roots.append((Int32(truncatingIfNeeded: index), line.enqueued))
        }
    }

    /// For a child that was added when all earlier siblings had ended, the last of them to end.
    private static func siblingsBefore(
        _ nesting: Nesting, _ transitions: TraceTransitions, _ takesPart: [Bool]
    ) -> [Int32] {
        var siblings = [Int32](repeating: -1, count: transitions.count)
        for parent in 0..<nesting.children.count {
            var last: (operation: Int32, end: Int64)?
            for child in nesting.children[parent] {
                guard takesPart[Int(child)], let enqueued = transitions.enqueued(of: Int(child)),
                    let end = transitions.end(of: Int(child))
                else { continue }
                if let last, last.end <= enqueued { siblings[Int(child)] = last.operation }
                if end > last?.end ?? .min { last = (child, end) }
            }
        }
        return siblings
    }

    private static func pair(_ from: Int, _ to: Int, _ delay: Int64) -> Pair {
        (Int32(truncatingIfNeeded: from), Int32(truncatingIfNeeded: to), delay)
    }

    /// - Parameters:
    ///   - children: in the order in which they were added.
    ///   - stretches: when their parent waited, ordered by time, without overlaps.
    private mutating func noteWaits(
        before children: some Sequence<Int32>, _ transitions: TraceTransitions,
        _ stretches: [(start: Int64, end: Int64)]
    ) {
        var next = 0
        var waited: Int64 = 0
        for child in children {
            guard let added = transitions.enqueued(of: Int(child)) else { continue }
            while next < stretches.count, stretches[next].end <= added {
                waited += stretches[next].end - stretches[next].start
                next += 1
            }
            let current = next < stretches.count ? max(0, added - stretches[next].start) : 0
            waitedBeforeAdding[Int(child)] = waited + current
        }
    }

    /// The union of the intervals, ordered by time. Sorts its argument.
    private static func joined(_ intervals: inout [(start: Int64, end: Int64)]) -> [(
        start: Int64, end: Int64
    )] {
        intervals.sort { $0 < $1 }
        var stretches: [(start: Int64, end: Int64)] = []
        for (start, end) in intervals where end > start {
            if let last = stretches.last, start <= last.end {
                stretches[stretches.count - 1].end = max(last.end, end)
            } else {
                stretches.append((start, end))
            }
        }
        return stretches
    }
}
