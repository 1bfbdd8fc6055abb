package import InspectorTraces

/// What a replay of Swift tasks changes.
package struct TaskReplayScenario: Hashable, Sendable {
    /// The threads of the pool that runs tasks.
    package var pool = ReplayProcessors.recorded
    /// For each kind, the factor for the running time of its tasks, from 0 to 1000.
    package var scales: [String: Double] = [:]
    /// The same for each executor, as an index into the trace's executors.
    package var executorScales: [Int: Double] = [:]
    /// Actors that run any number of tasks at once, as if each task had one of its own.
    package var splitActors: Set<Int> = []
    /// Functions, each with the texts of its code (``AwaitPlaces``), in which tasks await everything at once:
    /// each task where it awaited something there for the last time.
    package var parallelFunctions: Set<Set<UInt32>> = []

    package init() {}
}

/// The result of a replay of Swift tasks.
package struct TaskReplayResult: Hashable, Sendable {
    /// Nanoseconds from the begin of the first run to the end of the last one.
    package var makespan: Int64 = 0
    /// For how long tasks were ready and did not run, in nanoseconds.
    package var executorWait: Int64 = 0
    /// How many tasks did not finish in the replay, because nothing made them ready.
    package var stuckTasks = 0
}

/// Replays the runs of Swift tasks with another number of threads, with faster kinds, or with other actors.
///
/// Runs take as long as they took, also while their threads were blocked or waited for a processor. A task
/// becomes ready when the task that made it ready gets to that point; what operations, timers and other
/// threads did takes as long as it took. So does a thread of the pool until it comes, after it is needed
/// for the first time.
package struct TaskReplay: Sendable {
    private let trace: Trace
    private let model: TaskReplayModel

    /// Nearly linear in tasks and runs. Nil if no task ran.
    package init?(_ trace: Trace) {
        guard !trace.tasks.runs.isEmpty else { return nil }
        self.trace = trace.withTasks()
        model = TaskReplayModel(self.trace)
    }

    /// The most threads of the pool that had tasks at once.
    package var recordedWidth: Int { model.width }
    /// From the begin of the first run to the end of the last one, in nanoseconds.
    package var recordedMakespan: Int64 { model.makespan }

    /// O(n log n) in runs.
    package func run(_ scenario: TaskReplayScenario = TaskReplayScenario()) -> TaskReplayResult {
        func bounded(_ factor: Double) -> Double { min(max(factor, 0), 1000) }
        let tasks = trace.tasks
        let ofKind = tasks.kinds.map { bounded(scenario.scales[$0] ?? 1) }
        let ofExecutor = tasks.executors.indices.map { bounded(scenario.executorScales[$0] ?? 1) }
        let limits = tasks.executors.indices.map { executor in
            scenario.splitActors.contains(executor) ? .pool : model.limits[executor]
        }
        var run = TaskReplayRun(
            model, limits: limits, threads: scenario.pool.number(recorded: model.width) ?? .max,
            joins: model.joins(tasks, of: scenario.parallelFunctions)
        ) { piece in
            ofKind[Int(tasks.entries[Int(piece.task)].kind)]
                * (piece.executor < 0 ? 1 : ofExecutor[Int(piece.executor)])
        }
        return run.run()
    }
}
