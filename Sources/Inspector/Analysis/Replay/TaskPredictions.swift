package import InspectorTraces

/// How long Swift tasks would have taken with changes, by replays; and why that cannot be said of some runs.
/// As ``Predictions`` does of operations.
package struct TaskPredictions: Sendable {
    package enum Obstacle: Hashable, Sendable {
        /// Tasks had not finished and nobody knows what they waited for, so the replay does not end.
        case stuck
        /// Each process has a pool of its own, and they share processors.
        case severalProcesses
        /// The replay differs too much from the run.
        case drift
    }

    private let replay: TaskReplay
    /// The recorded run, replayed.
    package let unchanged: TaskReplayResult
    /// Why nothing can be predicted; nil if something can.
    package let obstacle: Obstacle?

    /// Cost: that of ``TaskReplay`` and a run of it. Nil if no task ran.
    package init?(_ trace: Trace) {
        guard let replay = TaskReplay(trace) else { return nil }
        self.replay = replay
        unchanged = replay.run()
        drift = abs(Makespans.change(from: replay.recordedMakespan, to: unchanged.makespan))
        let processes = Set(trace.tasks.runs.lazy.map { trace.tasks.entries[Int($0.task)].process })
        obstacle =
            if processes.count > 1 {
                .severalProcesses
            } else if unchanged.stuckTasks > 0 {
                .stuck
            } else if drift > Predictions.mostDrift {
                .drift
            } else {
                nil
            }
    }

    /// From the begin of the first run of a task to the end of the last one, in nanoseconds.
    package var recorded: Int64 { replay.recordedMakespan }
    /// The most threads of the pool that had tasks at once.
    package var recordedThreads: Int { replay.recordedWidth }
    /// By how much an unchanged replay differs from the recorded run, as a fraction of that.
    package let drift: Double

    /// Cost: a replay.
    package func predict(_ scenario: TaskReplayScenario) -> TaskReplayResult {
        var result = replay.run(scenario)
        result.makespan = Makespans.predicted(
            result.makespan, without: unchanged.makespan, recorded: recorded)
        return result
    }
}
