import InspectorColumns

/// The result of a replay.
public struct ReplayResult: Hashable, Sendable {
    /// Nanoseconds from the first enqueue to the last finish.
    public let makespan: Int64
    /// How many operations never finished, because they wait for each other. With few slots, parents may hold
    /// all slots that their children need.
    public let stuckOperations: Int
    /// For each queue, nanoseconds from its first enqueue to its last finish.
    let queueSpans: [Int64]
    /// The most slots of any queue, and threads of any pool, that were in use at once. With as many or more,
    /// a replay is the same.
    let mostSlots, mostThreads: Int
}

/// Two replays between which a run would lie; the same twice if that is known.
public struct ReplayRange: Hashable, Sendable {
    /// With a thread for each slot.
    package let threads: ReplayResult
    /// With a pool as wide as the processors.
    package let pool: ReplayResult

    /// With a thread for each slot, usually.
    public var shortest: ReplayResult { threads.makespan <= pool.makespan ? threads : pool }
    /// With a pool as wide as the processors, usually.
    public var longest: ReplayResult { threads.makespan <= pool.makespan ? pool : threads }
}

/// Replays a recorded run with other numbers of slots or processors, or with faster or slower operations.
///
/// If the trace says when threads were on processors, operations share processors in the replay, and need
/// threads. Otherwise they take as long as they took. It does not know that they share disks and servers.
/// ``drift(of:)`` shows how well it reproduces the recorded run.
public struct Replay: Sendable {
    /// With more drift than this, predictions are uncertain.
    public static let tolerableDrift = 0.02

    private let trace: Trace
    private let model: ReplayModel
    /// The recorded makespan, in nanoseconds.
    public let recordedMakespan: Int64

    var operations: Int { trace.operations.count }

    /// Cost: nearly linear in operations, edges and switches.
    public init(_ analysis: TraceAnalysis) {
        trace = analysis.trace
        model = ReplayModel(analysis)
        recordedMakespan = analysis.makespan
    }

    /// The replay of a scenario.
    ///
    /// Cost: O(n log n) in operations, edges and switches.
    public func run(_ scenario: ReplayScenario) -> ReplayResult {
        let factorOfKind = trace.kinds.map { min(max(scenario.scales[$0] ?? 1, 0), 1000) }
        let factors =
            scenario.scales.isEmpty ? [] : trace.operations.store.columns.kinds.map { factorOfKind[Int($0)] }
        var run = ReplayRun(model, trace, scenario, factors: factors)
        return run.run()
    }

    /// The recorded run with these changes; see ``ReplayScenario/slots`` and ``ReplayScenario/scales``.
    ///
    /// Cost: O(n log n) in operations, edges and switches.
    public func run(slots: ReplaySlots = .recorded, scales: [String: Double] = [:]) -> ReplayResult {
        run(ReplayScenario(slots: slots, scales: scales))
    }

    /// Like the method above, but scales the execution of a single operation.
    public func run(scaling operation: Int, by factor: Double) -> ReplayResult {
        var factors = [Double](repeating: 1, count: trace.operations.count)
        factors[operation] = min(max(factor, 0), 1000)
        var run = ReplayRun(model, trace, ReplayScenario(), factors: factors)
        return run.run()
    }

    /// The processors that the recorded program could use; the largest number for several machines. Nil if
    /// the trace does not say when threads were on processors.
    ///
    /// If the trace does not say how many processors there were, it is the most threads that were on
    /// processors at once, so the machine may have more.
    public var recordedProcessors: Int? { model.pieces?.processors.max() }

    /// The replay of a scenario, as a range if it depends on how many threads libdispatch would have had.
    ///
    /// The pool of threads has as many as there are processors, and grows while threads are blocked. Queues
    /// can also have threads of their own. If slots or processors change, the recorded pool says nothing: the
    /// range is from a thread for each slot to a pool as wide as the processors.
    ///
    /// Cost: two replays; one if no more threads were in use than there are processors.
    public func range(_ scenario: ReplayScenario) -> ReplayRange {
        guard let pieces = model.pieces, scenario.pool == .recorded, !scenario.keepsLimits,
            scenario.processors != .unlimited, !pieces.threads.isOneForEachSlot
        else {
            let result = run(scenario)
            return ReplayRange(threads: result, pool: result)
        }
        var (each, few) = (scenario, scenario)
        each.pool = .unlimited
        few.pool = scenario.processors == .recorded ? .limited(recordedProcessors ?? 1) : scenario.processors
        let threads = run(each)
        let hasFewer = few.pool.number(recorded: nil).map { $0 < threads.mostThreads } ?? false
        return ReplayRange(threads: threads, pool: hasFewer ? run(few) : threads)
    }

    /// How much longer the second would take than the first; negative if it is shorter. A fraction of the
    /// first.
    package func difference(_ second: ReplayResult, from first: ReplayResult) -> Double {
        Makespans.change(from: first.makespan, to: second.makespan)
    }

    /// The part of the execution time that is unmeasured; nil if the trace does not say when threads were on
    /// processors. It takes as long in a replay, and no processor.
    package var unmeasuredShare: Double? {
        guard let pieces = model.pieces else { return nil }
        let unmeasured = Double(pieces.total(.unmeasured))
        let sum = unmeasured + Double(pieces.total(.calculates)) + Double(pieces.total(.blocks))
        return sum == 0 ? 0 : unmeasured / sum
    }

    /// By how much the makespan of an unchanged replay differs from the recorded one, as a fraction of that.
    public func drift(of unchanged: ReplayResult) -> Double {
        abs(Makespans.change(from: recordedMakespan, to: unchanged.makespan))
    }
}
