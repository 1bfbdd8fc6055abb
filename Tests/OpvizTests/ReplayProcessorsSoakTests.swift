import Foundation
import Inspector
import Testing

@testable import opviz

/// Replays on processors against what really happened: `make soak` asks for it, on a quiet machine.
@Suite(
    "A replay on processors repeats real runs, and predicts others", .serialized, .needsSwitches,
    .needsCompiler)
struct ReplayProcessorsSoakTests {
    /// How many programs are run, each of less than a second or two.
    private static let programs = ProcessInfo.processInfo.environment["OPVIZ_PLANS"].flatMap { Int($0) } ?? 0
    private static let predictions = (programs + 6) / 7
    private static let tolerableDrift = 0.03
    private static let tolerableError = 0.10

    private func run(_ seed: Int, _ mode: String, onOne: Bool = false) throws -> Replay {
        let program = [try TestProgram.plans.path(), String(seed), mode]
        let run = try SwitchedRun((onOne ? ["taskset", "-c", "0"] : []) + program)
        return Replay(TraceAnalysis(Trace(try #require(run.processes.first).contents)))
    }

    /// What it takes on one processor, without other programs.
    private func alone(_ replay: Replay) -> ReplayRange {
        var scenario = ReplayScenario(processors: .limited(1))
        scenario.isAlone = true
        return replay.range(scenario)
    }

    @Test(
        "a replay takes as long as a random program did, others' CPU time being repeated, to 3 %",
        .enabled(if: programs > 0))
    func drift() throws {
        var drifts: [Double] = []
        for seed in 0..<Self.programs {
            let replay = try run(seed, seed % 4 == 3 ? "lanes" : "pool")
            let result = replay.run()
            #expect(result.stuckOperations == 0, "program \(seed)")
            let drift = replay.drift(of: result)
            #expect(drift <= Self.tolerableDrift, "program \(seed)")
            drifts.append(drift)
            print(
                "drift", seed, Double(result.makespan) / Double(replay.recordedMakespan) - 1,
                replay.recordedMakespan / 1_000_000, replay.recordedProcessors ?? 0)
        }
        print("drift of \(drifts.count) programs: \(Distribution(drifts))")
    }

    @Test(
        "a replay of a run on two processors predicts one on one, to 10 % where each slot has a thread",
        .enabled(if: programs > 0))
    func lanes() throws {
        var errors: [Double] = []
        for seed in 0..<Self.predictions {
            let predicted = alone(try run(seed, "lanes"))
            #expect(predicted.shortest == predicted.longest, "program \(seed)")
            let real = try run(seed, "lanes", onOne: true)
            let error = Double(predicted.shortest.makespan) / Double(basis(real)) - 1
            #expect(abs(error) <= Self.tolerableError, "program \(seed)")
            errors.append(abs(error))
            print("lanes", seed, error, real.recordedMakespan / 1_000_000, basis(real) / 1_000_000)
        }
        print("error of \(errors.count) predictions: \(Distribution(errors))")
    }

    @Test(
        "a replay of a run on two processors predicts a range that contains a run on one",
        .enabled(if: programs > 0))
    func pools() throws {
        var (misses, widths): ([Double], [Double]) = ([], [])
        for seed in 0..<Self.predictions {
            let predicted = alone(try run(seed, "pool"))
            let real = Double(basis(try run(seed, "pool", onOne: true)))
            let (low, high) = (Double(predicted.shortest.makespan), Double(predicted.longest.makespan))
            let miss = max(0, low / real - 1, 1 - high / real)
            #expect(miss <= Self.tolerableDrift, "program \(seed)")
            misses.append(miss)
            widths.append(high / low - 1)
            print("pools", seed, miss, low / 1e6, real / 1e6, high / 1e6)
        }
        print("outside of \(misses.count) ranges by: \(Distribution(misses)); width \(Distribution(widths))")
    }

    /// The real run without other programs, as its own replay says.
    private func basis(_ replay: Replay) -> Int64 {
        var scenario = ReplayScenario()
        scenario.isAlone = true
        return replay.run(scenario).makespan
    }

    private struct Distribution: CustomStringConvertible {
        let description: String

        init(_ values: [Double]) {
            let sorted = values.sorted()
            func percent(_ part: Double) -> String {
                let value = sorted[min(Int(Double(sorted.count) * part), sorted.count - 1)]
                return "\((value * 10_000).rounded() / 100) %"
            }
            description = "median \(percent(0.5)), 95 % below \(percent(0.95)), at most \(percent(1))"
        }
    }
}
