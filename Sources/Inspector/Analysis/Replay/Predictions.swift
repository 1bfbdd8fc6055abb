import InspectorColumns

/// How long a run would take with changes, by replays; and why that cannot be said of some runs and changes.
///
/// A replay never repeats a run exactly. So predictions are the recorded makespan times the ratio of two
/// replays: with the changes and without. Both leave out what the machine's other load took; predictions
/// assume the same share of it. If it took much, nothing is predicted: its share depends on how many threads
/// the program has.
public struct Predictions: Sendable {
    /// With a larger replay error, nothing is predicted: it is as large as the gain from most changes.
    public static let mostDrift = 0.1
    /// If the run would have been shorter by more than this fraction without other load, nothing is
    /// predicted.
    public static let mostOtherLoad = 0.1
    /// A range whose longer end is more than this many times the shorter says nothing.
    public static let widestRange = 2.0
    /// If a quota of CPU time can make a run longer by more than this fraction, nothing is predicted.
    public static let mostThrottling = 0.1
    /// Smaller parts of a run are not mentioned, and hide nothing.
    package static let noteworthy = 0.01

    /// Why nothing can be predicted of a run.
    public enum Obstacle: Hashable, Sendable {
        /// It hung: nobody knows when it would have ended.
        case standstill
        /// Operations had not finished, of which at least one took a noticeable part of the run.
        case unfinished
        /// The processors that the program could use changed.
        case changedProcessors
        /// A quota of CPU time can have made the run longer. A replay cannot tell by how much: the kernel
        /// stops all threads when the quota of a period is used up.
        case quota
        /// The replay differs too much from the run.
        case drift
        /// Other programs had the processors for too long.
        case otherLoad
    }

    let replay: Replay
    /// Why nothing can be predicted; nil if something can.
    public let obstacle: Obstacle?
    /// By how much the makespan of an unchanged replay differs from the recorded one, as a fraction of that.
    public let drift: Double
    /// The recorded run, replayed; and without the machine's other load.
    package let unchanged: ReplayResult
    package let basis: ReplayResult
    /// The number of slots of every queue that started operations, if it is the same one for the whole run;
    /// -1 for no limit.
    private let recordedLimit: Int?
    /// The smallest quota of CPU time, in thousandths of a CPU; nil if there is none.
    package let quotaInThousandths: Int?

    /// Cost: two replays, nearly linear in operations and edges.
    public init(_ analysis: TraceAnalysis) {
        self.init(analysis, UnfinishedReport(analysis))
    }

    package init(_ analysis: TraceAnalysis, _ report: UnfinishedReport) {
        replay = Replay(analysis)
        unchanged = replay.run()
        basis = replay.recordedProcessors == nil ? unchanged : replay.run(Self.alone(ReplayScenario()))
        drift = replay.drift(of: unchanged)
        recordedLimit = Self.recordedLimit(analysis)
        let processors = analysis.trace.processes.compactMap(\.processors)
        quotaInThousandths = processors.compactMap(\.quotaInThousandths).min()
        obstacle =
            if report.isDeadlocked || report.isHeldUpByOperations {
                .standstill
            } else if Self.isCutOff(analysis) {
                .unfinished
            } else if processors.contains(where: { $0.usableLater != nil }) {
                .changedProcessors
            } else if quotaInThousandths != nil, Self.isBoundByQuota(ReplayScenario(), replay) {
                .quota
            } else if drift > Self.mostDrift {
                .drift
            } else if replay.difference(basis, from: unchanged) < -Self.mostOtherLoad {
                .otherLoad
            } else {
                nil
            }
    }

    /// Whether a quota can matter: with the quota as processors that are there all the time, which is the
    /// worst case, the replay takes longer than without one. Where it does not, the quota is never used up.
    private static func isBoundByQuota(_ scenario: ReplayScenario, _ replay: Replay) -> Bool {
        var free = alone(scenario)
        free.isWithoutQuota = true
        let (bound, unbound) = (replay.range(alone(scenario)), replay.range(free))
        return [(bound.pool, unbound.pool), (bound.threads, unbound.threads)].contains { bound, unbound in
            replay.difference(bound, from: unbound) > mostThrottling
        }
    }

    private static func isCutOff(_ analysis: TraceAnalysis) -> Bool {
        let transitions = analysis.timings.transitions
        return transitions.indices.contains { index in
            guard let line = transitions[index], !line.isFinished else { return false }
            return Double(line.end - line.enqueued) >= Double(analysis.makespan) * noteworthy
        }
    }

    private static func recordedLimit(_ analysis: TraceAnalysis) -> Int? {
        let columns = analysis.trace.operations.store.columns
        var firstUse = [Int64?](repeating: nil, count: analysis.trace.queues.count)
        for index in analysis.trace.operations.indices where columns.executing.has(index) {
            let queue = Int(columns.queues[index])
            guard firstUse.indices.contains(queue) else { continue }
            let enqueued = analysis.timings.transitions.enqueued(of: index) ?? .min
            firstUse[queue] = min(firstUse[queue] ?? .max, enqueued)
        }
        var limits: Set<Int> = []
        for (queue, firstUse) in zip(analysis.trace.queues, firstUse) {
            guard let firstUse else { continue }
            let changes = queue.limits.sorted { $0.time < $1.time }
            let inEffect = changes.last { $0.time <= firstUse } ?? changes.first
            limits.insert(max(-1, inEffect?.limit ?? -1))
            for change in changes where change.time > firstUse { limits.insert(max(-1, change.limit)) }
        }
        return limits.count == 1 ? limits.first : nil
    }

