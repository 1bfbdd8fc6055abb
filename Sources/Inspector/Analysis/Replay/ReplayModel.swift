import InspectorColumns

/// What stays the same when a recorded run is replayed: each operation's own work, and what it waits for.
///
/// It keeps dependencies, priorities and the order of adding. For an operation without a parent, it keeps the
/// time at which it was added; or the delay after an operation that the program waited for. For a child, it
/// keeps the delay after its parent's start, or after the end of the child before it. It keeps the time from
/// a release to being ready, and from getting a slot to the start. For a parent, it keeps its own work
/// before, between and after its children. It keeps the suspensions and limits of queues at their recorded
/// times. Waits for dependencies and slots are the result.
///
/// If the trace says when threads were on processors, an operation's execution is cut into ``ReplayPieces``,
/// and waits for threads and processors are results, too.
///
/// A class, because dozens of replays read it, and the compiler copies so large a structure to read one part.
final class ReplayModel: Sendable {
    /// A list for each operation: the entries of operation i are from `first[i]` up to `first[i + 1]`.
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

    /// What a replay reads of each operation that starts: in one place, for the caches of the processor.
    struct Row: Sendable {
        /// The lowest rank is dispatched first: by priority, then in the order of adding.
        let rank: UInt64
        /// Nanoseconds from the release to being ready.
        let releaseDelay: Int64
        /// Nanoseconds from the slot to the start.
        let dispatchDelay: Int64
        /// Nanoseconds of execution without waiting for others.
        let own: Int64
        /// An index into the trace's queues; -1 for none.
        let queue: Int32
        /// Whether it had a slot of its queue.
        let takesSlot: Bool
        /// Whether it was released only after the slot that became free at that moment had been handed on.
        let isReleasedLate: Bool
    }

    /// How far an operation has come in a replay.
    struct State: Sendable {
        /// First the time when it is ready; with a slot, the time when its own work is done; at the end, when
        /// it finished.
        var moment = Int64.min
        /// How many operations that it waits for while it executes have not finished, plus 1 until its start.
        var awaited: Int32
    }

    /// Whether it started, or finished without a start, in the recorded run. Others are unknown.
    let takesPart: [Bool]
    let rows: [Row]
    /// The operation for the lower half of each rank.
    let byOrder: [Int32]
    /// The part of a row's `own` after the last operation that it waits for has ended.
    let tails: [Int64]
    /// How many dependencies it waits for, plus 1 for being added. Apart, because it is read for each edge.
    let waitsBefore: [Int32]
    /// How each operation begins.
    let states: [State]
    /// When each was added, if neither a start nor a finish caused that; ordered by time.
    let roots: [(operation: Int32, time: Int64)]
    /// For an operation whose start or finish causes others to be added: these, and the delay of each.
    let addedAfterStart: Lists
    let addedAfterFinish: Lists
    /// The part of a delay after a start during which the parent waited for others. It is not the parent's
    /// own work, and is not scaled.
    let waitedBeforeAdding: [Int64]
    /// The dependents of an operation.
    let dependents: Grouping
    /// The operations that wait for an operation while they execute.
    let executionWaiters: Lists
    /// Replaces `dispatchDelay`, `own`, `tails` and the child lists if the trace has context switches.
    let pieces: ReplayPieces?

    /// Cost: nearly linear in operations and edges.
    init(_ analysis: TraceAnalysis) {
        let trace = analysis.trace
        let columns = trace.operations.store.columns
        let transitions = analysis.timings.transitions
        let count = transitions.count
        let takesPart = transitions.indices.map {
            transitions.has($0) && (columns.executing.has($0) || columns.finished.has($0))
        }
        self.takesPart = takesPart

        let order = transitions.indices.map { (time: transitions.enqueued(of: $0) ?? .max, operation: $0) }
            .sortedByDigits(\.time)
        byOrder = order.map { Int32(truncatingIfNeeded: $0.operation) }
        var ranks = [UInt64](repeating: 0, count: count)
        for (position, index) in byOrder.enumerated() {
            let priority = min(max(columns.priorities[Int(index)], -100), 100)
            ranks[Int(index)] = UInt64(100 - priority) << 32 | UInt64(position)
        }

        let dependencies = ReplayDependencies(trace, transitions, takesPart)
        dependents = dependencies.dependents
        waitsBefore = dependencies.counts.map { $0 + 1 }

        var releaseDelays = [Int64](repeating: 0, count: count)
        var dispatchDelays = [Int64](repeating: 0, count: count)
        for (index, line) in transitions.enumerated() {
            guard let line else { continue }
            let waits = analysis.waits.parts(of: index, line)
            let released = dependencies.released[index]
            let ready = max(released, line.ready?.notAfter ?? released)
            releaseDelays[index] = ready - released
            dispatchDelays[index] = max(0, line.start - ready - waits.untilSlot)
        }

        let execution = ReplayExecution(analysis, takesPart, dispatchDelays: dispatchDelays)
        executionWaiters = Lists(execution.waiters, count: count)
        states = execution.counts.map { State(awaited: $0 + 1) }
        tails = execution.tails
        roots = execution.roots.sortedByDigits(\.time)
        addedAfterStart = Lists(execution.addedAfterStart, count: count)
        addedAfterFinish = Lists(execution.addedAfterFinish, count: count)
        waitedBeforeAdding = execution.waitedBeforeAdding
        pieces = execution.pieces
        let lateReleases = LateReleases(analysis, released: dependencies.released, ranks: ranks)
        let queues = trace.queues.indices
        rows = transitions.indices.map { index in
            Row(
                rank: ranks[index], releaseDelay: releaseDelays[index], dispatchDelay: dispatchDelays[index],
                own: execution.own[index],
                queue: queues.contains(Int(columns.queues[index])) ? columns.queues[index] : -1,
                takesSlot: transitions.has(index) && columns.executing.has(index),
                isReleasedLate: lateReleases[index])
        }
    }
}
