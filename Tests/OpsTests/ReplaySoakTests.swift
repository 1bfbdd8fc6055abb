import Foundation
import Inspector
import Testing

/// Replays against what really happened, in real time: `make soak` asks for it.
@Suite("A replay repeats real runs, and predicts others", .serialized)
struct ReplaySoakTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// How many programs are run, each of a second or two.
    private static let programs = environment["OPVIZ_PROGRAMS"].flatMap { Int($0) } ?? 0
    /// Where `make examples` left the traces of the examples.
    private static let examples = environment["OPVIZ_EXAMPLES"]
    private static let tolerableError = 0.05

    @Test(
        "a replay takes as long as a random program did with 1, 2 and 4 slots, to 2 %",
        .enabled(if: programs > 0))
    func drift() throws {
        var worst = 0.0
        for number in 0..<Self.programs {
            let slots = [1, 2, 4][number % 3]
            let trace = try SleepingProgram(seed: UInt64(number), slots: slots).run(slots: slots)
            let replay = Replay(TraceAnalysis(trace))
            let result = replay.run()
            #expect(replay.recordedMakespan >= 1_000_000_000, "program \(number), \(slots) slots")
            #expect(result.stuckOperations == 0, "program \(number), \(slots) slots")
            let drift = replay.drift(of: result)
            #expect(drift <= Replay.tolerableDrift, "program \(number), \(slots) slots")
            worst = max(worst, drift)
        }
        print("drift of \(Self.programs) programs: at most \(worst * 100) %")
    }

    @Test("a replay of a run with 1 slot predicts a run with 2, to 5 %", .enabled(if: programs > 0))
    func prediction() throws {
        var worst = 0.0
        let count = (Self.programs + 3) / 4
        for number in 0..<count {
            let program = SleepingProgram(seed: UInt64(1000 + number), slots: 2)
            let predicted = Replay(TraceAnalysis(try program.run(slots: 1))).run(slots: .limited(2)).makespan
            let real = TraceAnalysis(try program.run(slots: 2)).makespan
            let error = abs(Double(predicted) / Double(real) - 1)
            #expect(error <= Self.tolerableError, "program \(number): predicted \(predicted), was \(real)")
            worst = max(worst, error)
        }
        print("error of \(count) predictions: at most \(worst * 100) %")
    }

    @Test(
        "a replay takes as long as the examples did, to 2 %", .enabled(if: examples != nil),
        arguments: ["quotes", "downloads", "timeline", "trending", "gallery"])
    func example(name: String) throws {
        let path = "\(try #require(Self.examples))/\(name)/\(name).json"
        let replay = Replay(TraceAnalysis(try TraceReader(path: path).read()))
        let result = replay.run()
        #expect(replay.recordedMakespan > 0)
        #expect(result.stuckOperations == 0)
        #expect(replay.drift(of: result) <= Replay.tolerableDrift)
        print("drift of \(name): \(replay.drift(of: result) * 100) %")
    }
}
