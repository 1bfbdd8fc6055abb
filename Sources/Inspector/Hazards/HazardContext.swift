import InspectorColumns
import WaitDiagnosis

/// The input of the rules: the columns of the trace, and derived data that is computed once for all rules.
final class HazardContext {
    let trace: Trace
    /// Of operations. Swift tasks come after them, if the trace has them as operations.
    let count: Int
    /// The last time that the log covers. Differences from it never overflow.
    let end: Int64
    let enqueued: TransitionTimes
    let ready: TransitionTimes
    let executing: TransitionTimes
    let bodyEnded: TransitionTimes
    let cancelled: TransitionTimes
    let finished: TransitionTimes
    /// Index into the trace's queues, or -1.
    let queue: OperationIndices
    /// Index of the operation that enqueued it, or -1. Never the operation itself, and never one of another
    /// process.
    let parent: OperationIndices
    let priorities: Column<Int32>

    /// Members of a queue, in the order of the log.
    lazy var members = Adjacency(
        owners: trace.queues.count, ownerOfOperation: (0..<count).lazy.map { self.queue[$0] })
    lazy var children = Adjacency(owners: count, ownerOfOperation: (0..<count).lazy.map { self.parent[$0] })
    lazy var predecessors = Adjacency(operations: count, predecessorsIn: edges)
    lazy var successors = Adjacency(operations: count, successorsIn: edges)
    /// The trace's edges between existing operations of the same process. Foundation's rules for dependencies
    /// do not apply to causes in another process.
    lazy var edges: [Trace.Edge] = {
        let isMerged = trace.isMerged
        func isMeant(_ edge: Trace.Edge) -> Bool {
            edge.predecessor != edge.successor && edge.predecessor >= 0 && edge.predecessor < count
                && edge.successor >= 0 && edge.successor < count
                && (!isMerged || !trace.isAcrossProcesses(edge.predecessor, edge.successor))
        }
        return trace.edges.allSatisfy(isMeant) ? trace.edges : trace.edges.filter(isMeant)
    }()
    private lazy var timings = TraceTimings(trace)
    lazy var queueLimits = QueueLimits(timings)
    lazy var waits = timings.waits
    /// Nil if the log does not say when threads were on processors.
    lazy var processorUse = ProcessorUse(timings)
    /// What threads without operations did for operations. Nil if the log does not say when threads were on
    /// processors.
    lazy var delegatedWork = outsideStretches.flatMap { [processorUse] outside in
        processorUse.map { DelegatedWork($0, outside) }
    }
    private lazy var outsideStretches = processorUse.map { OutsideStretches($0) }
    /// Nil if the log does not say when threads were on processors, or is of several processes.
    lazy var processorContention = outsideStretches.flatMap { [trace, processorUse] outside in
        processorUse.flatMap { ProcessorContention(trace, $0, outside) }
    }
    /// The unfinished operations, by cause.
    lazy var unfinished = UnfinishedReport(trace, waits, blockers, end: end) { [unowned self] in
        processorUse
    } names: {
        self.names
    }
    private lazy var blockers = Blockers(trace, end: end)
    private lazy var names = OperationNames(trace, longestName: TerminalText.longestName)
    /// Unfinished operations that a rule has already explained.
    private(set) var explained: Set<Int> = []
    /// Nil if the trace has no Swift tasks.
    lazy var tasks =
        trace.tasks.isEmpty
        ? nil
        : TaskHazards(trace, trace.tasks.asOperations == nil ? nil : timings, firstEnqueue: firstEnqueue) {
            [unowned self] in blockers
        }
    /// For each operation, the index of the innermost wait that its thread was still in at the end, or -1.
    /// Empty if no thread waited then.
    lazy var openWaits: [Int32] = {
        var waits: [Int32] = []
        for (index, wait) in trace.blockingWaits.enumerated() where wait.end == nil {
            guard let operation = wait.operation, operation >= 0, operation < count else { continue }
            if waits.isEmpty { waits = Array(repeating: -1, count: count) }
            waits[operation] = Int32(index)
        }
        return waits
    }()
    lazy var occupancy = Occupancy(self)
    lazy var orders = MomentOrders(self)

