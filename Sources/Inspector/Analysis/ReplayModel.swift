import InspectorColumns

/// What of a recorded run stays the same when it is replayed: what each operation does itself, and what it
/// waits for.
///
/// Kept are dependencies, priorities and the order of adding; the moment at which an operation without a
/// parent was added, or how long after an operation that the program waited for; how long after its parent's
/// start, or after the end of the child before it, a child was added; the time from a release to being ready,
/// and from getting a slot to the start; what a parent does itself before, between and after its children;
/// the suspensions and limits of queues, at the times at which they were recorded. Waits for dependencies and
/// slots follow.
struct ReplayModel: Sendable {
    /// A list for each operation: those of operation i are from `first[i]` up to `first[i + 1]`.
    struct Lists: Sendable {
        private(set) var first: [Int32]
        private(set) var targets: [Int32]
        private(set) var delays: [Int64]

        init(_ pairs: [ReplayExecution.Pair], count: Int) {
            first = Array(repeating: 0, count: pairs.isEmpty ? 0 : count + 1)
            targets = Array(repeating: 0, count: pairs.count)
            delays = Array(repeating: 0, count: pairs.count)
            if pairs.isEmpty { return }
            for pair in pairs { first[Int(pair.from) + 1] += 1 }
            for index in 0..<count { first[index + 1] += first[index] }
            var next = first
            for pair in pairs {
                let position = Int(next[Int(pair.from)])
                next[Int(pair.from)] += 1
                targets[position] = pair.to
                delays[position] = pair.delay
            }
        }

        func range(of operation: Int) -> Range<Int> {
            first.isEmpty ? 0..<0 : Int(first[operation])..<Int(first[operation + 1])
        }
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
    /// Released only when the slot that came free at that moment had been handed on.
    let lateReleases: LateReleases
    /// Nanoseconds from the slot to the start.
    let dispatchDelays: [Int64]
    /// Nanoseconds of execution in which it waits for nobody.
    let own: [Int64]
    /// Nanoseconds of these after the last that it waits for has ended.
    let tails: [Int64]
    /// For how many dependencies, and for how many others while it executes, it waits.
    let dependencyCounts: [Int32]
    let executionCounts: [Int32]
    /// When each was added, where neither a start nor a finish brought that about; in the order of time.
    let roots: [(operation: Int32, time: Int64)]
    /// Of operations whose start or finish brings about the adding of others, these, and how long after.
    let addedAfterStart: Lists
    let addedAfterFinish: Lists
    /// Of the delays after a start, what the parent waited for others: that part is not its own, and is not
    /// scaled.
    let waitedBeforeAdding: [Int64]
    /// Those that depend on an operation.
    let dependents: Grouping
    /// Those that wait for an operation while they execute.
    let executionWaiters: Lists
    let end: Int64

    /// Cost: nearly linear in operations and edges.
    init(_ analysis: TraceAnalysis) {
        let trace = analysis.trace
        let columns = trace.operations.store.columns
        let lifelines = analysis.timings.lifelines
        let count = lifelines.count
        self.count = count
        end = analysis.end
        let takesPart = lifelines.map { $0.map { $0.executing != nil || $0.isFinished } ?? false }
        self.takesPart = takesPart
        takesSlot = lifelines.map { $0?.executing != nil }
        queues = lifelines.indices.map { index in
            trace.queues.indices.contains(Int(columns.queues[index])) ? columns.queues[index] : -1
        }

        let order = lifelines.indices.map { (time: lifelines.enqueued(of: $0) ?? .max, operation: $0) }
            .sortedByDigits(\.time)
        byOrder = order.map { Int32(truncatingIfNeeded: $0.operation) }
        var ranks = [UInt64](repeating: 0, count: count)
        for (position, index) in byOrder.enumerated() {
            let priority = min(max(columns.priorities[Int(index)], -100), 100)
            ranks[Int(index)] = UInt64(100 - priority) << 32 | UInt64(position)
        }
        self.ranks = ranks

        let dependencies = ReplayDependencies(trace, lifelines, takesPart)
        dependents = dependencies.dependents
        dependencyCounts = dependencies.counts

        let execution = ReplayExecution(analysis, takesPart)
        executionWaiters = Lists(execution.waiters, count: count)
        executionCounts = execution.counts
        own = execution.own
        tails = execution.tails
        roots = execution.roots.sortedByDigits(\.time)
        addedAfterStart = Lists(execution.addedAfterStart, count: count)
        addedAfterFinish = Lists(execution.addedAfterFinish, count: count)
        waitedBeforeAdding = execution.waitedBeforeAdding

        var releaseDelays = [Int64](repeating: 0, count: count)
        var dispatchDelays = [Int64](repeating: 0, count: count)
        for (index, line) in lifelines.enumerated() {
            guard let line, let waits = analysis.waits[index] else { continue }
            let released = dependencies.released[index]
            let ready = max(released, line.ready?.notAfter ?? released)
            releaseDelays[index] = ready - released
            dispatchDelays[index] = max(0, line.start - ready - waits.slot - waits.suspended)
        }
        self.releaseDelays = releaseDelays
        lateReleases = LateReleases(analysis, released: dependencies.released, ranks: ranks)
        self.dispatchDelays = dispatchDelays
    }
}
