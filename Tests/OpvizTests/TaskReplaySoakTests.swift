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

    private func trace(_ seed: Int, _ arguments: String..., onProcessors processors: String) throws -> Trace {
        let program = ["taskset", "-c", processors, try TestProgram.taskPlans.path(), String(seed)]
        return try RecordedRun(program + arguments, options: ["--tasks", "--cpu", "off"]).trace()
    }

    private func run(_ seed: Int, onProcessors processors: String) throws -> TaskPredictions {
        try #require(TaskPredictions(try trace(seed, onProcessors: processors)))
    }

    private func share(_ values: [Double], within limit: Double) -> Double {
        Double(values.count { $0 <= limit }) / Double(values.count)
    }

    @Test(
        "a replay of two threads predicts one thread, to 10 % in nine of ten random programs",
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
        print(
            "within 3 %: \(share(drifts, within: 0.03)) of replays; within 10 %: "
                + "\(share(errors, within: 0.1)) of predictions")
        #expect(share(drifts, within: 0.03) >= 0.95)
        #expect(share(errors, within: 0.1) >= 0.9)
    }

    @Test(
        "a replay of tasks awaited one by one predicts groups, at most 10 % worse than they are",
        .enabled(if: programs > 0))
    func parallel() throws {
        var errors: [Double] = []
        for seed in 0..<Self.programs {
            let inTurn = try trace(seed, "in-turn", onProcessors: "0,1")
            let (predictions, groups) = (
                try #require(TaskPredictions(inTurn)), try run(seed, onProcessors: "0,1")
            )
            let places = AwaitPlaces(inTurn.tasks).all.filter { $0.name.contains("inTurn") }
            var scenario = TaskReplayScenario()
            scenario.parallelFunctions = Set(places.map(\.texts))
            scenario.pool = .limited(2)
            let result = predictions.predict(scenario)
            #expect(result.stuckTasks == 0, "program \(seed)")
            let error = Double(result.makespan) / Double(groups.recorded) - 1
            errors.append(error)
            print(
                "awaits", seed, places.count, error, result.makespan / 1_000, groups.recorded / 1_000,
                predictions.recorded / 1_000)
        }
        // What a task awaits in two loops is predicted to happen at once, so groups may gain less.
        print(
            "groups gain no more: \(share(errors, within: 0.1)); 20 %: \(share(errors.map(abs), within: 0.2))"
        )
        #expect(share(errors, within: 0.1) >= 0.9)
        #expect(share(errors.map(abs), within: 0.2) >= 0.9)
    }
}
