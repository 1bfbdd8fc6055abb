import Foundation
import Inspector
import InspectorAnalysis
import Testing

/// Replays of Swift tasks against what really happened: `make soak` asks for it, on a quiet machine with two
/// processors or more.
@Suite(
    "A replay of Swift tasks repeats real runs, and predicts others", .serialized, .needsRecording,
    .needsCompiler)
struct TaskReplaySoakTests {
    /// How many programs are run, each of less than a second.
    private static let programs =
        ProcessInfo.processInfo.environment["OPVIZ_TASK_PLANS"].flatMap { Int($0) } ?? 0

    private func run(_ seed: Int, onProcessors processors: String) throws -> TaskPredictions {
        let program = ["taskset", "-c", processors, try TestProgram.taskPlans.path(), String(seed)]
        let run = try RecordedRun(program, options: ["--tasks", "--cpu", "off"])
        return try #require(TaskPredictions(try run.trace()))
    }

    @Test(
        "of a pool of two threads it predicts one of one thread, to 10 % in nine of ten random programs",
        .enabled(if: programs > 0))
    func oneThread() throws {
        var (drifts, errors): ([Double], [Double]) = ([], [])
        for seed in 0..<Self.programs {
            let (two, one) = (try run(seed, onProcessors: "0,1"), try run(seed, onProcessors: "0"))
            #expect(two.unchanged.stuckTasks == 0 && one.unchanged.stuckTasks == 0, "program \(seed)")
            #expect(one.recordedThreads == 1, "program \(seed)")
            var scenario = TaskReplayScenario()
            scenario.pool = .limited(1)
            let error = Double(two.predict(scenario).makespan) / Double(one.recorded) - 1
            drifts += [two.drift, one.drift]
            errors.append(abs(error))
            print("tasks", seed, two.drift, one.drift, error, two.recorded / 1_000, one.recorded / 1_000)
        }
        func share(_ values: [Double], within limit: Double) -> Double {
            Double(values.count { $0 <= limit }) / Double(values.count)
        }
        print(
            "within 3 %: \(share(drifts, within: 0.03)) of replays; within 10 %: "
                + "\(share(errors, within: 0.1)) of predictions")
        #expect(share(drifts, within: 0.03) >= 0.95)
        #expect(share(errors, within: 0.1) >= 0.9)
    }
}
