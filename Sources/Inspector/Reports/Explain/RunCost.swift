import InspectorColumns

/// What operations cost the run.
struct RunCost {
    /// By operation: the time of its steps in the chain that delayed the end of the run. Nanoseconds.
    let delaying: [Int: Int64]
    let slack: Slack
    /// How much shorter the run would have been if an operation had taken no time; nil if that was not asked
    /// for, or if a replay does not reproduce the run. Nanoseconds.
    private(set) var saving: Int64?
    private let makespan: Int64

    /// - Parameters:
    ///   - chains: of the same analysis.
    ///   - chain: what delayed the run.
    init(_ analysis: TraceAnalysis, _ chains: DelayChains, _ chain: DelayChain) {
        var delaying: [Int: Int64] = [:]
        for step in chain.steps {
            delaying[step.operation] = (delaying[step.operation] ?? 0).saturatingAdd(step.end - step.start)
        }
        self.delaying = delaying
        slack = Slack(analysis, chains)
        makespan = analysis.makespan
    }

    /// Cost: two replays of the run.
    mutating func findSaving(of index: Int, _ analysis: TraceAnalysis) {
        // A replay knows operations only. What it would have been without one that never finished is unknown.
        guard analysis.trace.tasks.asOperations == nil, analysis.trace.operations[index].finished != nil
        else { return }
        let replay = Replay(analysis)
        let unchanged = replay.run()
        guard unchanged.stuckOperations == 0, replay.drift(of: unchanged) <= Replay.tolerableDrift else {
            return
        }
        saving = max(0, unchanged.makespan - replay.run(scaling: index, by: 0).makespan)
    }

    func of(_ index: Int, isFinished: Bool) -> Explanation.Cost {
        var known: (recorded: Int64, throughDependencies: Int64)?
        if isFinished, let recorded = slack.recorded[index], let free = slack.throughDependencies[index] {
            known = (recorded, free)
        }
        return Explanation.Cost(
            makespan: makespan, isFinished: isFinished, delaying: delaying[index] ?? 0, saving: saving,
            slack: known)
    }
}
