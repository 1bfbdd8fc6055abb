/// Whether runs became slower than those of a baseline, and where the time went.
public struct RegressionCheck: Sendable {
    /// The policy of the decision.
    public let policy: CheckPolicy
    /// The runs that were compared.
    public let baseline: CheckSide
    /// The runs that were compared.
    public let current: CheckSide
    /// How many sessions the runs of each side belong to. The machine's other load differs between sessions.
    public let sessions: (baseline: Int, current: Int)
    /// Why nothing can be decided for any times; nil if something can. Without a full stop.
    public let obstacle: String?
    /// The metrics that decide the verdict, in the requested order.
    public let primary: [MetricComparison]
    /// Metrics for information only.
    public let others: [MetricComparison]
    /// Where the time went.
    public let delays: DelayShift
    /// The critical path of either side, in kinds.
    public let path: PathChange
    /// Facts that are needed to judge the times, one sentence each: for example, omitted runs, or different
    /// work.
    public let notes: [String]

    /// Cost: that of the statistics, and linear in the timings.
    ///
    /// - Parameters:
    ///   - primary: the metrics that decide the verdict. A kind that one side lacks is inconclusive.
    public init(
        baseline: CheckSide, current: CheckSide, primary: [TimingMetric] = [.makespan],
        policy: CheckPolicy = CheckPolicy()
    ) {
        self.policy = policy
        let selection = RunSelection(baseline: baseline, current: current)
        self.baseline = selection.baseline
        self.current = selection.current
        let (before, after) = (selection.baseline.timings, selection.current.timings)
        let metrics = CheckedMetrics(baseline: before, current: after, areTogether: policy.isInterleaved)
        sessions = metrics.sessionCounts
        let missing = primary.filter { metrics.samples($0) == nil }
        obstacle =
            selection.obstacle
            ?? missing.first.map { Self.absence($0, before + after) }
        self.primary = RegressionDecision.decide(primary.compactMap(metrics.samples), policy)
        let rest = metrics.all.filter { !primary.contains($0) }
        others = RegressionDecision.decide(rest.compactMap(metrics.samples), policy)
        let shift = DelayShift(baseline: before, current: after)
        let proof = DelayProof(of: shift, metrics, self.primary + others, policy)
        delays = obstacle == nil ? shift.proven(proof.proves) : shift
        path = PathChange(baseline: before, current: after)
        let structure = StructureChange(baseline: selection.baseline, current: selection.current)
        notes = structure.sentences + selection.omissions
    }

    private static func absence(_ metric: TimingMetric, _ runs: [RunTimings]) -> String {
        let name = TerminalText.shortened(metric.kind ?? "")
        guard metric.quantity == .onCPU, runs.contains(where: { $0.kind(metric.kind ?? "") != nil }) else {
            return "one side has no operations of the kind \(name)"
        }
        return "one side has no CPU times of \(name); record its runs with opviz record"
    }

    /// The verdict over all primary metrics.
    public var verdict: RegressionVerdict {
        obstacle == nil ? .overall(primary.map(\.verdict)) : .inconclusive
    }

    /// The other metrics that regressed or improved. If executions changed, only these; otherwise waits and
    /// whole runs, because executions are what others wait for. If only the CPU time of a kind is known to
    /// have changed, it stands for the execution. The largest change of time first.
    public func proven(_ verdict: RegressionVerdict) -> [MetricComparison] {
        let all = others.filter { self.verdict(of: $0) == verdict }
        let executions = all.filter { $0.metric.kind != nil && $0.metric.quantity == .part(.execution) }
        let kinds = Set(executions.map(\.metric.kind))
        let causes =
            executions + all.filter { $0.metric.quantity == .onCPU && !kinds.contains($0.metric.kind) }
        return (causes.isEmpty ? all : causes).enumerated().sorted {
            let (one, other) = ($0.element, $1.element)
            return (abs(other.currentTime - other.baselineTime), $0.offset)
                < (abs(one.currentTime - one.baselineTime), $1.offset)
        }.map(\.element)
    }

    /// The verdict for one metric. An obstacle to the check applies to each metric.
    public func verdict(of comparison: MetricComparison) -> RegressionVerdict {
        obstacle == nil ? comparison.verdict : .inconclusive
    }
}
