/// What of a recorded run stays the same when it is replayed: what each operation does itself, and what it waits for.
///
/// Kept are dependencies, priorities and the order of adding; the moment at which an operation without a parent was added, or how
/// long after an operation that the program waited for; how long after its parent's start, or after the end of the
/// child before it, a child was added; the time from a release to being ready, and from getting a slot to the start;
/// what a parent does itself before, between and after its children; the suspensions and limits of queues,
/// at the times at which they were recorded. Waits for dependencies and slots follow.
struct ReplayModel: Sendable {
    /// A list for each operation: those of operation i are from `first[i]` up to `first[i + 1]`.
    struct Lists: Sendable {
        private(set) var first: [Int32]
        private(set) var targets: [Int32]
        private(set) var delays: [Int64]

        init(_ pairs: [(from: Int, to: Int, delay: Int64)], count: Int) {
            first = Array(repeating: 0, count: count + 1)
            targets = Array(repeating: 0, count: pairs.count)
            delays = Array(repeating: 0, count: pairs.count)
            for pair in pairs { first[pair.from + 1] += 1 }
            for index in 0..<count { first[index + 1] += first[index] }
            var next = first
            for pair in pairs {
                let position = Int(next[pair.from])
                next[pair.from] += 1
                targets[position] = Int32(truncatingIfNeeded: pair.to)
                delays[position] = pair.delay
            }
        }

        func range(of operation: Int) -> Range<Int> { Int(first[operation])..<Int(first[operation + 1]) }
    }

    let count: Int
    /// It started, or finished without a start, in the recorded run; nothing is known of the others.
    let takesPart: [Bool]
    /// It had a slot of its queue.
    let takesSlot: [Bool]
    /// Into the trace's queues; -1 for none.
    let queues: [Int32]
    /// The lowest is dispatched first: by priority, then in the order of adding.
    let ranks: [UInt64]
    /// By rank's lower half, the operation.
    let byOrder: [Int32]
    /// Nanoseconds from being released to being ready.
    let releaseDelays: [Int64]
    /// Nanoseconds from the slot to the start.
    let dispatchDelays: [Int64]
    /// Nanoseconds of execution in which it waits for nobody.
    let own: [Int64]
    /// Nanoseconds of these after the last that it waits for has ended.
    let tails: [Int64]
    /// For how many dependencies, and for how many others while it executes, it waits.
    let dependencyCounts: [Int32]
    let executionCounts: [Int32]
    /// When each was added, where neither a start nor a finish brought that about.
    let roots: [(operation: Int, time: Int64)]
    /// Of operations whose start or finish brings about the adding of others, these, and how long after.
    let addedAfterStart: Lists
    let addedAfterFinish: Lists
    /// Those that depend on an operation, and those that wait for it while they execute.
    let dependents: Lists
    let executionWaiters: Lists
    let end: Int64

    /// Cost: O(n log n) in operations and edges.
    init(_ analysis: TraceAnalysis) {
        let trace = analysis.trace
        let lifelines = trace.operations.map { Lifeline($0, traceEnd: analysis.end) }
        let count = lifelines.count
        self.count = count
        end = analysis.end
        let takesPart = lifelines.map { $0.map { $0.executing != nil || $0.isFinished } ?? false }
        self.takesPart = takesPart
        takesSlot = lifelines.map { $0?.executing != nil }
        queues = trace.operations.map { operation in
            operation.queue.flatMap {
                trace.queues.indices.contains($0) ? Int32(truncatingIfNeeded: $0) : nil
            } ?? -1
        }

        let order = lifelines.indices.sorted {
            (lifelines[$0]?.enqueued ?? .max, $0) < (lifelines[$1]?.enqueued ?? .max, $1)
        }
        byOrder = order.map { Int32(truncatingIfNeeded: $0) }
        var ranks = [UInt64](repeating: 0, count: count)
        for (position, index) in order.enumerated() {
            let priority = min(max(trace.operations[index].priority, -100), 100)
            ranks[index] = UInt64(100 - priority) << 32 | UInt64(position)
        }
        self.ranks = ranks

        // Edges that the times do not contradict.
        var dependents: [(from: Int, to: Int, delay: Int64)] = []
        var dependencyCounts = [Int32](repeating: 0, count: count)
        var released = lifelines.map { $0?.enqueued ?? 0 }
        for edge in trace.edges {
            guard edge.predecessor != edge.successor, lifelines.indices.contains(edge.predecessor),
                lifelines.indices.contains(edge.successor), takesPart[edge.predecessor],
                takesPart[edge.successor], let predecessor = lifelines[edge.predecessor],
                let successor = lifelines[edge.successor], predecessor.end <= successor.start
            else { continue }
            // One that was cancelled is ready before its dependencies have finished.
            if let ready = successor.ready?.notAfter, predecessor.finished.notBefore > ready { continue }
            dependents.append((edge.predecessor, edge.successor, 0))
            dependencyCounts[edge.successor] += 1
            released[edge.successor] = max(released[edge.successor], predecessor.end)
        }
        self.dependents = Lists(dependents, count: count)
        self.dependencyCounts = dependencyCounts

        let execution = ReplayExecution(analysis, lifelines, takesPart)
        executionWaiters = Lists(execution.waiters, count: count)
        executionCounts = execution.counts
        own = execution.own
        tails = execution.tails
        roots = execution.roots
        addedAfterStart = Lists(execution.addedAfterStart, count: count)
        addedAfterFinish = Lists(execution.addedAfterFinish, count: count)

        var releaseDelays = [Int64](repeating: 0, count: count)
        var dispatchDelays = [Int64](repeating: 0, count: count)
        for (index, line) in lifelines.enumerated() {
            guard let line, let waits = analysis.waits[index] else { continue }
            let ready = max(released[index], line.ready?.notAfter ?? released[index])
            releaseDelays[index] = ready - released[index]
            dispatchDelays[index] = max(0, line.start - ready - waits.slot - waits.suspended)
        }
        self.releaseDelays = releaseDelays
        self.dispatchDelays = dispatchDelays
    }
}
