/// The part of a ``ReplayModel`` that is about nesting: who adds whom, and who waits for whom while it executes.
struct ReplayExecution {
    typealias Pair = (from: Int, to: Int, delay: Int64)

    private(set) var waiters: [Pair] = []
    private(set) var counts: [Int32]
    private(set) var own: [Int64]
    private(set) var tails: [Int64]
    private(set) var roots: [(operation: Int, time: Int64)] = []
    private(set) var addedAfterStart: [Pair] = []
    private(set) var addedAfterFinish: [Pair] = []
    /// For each child, the sibling whose end it seems to have been added after; -1 for none.
    private let siblings: [Int32]

    /// Cost: O(n log n) in operations and blocking waits.
    init(_ analysis: TraceAnalysis, _ lifelines: [Lifeline?], _ takesPart: [Bool]) {
        let trace = analysis.trace
        let executions = ExecutionWaits(trace, lifelines)
        siblings = Self.siblingsBefore(Nesting(trace, lifelines), lifelines, takesPart)
        counts = Array(repeating: 0, count: lifelines.count)
        own = Array(repeating: 0, count: lifelines.count)
        tails = own

        var blocked: [(operation: Int, start: Int64, end: Int64)] = []
        for wait in trace.blockingWaits {
            guard let operation = wait.operation, lifelines.indices.contains(operation),
                let line = lifelines[operation]
            else { continue }
            let start = max(line.start, Lifeline.bounded(wait.start))
            let end = min(line.end, Lifeline.bounded(wait.end ?? analysis.end))
            if start < end { blocked.append((operation, start, end)) }
        }
        blocked.sort { $0 < $1 }
        var nextBlocked = 0

        for (index, line) in lifelines.enumerated() {
            var intervals: [(start: Int64, end: Int64)] = []
            while nextBlocked < blocked.count, blocked[nextBlocked].operation == index {
                intervals.append((blocked[nextBlocked].start, blocked[nextBlocked].end))
                nextBlocked += 1
            }
            guard let line, takesPart[index] else { continue }
            guard line.executing != nil else {
                // Finished without a start: what came after it was ready, without a slot.
                own[index] = 0
                addOrigin(of: index, line, trace, lifelines, executions)
                continue
            }
            var last: Int64?
            for entry in executions.entries(of: index) where takesPart[entry.operation] {
                waiters.append((entry.operation, index, 0))
                counts[index] += 1
                last = max(last ?? entry.moment, entry.moment)
                if entry.isChild, let child = lifelines[entry.operation] {
                    intervals.append((max(child.enqueued, line.start), min(child.end, line.end)))
                }
            }
            tails[index] = last.map { line.end - $0 } ?? 0
            own[index] = line.end - line.start - Self.covered(intervals)
            addOrigin(of: index, line, trace, lifelines, executions)
        }
    }

    /// Children that were added while no other child of the parent was there came after the end of the last.
    private mutating func addOrigin(
        of index: Int, _ line: Lifeline, _ trace: Trace, _ lifelines: [Lifeline?],
        _ executions: ExecutionWaits
    ) {
        if let parent = trace.operations[index].parent, parent != index, lifelines.indices.contains(parent),
            let adder = lifelines[parent], adder.executing != nil, adder.start <= line.enqueued,
            line.enqueued <= adder.end
        {
            if siblings[index] >= 0, let before = lifelines[Int(siblings[index])] {
                addedAfterFinish.append((Int(siblings[index]), index, line.enqueued - before.end))
            } else {
                addedAfterStart.append((parent, index, line.enqueued - adder.start))
            }
        } else if trace.operations[index].parent == nil, let wait = executions.ofProgram(upTo: line.enqueued),
            wait.operation != index
        {
            addedAfterFinish.append((wait.operation, index, line.enqueued - wait.moment))
        } else {
            roots.append((index, line.enqueued))
        }
    }

    /// The last of its siblings to end, for a child that was added when those before it had all ended.
    private static func siblingsBefore(
        _ nesting: Nesting, _ lifelines: [Lifeline?], _ takesPart: [Bool]
    ) -> [Int32] {
        var siblings = [Int32](repeating: -1, count: lifelines.count)
        for children in nesting.children {
            var last: (operation: Int, end: Int64)?
            for child in children {
                guard let line = lifelines[child], takesPart[child] else { continue }
                if let last, last.end <= line.enqueued {
                    siblings[child] = Int32(truncatingIfNeeded: last.operation)
                }
                if line.end > last?.end ?? .min { last = (child, line.end) }
            }
        }
        return siblings
    }

    private static func covered(_ intervals: [(start: Int64, end: Int64)]) -> Int64 {
        var covered: Int64 = 0
        var cursor = Int64.min
        for (start, end) in intervals.sorted(by: { $0 < $1 }) where end > max(start, cursor) {
            covered += end - max(start, cursor)
            cursor = end
        }
        return covered
    }
}
