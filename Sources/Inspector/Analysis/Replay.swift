import InspectorColumns

/// How many slots the queues of a replay have.
public enum ReplaySlots: Hashable, Sendable {
    /// As many as each queue had at each time.
    case recorded
    /// This many for every queue.
    case limited(Int)
    /// No limit: operations wait only for each other.
    case unlimited

    /// The limit of every queue; `nil` for the recorded one, -1 for no limit.
    var limit: Int? {
        switch self {
        case .recorded: nil
        case .limited(let limit): max(0, limit)
        case .unlimited: -1
        }
    }
}

/// The result of a replay.
public struct ReplayResult: Hashable, Sendable {
    /// Nanoseconds from the first enqueue to the last finish.
    public let makespan: Int64
    /// How many operations never finished, because they wait for each other. With few slots, parents may hold
    /// all slots that their children need.
    public let stuckOperations: Int
}

/// Replays a recorded run with another number of slots, or with faster or slower operations.
///
/// It uses only the trace, so it does not know that concurrent work shares processors, disks and servers.
/// ``drift(of:)`` shows how well it reproduces the recorded run.
public struct Replay: Sendable {
    /// With more drift than this, predictions are uncertain.
    public static let tolerableDrift = 0.02
    /// With more drift than this, nothing is predicted: the error is as large as the gain from most changes.
    package static let meaninglessDrift = 0.25

    private let trace: Trace
    private let model: ReplayModel
    /// The recorded makespan, in nanoseconds.
    public let recordedMakespan: Int64

    /// Cost: nearly linear in operations and edges.
    public init(_ analysis: TraceAnalysis) {
        trace = analysis.trace
        model = ReplayModel(analysis)
        recordedMakespan = analysis.makespan
    }

    /// - Parameter scales: for each kind, the factor for its operations' execution times, from 0 to 1000. It
    ///   does not apply to the execution of a parent's children.
    ///
    /// Cost: O(n log n) in operations and edges.
    public func run(slots: ReplaySlots = .recorded, scales: [String: Double] = [:]) -> ReplayResult {
        let factorOfKind = trace.kinds.map { min(max(scales[$0] ?? 1, 0), 1000) }
        let factors =
            scales.isEmpty ? [] : trace.operations.store.columns.kinds.map { factorOfKind[Int($0)] }
        var run = ReplayRun(model, trace, slots: slots, factors: factors)
        return run.run()
    }

    /// Like the method above, but scales the execution of a single operation.
    public func run(scaling operation: Int, by factor: Double) -> ReplayResult {
        var factors = [Double](repeating: 1, count: trace.operations.count)
        factors[operation] = min(max(factor, 0), 1000)
        var run = ReplayRun(model, trace, slots: .recorded, factors: factors)
        return run.run()
    }

    /// By how much the makespan of an unchanged replay differs from the recorded one, as a fraction of that.
    public func drift(of unchanged: ReplayResult) -> Double {
        recordedMakespan == 0
            ? 0 : abs(Double(unchanged.makespan) - Double(recordedMakespan)) / Double(recordedMakespan)
    }

    /// The smallest number of slots with which the run takes at most 1 % longer than without a limit; `nil`
    /// if no number up to that of the operations is enough. About 2 · log n replays.
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