    /// Linear in the trace.
    init(_ trace: Trace) {
        let columns = trace.operations.store.columns
        self.trace = trace
        count = trace.tasks.asOperations?.first ?? columns.count
        end = OrderedTransitions.end(of: trace)
        enqueued = TransitionTimes(columns.enqueued)
        ready = TransitionTimes(columns.ready)
        executing = TransitionTimes(columns.executing)
        bodyEnded = TransitionTimes(columns.bodyEnded)
        cancelled = TransitionTimes(columns.cancelled)
        finished = TransitionTimes(columns.finished)
        queue = OperationIndices(columns.queues, below: trace.queues.count)
        parent = OperationIndices(
            trace.isMerged ? Self.localParents(columns) : columns.parents, below: count,
            noneItsOwn: true)
        priorities = columns.priorities
    }

    /// Takes what the analysis has computed. Linear in the trace.
    convenience init(_ analysis: TraceAnalysis) {
        self.init(analysis.trace)
        (timings, blockers) = (analysis.timings, analysis.blockers)
    }

    private static func localParents(_ columns: OperationColumns) -> Column<Int32> {
        var parents = columns.parents
        for (index, parent) in parents.values.enumerated()
        where parent >= 0 && columns.processes[Int(parent)] != columns.processes[index] {
            parents[index] = OperationColumns.none
        }
        return parents
    }

    /// What the operation's thread was waiting for at the end of the log.
    func openWait(_ operation: Int) -> BlockingWait? {
        guard openWaits.indices.contains(operation), openWaits[operation] >= 0 else { return nil }
        return trace.blockingWaits[Int(openWaits[operation])]
    }

    // MARK: Queries that many rules use

    func priority(_ operation: Int) -> Int { Int(priorities[operation]) }

    /// Whether it was enqueued and its finish is not in the log.
    func isUnfinished(_ operation: Int) -> Bool {
        enqueued.isKnown(operation) && !finished.isKnown(operation)
    }

    /// Its finish, or the end of its process's log.
    func lastMoment(_ operation: Int) -> Int64 {
        finished[operation] ?? trace.lastMoment(of: operation, end: end)
    }

    /// The operations of circles, and those that wait for one.
    lazy var deadlocked = Set(
        unfinished.blockers.standstills.lazy.filter(\.isDeadlock).flatMap { [unfinished] in
            unfinished.operations([$0.operation] + $0.others)
        })

    lazy var firstEnqueue: Int64? = (0..<count).lazy.compactMap { self.enqueued[$0] }.min()

    /// Nanoseconds from the first enqueue to the last finish; to the end of the log if something did not
    /// finish.
    lazy var makespan: Int64 = {
        guard let firstEnqueue else { return 0 }
        let last = (0..<count).lazy.filter { self.enqueued.isKnown($0) }.map { self.lastMoment($0) }.max()
        return max(0, (last ?? firstEnqueue) - firstEnqueue)
    }()

    /// The severity of time that the run lost: a warning from a quarter of the makespan on.
    func severity(ofCost cost: Int64) -> HazardSeverity { .ofCost(cost, in: makespan) }

    /// The smallest wait because of priorities that is reported, in nanoseconds: 200 ms, and a tenth of the
    /// makespan.
    var leastPriorityWait: Int64 { Self.leastPriorityWait(in: makespan) }
    static func leastPriorityWait(in makespan: Int64) -> Int64 { max(200_000_000, makespan / 10) }

    /// Nil if the log is complete, so that missing events did not happen; otherwise a sentence with the
    /// reason.
    var incompleteness: String? {
        let dropped = trace.header.droppedEvents
        if dropped == 0 { return nil }
        return dropped == 1
            ? "1 event was dropped, which may be the missing one"
            : "\(Prose.grouped(dropped)) events were dropped, which may include the missing ones"
    }

    /// Why rules about processors cannot decide, or nil if operations executed for less than `least`
    /// nanoseconds together: then there is nothing to decide.
    func lackOfProcessorTimes(ifExecutedFor least: Int64) -> String? {
        // No thread of an operation was on a CPU for long.
        if processorUse != nil, !trace.isMerged { return nil }
        var executed: Int64 = 0
        for operation in 0..<count {
            guard let start = executing[operation] else { continue }
            executed = executed.saturatingAdd(max(0, lastMoment(operation) - start))
            if executed >= least {
                return processorUse != nil
                    ? "the log is of several processes, whose processors it does not compare"
                    : "the log does not say when threads were on a CPU; opviz record logs that where the "
                        + "system allows it"
            }
        }
        return nil
    }

