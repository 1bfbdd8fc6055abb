import InspectorColumns

/// An actor that made the run longer, because it runs one task at a time: a replay in which it runs several
/// is shorter.
enum ActorBottleneck: HazardRule {
    static let name = "actor-bottleneck"
    static let meaning = "Swift tasks waited for an actor, and the run would be shorter without these waits"

    /// The actors, by their types, that are replayed: those that tasks waited for longest.
    private static let replayed = 3
    /// The gain that is reported, as a part of the run: a twentieth.
    private static let leastPart: Int64 = 20
    /// And in nanoseconds: 10 ms. Shorter ones are luck.
    private static let leastGain: Int64 = 10_000_000

    fileprivate struct Waits {
        var executors: Set<Int> = []
        var total: Int64 = 0
        /// The longest wait.
        var longest: (time: Int64, task: Int, range: Range<Int64>)?
        var tasks: Set<Int32> = []
    }

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        guard let tasks = context.tasks else { return }
        let least = max(leastGain, tasks.makespan / leastPart)
        let waits = waits(tasks).filter { $0.value.total >= least }
        guard !waits.isEmpty, let predictions = TaskPredictions(tasks.trace), predictions.obstacle == nil
        else { return }
        let worst = waits.sorted { ($1.value.total, $0.key) < ($0.value.total, $1.key) }.prefix(replayed)
        for (actor, waits) in worst {
            var scenario = TaskReplayScenario()
            scenario.splitActors = waits.executors
            let gain = predictions.recorded - predictions.predict(scenario).makespan
            guard gain >= least, let executor = waits.executors.min(), let longest = waits.longest else {
                continue
            }
            let severity = tasks.severity(ofCost: gain)
            findings.report(severity, .executor(executor), cost: gain) {
                let name = TerminalText.shortened(actor, toColumns: 40)
                return HazardFinding(
                    severity, [tasks.operation(longest.task)],
                    "\(Prose.counted(waits.tasks.count, "task")) waited for actor \(name), for "
                        + "\(DurationFormat.text(nanoseconds: waits.total)) together; if it ran several at "
                        + "once, the run would be \(DurationFormat.text(nanoseconds: gain)) shorter",
                    evidence: [
                        .init(
                            longest.range.lowerBound,
                            "\(tasks.name(longest.task)) was enqueued on actor \(name)"),
                        .init(longest.range.upperBound, "\(tasks.name(longest.task)) began to run there"),
                    ],
                    cost: gain,
                    advice:
                        "do in the actor only what needs its state: calculate before, or in a nonisolated "
                        + "function; or split it into several actors")
            }
        }
    }

    /// By type. Linear in runs.
    private static func waits(_ tasks: TaskHazards) -> [String: Waits] {
        var waits: [String: Waits] = [:]
        for task in tasks.tasks.entries.indices {
            tasks.lifetimes.forEach(of: task) { part, range, run in
                guard part == .actor, let next = tasks.tasks.run(after: run, of: task),
                    case let executor = Int(tasks.tasks.runs[next].executor),
                    executor >= 0
                else { return }
                let time = range.upperBound - range.lowerBound
                let longest = (time, task, range)
                waits[tasks.tasks.executors[executor].name, default: Waits()].add(executor, longest)
            }
        }
        return waits
    }
}

extension ActorBottleneck.Waits {
    fileprivate mutating func add(_ executor: Int, _ wait: (time: Int64, task: Int, range: Range<Int64>)) {
        executors.insert(executor)
        tasks.insert(Int32(wait.task))
        total = total.saturatingAdd(wait.time)
        if wait.time > longest?.time ?? 0 { longest = wait }
    }
}