    /// Without what other programs took.
    private static func alone(_ scenario: ReplayScenario) -> ReplayScenario {
        var scenario = scenario
        scenario.isAlone = true
        return scenario
    }

    /// The processors that the recorded program could use; nil if the trace does not say when threads were on
    /// processors.
    package var processors: Int? { replay.recordedProcessors }

    /// See ``Replay``.
    package var unmeasuredShare: Double? { replay.unmeasuredShare }

    /// What bounds each queue; see ``Replay/bounds(of:)``.
    package func bounds(of queues: some Sequence<Int>) -> [QueueBound] {
        replay.bounds(of: queues, Self.alone(ReplayScenario()), basis)
    }

    /// What is known to bound each queue, also if the trace does not say when threads were on processors.
    package func causesOfBounds(of queues: some Sequence<Int>) -> [Int: QueueBound.Cause] {
        replay.causesOfBounds(of: queues, Self.alone(ReplayScenario()), basis)
    }

    /// How long the recorded run would have taken without the machine's other load, in nanoseconds; nil if
    /// that took no noticeable part.
    public var withoutOtherLoad: Int64? {
        guard replay.difference(basis, from: unchanged) < -Self.noteworthy, unchanged.makespan > 0 else {
            return nil
        }
        return Makespans.predicted(basis.makespan, without: unchanged.makespan, recorded: recorded)
    }

    /// The makespan of the recorded run, in nanoseconds.
    public var recorded: Int64 { replay.recordedMakespan }

    /// The number of slots of every queue in the recorded run; `.recorded` if they differ.
    package var recordedSlots: ReplaySlots {
        recordedLimit.map { $0 < 0 ? .unlimited : .limited($0) } ?? .recorded
    }

    /// Cost: two replays at most; six with a quota.
    public func predict(_ scenario: ReplayScenario) -> Prediction {
        var scenario = Self.alone(scenario)
        if scenario.slots == recordedSlots { scenario.slots = .recorded }
        if scenario == Self.alone(ReplayScenario()) {
            return Prediction(
                pool: recorded, threads: recorded, stuckOperations: 0, mostSlots: nil, isRecorded: true,
                isBoundByQuota: false)
        }
        let range = replay.range(scenario)
        let isBound =
            quotaInThousandths != nil && scenario.processors == .recorded
            && Self.isBoundByQuota(scenario, replay)
        return Prediction(
            pool: corrected(range.pool), threads: corrected(range.threads),
            stuckOperations: max(range.pool.stuckOperations, range.threads.stuckOperations),
            mostSlots: max(range.pool.mostSlots, range.threads.mostSlots), isRecorded: false,
            isBoundByQuota: isBound)
    }

    /// The replayed makespan as a part of the basis, times the recorded one.
    package func corrected(_ result: ReplayResult) -> Int64 {
        Makespans.predicted(result.makespan, without: basis.makespan, recorded: recorded)
    }

    /// How much longer than the recorded run a prediction is; negative if it is shorter. A fraction of the
    /// recorded makespan.
    public func change(to makespan: Int64) -> Double { Makespans.change(from: recorded, to: makespan) }

    /// The smallest number of slots with which the run takes at most 1 % longer than without a limit; `nil`
    /// if no number up to that of the operations is enough. About 2 · log n predictions.
    ///
    /// - Parameter known: predictions that need not be repeated.
    public func sufficientSlots(known: [ReplaySlots: Prediction] = [:]) -> Int? {
        func prediction(_ slots: ReplaySlots) -> Prediction {
            known[slots] ?? predict(ReplayScenario(slots: slots))
        }
        let unlimited = prediction(.unlimited)
        let enough = Double(unlimited.range.upperBound) * 1.01
        func isEnough(_ slots: Int) -> Bool {
            if let most = unlimited.mostSlots, most <= slots { return unlimited.stuckOperations == 0 }
            let prediction = prediction(.limited(slots))
            return prediction.stuckOperations == 0 && Double(prediction.range.upperBound) <= enough
        }
        var high = 1
        while !isEnough(high) {
            if high >= max(1, replay.operations) { return nil }
            high *= 2
        }
        var low = high / 2
        while high - low > 1 {
            let middle = (low + high) / 2
            if isEnough(middle) { high = middle } else { low = middle }
        }
        return high
    }

    /// With each kind's executions in that part of their time, and the slots that were recorded. One replay.
    package func makespan(scaling kind: String, by factor: Double) -> Int64 {
        corrected(replay.run(Self.alone(ReplayScenario(scales: [kind: factor]))))
    }
}

/// How long a run would take, in nanoseconds.
public struct Prediction: Hashable, Sendable {
    /// With a pool of as many threads as processors. The same as `threads` if the number of threads is known,
    /// or makes no difference.
    public let pool: Int64
    /// With a thread for each slot.
    public let threads: Int64
    /// How many operations never finish, because they wait for each other.
    public let stuckOperations: Int
    /// The most slots of a queue that were in use at once; nil if nothing was replayed.
    let mostSlots: Int?
    /// Whether nothing is changed.
    public let isRecorded: Bool
    /// Whether a quota of CPU time can make it longer. Nobody knows by how much; see
    /// ``Predictions/Obstacle/quota``.
    public let isBoundByQuota: Bool

    /// From the shorter of the two to the longer.
    public var range: ClosedRange<Int64> { min(pool, threads)...max(pool, threads) }

    /// Whether the range is narrow enough to say anything, no quota matters, and the run ends.
    public var isKnown: Bool {
        stuckOperations == 0 && !isBoundByQuota
            && Double(range.upperBound) <= Double(range.lowerBound) * Predictions.widestRange
    }
}
