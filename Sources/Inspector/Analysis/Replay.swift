import InspectorColumns

/// How many slots the queues of a replay have.
public enum ReplaySlots: Hashable, Sendable {
    /// As many as each queue had, when it had them.
    case recorded
    /// Every queue this many.
    case limited(Int)
    /// No limit: operations wait for each other only.
    case unlimited

    /// Of every queue; `nil` for what was recorded, -1 for no limit.
    var limit: Int? {
        switch self {
        case .recorded: nil
        case .limited(let limit): max(0, limit)
        case .unlimited: -1
        }
    }
}

/// How a replay ended.
public struct ReplayResult: Hashable, Sendable {
    /// Nanoseconds from the first enqueue to the last finish.
    public let makespan: Int64
    /// Operations that never finished, as they wait for each other: with few slots, parents may hold all that
    /// their children need.
    public let stuckOperations: Int
}

/// Replays a recorded run with another number of slots, or with faster or slower operations.
///
/// It knows what the trace says, and no more: that work which runs at the same time shares processors,
/// disks and servers it does not know. ``drift(of:)`` says how well it repeats what was recorded.
public struct Replay: Sendable {
    /// With more drift than this a replay repeats the run too badly to predict others.
    public static let tolerableDrift = 0.02

    private let trace: Trace
    private let model: ReplayModel
    /// Nanoseconds, as recorded.
    public let recordedMakespan: Int64

    /// Cost: nearly linear in operations and edges.
    public init(_ analysis: TraceAnalysis) {
        trace = analysis.trace
        model = ReplayModel(analysis)
        recordedMakespan = analysis.makespan
    }

    /// - Parameter scales: by kind, what the execution of its operations is multiplied by, from 0 to 1000;
    ///   what a parent's children execute is theirs.
    ///
    /// Cost: O(n log n) in operations and edges.
    public func run(slots: ReplaySlots = .recorded, scales: [String: Double] = [:]) -> ReplayResult {
        let factorOfKind = trace.kinds.map { min(max(scales[$0] ?? 1, 0), 1000) }
        let factors =
            scales.isEmpty ? [] : trace.operations.store.columns.kinds.map { factorOfKind[Int($0)] }
        var run = ReplayRun(model, trace, slots: slots, factors: factors)
        return run.run()
    }

    /// The same with the execution of one operation multiplied.
    public func run(scaling operation: Int, by factor: Double) -> ReplayResult {
        var factors = [Double](repeating: 1, count: trace.operations.count)
        factors[operation] = min(max(factor, 0), 1000)
        var run = ReplayRun(model, trace, slots: .recorded, factors: factors)
        return run.run()
    }

    /// By how much the makespan of a replay with nothing changed differs from the recorded one, as a share of
    /// that.
    public func drift(of unchanged: ReplayResult) -> Double {
        recordedMakespan == 0
            ? 0 : abs(Double(unchanged.makespan) - Double(recordedMakespan)) / Double(recordedMakespan)
    }

    /// The smallest number of slots with which the run takes no more than 1 % longer than without a limit;
    /// `nil` where no number up to the operations' own does. About 2 · log n replays.
    public func sufficientSlots() -> Int? {
        let enough = Double(run(slots: .unlimited).makespan) * 1.01
        func isEnough(_ slots: Int) -> Bool {
            let result = run(slots: .limited(slots))
            return result.stuckOperations == 0 && Double(result.makespan) <= enough
        }
        var high = 1
        while !isEnough(high) {
            if high >= max(1, trace.operations.count) { return nil }
            high *= 2
        }
        var low = high / 2
        while high - low > 1 {
            let middle = (low + high) / 2
            if isEnough(middle) { high = middle } else { low = middle }
        }
        return high
    }
}