    /// A short name that is safe for a terminal, with the ID if another operation has the same name.
    func name(_ operation: Int) -> String {
        operation < count ? names[operation] : tasks?.name(operation - count) ?? ""
    }

    /// When the members of a circle that block their threads began to wait: operations by their indices, and
    /// tasks.
    ///
    /// - Parameter numbers: in the graph of unfinished operations.
    func openWaits(of numbers: [Int]) -> [(waiting: String, wait: BlockingWait)] {
        numbers.compactMap { number in
            let operation = unfinished.blockers.operations[number]
            if let wait = unfinished.blockers.waitOfMainThread(number) { return ("the main thread", wait) }
            return (unfinished.blockers.wait(ofTask: number) ?? openWait(operation)).map {
                (name(operation), $0)
            }
        }
    }

    func evidence(_ waits: some Sequence<(waiting: String, wait: BlockingWait)>) -> [HazardFinding.Evidence] {
        waits.map { waiting, wait in
            .init(TraceMoment.bounded(wait.start), "\(waiting) began to wait, on thread \(wait.thread)")
        }
    }

    func queueName(_ queue: Int) -> String {
        trace.queues.indices.contains(queue) ? UnfinishedReport.name(of: trace.queues[queue]) : "its queue"
    }

    func kind(_ operation: Int) -> HazardCollector.Subject {
        .kind(Int(trace.operations.store.columns.kinds[operation]))
    }

    /// Index into the trace's processes.
    func process(_ operation: Int) -> Int { Int(trace.operations.store.columns.processes[operation]) }

    /// Whether it is the block of `addBarrierBlock`.
    func isBarrier(_ operation: Int) -> Bool { trace.operations[operation].kind == KnownKind.barrier }

    /// Whether its class is Foundation's own, so that nothing overrides its answers and notifications.
    func isFoundationsClass(_ operation: Int) -> Bool {
        trace.operations.store.columns.closures[operation]
            || isBarrier(operation) || trace.operations[operation].kind == ClosureName.unknownKind
    }
}

extension HazardContext {
    /// Marks operations whose ending a rule has explained, so that `never-finished` does not report them.
    func explain(_ operations: some Sequence<Int>) { explained.formUnion(operations) }

    /// `; stuck behind it: 2 operations (parse, store)`, if others wait for `operation`, directly or
    /// indirectly.
    func stuckBehind(_ operation: Int) -> String {
        guard let standstill = standstill(of: operation), standstill.waiting > 0 else { return "" }
        return "; stuck behind it: \(waiting(standstill))"
    }

    /// `2 operations (parse, store)`
    func waiting(_ standstill: Standstill) -> String {
        let origins: Set<Int> = if case .suspended = standstill.cause { [] } else { Set(standstill.origins) }
        let numbers = ([standstill.operation] + standstill.others).filter { !origins.contains($0) }
        return counted(unfinished.operations(numbers))
    }

    /// `2 operations (parse, store)`
    func counted(_ operations: [Int]) -> String {
        "\(Prose.counted(operations.count, "operation")) (\(names(operations)))"
    }

    /// The standstill in which the others wait for `operation`.
    private func standstill(of operation: Int) -> Standstill? {
        unfinished.blockers.standstills.first {
            unfinished.blockers.operations[$0.operation] == operation
        }
    }

    /// Some of the events of an operation, as evidence.
    func events(_ operation: Int, _ transitions: Transition...) -> [HazardFinding.Evidence] {
        let name = name(operation)
        return transitions.map { transition in
            let (times, done, missing) =
                switch transition {
                case .enqueued: (enqueued, "was enqueued", "was never enqueued")
                case .ready: (ready, "was ready", "was never ready")
                case .executing: (executing, "started", "never started")
                case .cancelled: (cancelled, "was cancelled", "was never cancelled")
                case .finished: (finished, "finished", "never finished")
                }
            return HazardFinding.Evidence(
                times[operation], "\(name) \(times.isKnown(operation) ? done : missing)")
        }
    }

    enum Transition { case enqueued, ready, executing, cancelled, finished }

    /// The first few names: `a, b, c and 12 more`.
    func names(_ operations: some Collection<Int>, atMost limit: Int = 4) -> String {
        let shown = operations.prefix(limit).map { name($0) }.joined(separator: ", ")
        let more = operations.count - limit
        return more > 0 ? "\(shown) and \(Prose.grouped(more)) more" : shown
    }
}
