import Foundation
import Ops
import Synchronization
import Testing

@testable import InspectorAnalysis
@testable import InspectorRegression
@testable import OpsTesting

@Suite("Measurements: how often, and what comes of it")
struct MeasurementTests {
    @Test(arguments: [(1, 0), (5, 0), (6, 1), (10, 2), (20, 6), (50, 18), (100, 40)])
    func `the interval of the median has the ranks of the tables`(count: Int, rank: Int) {
        #expect(MedianInterval.rank(of: count) == rank)
    }

    @Test func `the interval covers the median in at least 95 % of samples`() {
        var generator = SplitMix64(seed: 3)
        for count in [6, 10, 25] {
            var covered = 0
            for _ in 0..<4000 {
                let times = (0..<count).map { _ in Int64.random(in: 0...1_000_000, using: &generator) }
                covered += MedianInterval(times).interval?.contains(500_000) == true ? 1 : 0
            }
            #expect(covered >= 3760, "\(covered) of 4000 for \(count)")
        }
    }

    @Test func `runs end when the interval is narrow, at the most runs, or when the time is over`() {
        let plan = MeasurementPlan(10...20, precision: 0.02, timeLimit: .seconds(60))
        let steady = [Int64](repeating: 1000, count: 10)
        #expect(plan.ending([Array(steady.dropLast())], elapsed: .zero) == nil)
        #expect(plan.ending([steady], elapsed: .zero) == .precise)
        let wild = (1...10).map { Int64($0 * 1000) }
        #expect(plan.ending([wild], elapsed: .zero) == nil)
        #expect(plan.ending([steady, wild], elapsed: .zero) == nil)
        #expect(plan.ending([wild + wild], elapsed: .zero) == .runs)
        #expect(plan.ending([[1]], elapsed: .seconds(60)) == .time)
        #expect(plan.ending([[]], elapsed: .seconds(60)) == nil)
    }

    @Test func `two sides run in pairs in the order of the seed, after one run each that is not counted`()
        async throws
    {
        let order = Mutex<[Int]>([])
        let plan = MeasurementPlan(4...4, precision: 0, timeLimit: .seconds(60), seed: 5)
        let sides = try await Measuring(plan: plan).run(sides: 2) { side in
            order.withLock { $0.append(side) }
            return try sketchedRun([Sketch(name: "a", start: 0, finish: 1000)])
        }
        let seeded = RunOrder(pairs: 4, seed: 5)
        #expect(order.withLock { $0 } == [0, 1] + (0..<8).map { seeded.isCurrent($0) ? 1 : 0 })
        #expect(sides.map(\.timings.count) == [4, 4])
        #expect(sides[0].description == "makespan 1.00 µs, 4 runs: as many runs as allowed")
    }

    @Test func `real operations can be measured`() async throws {
        let measurement = try await measure(runs: 3...3) { queue in queue.addOperation {} }
        #expect(measurement.timings.count == 3)
        let both = try await measureInterleaved(
            runs: 2...2, seed: 9, baseline: { $0.addOperation {} }, current: { $0.addOperation {} })
        #expect(both.seed == 9)
        #expect(both.baseline.timings.count == 2 && both.current.timings.count == 2)
    }

    /// Runs of both sides. In the current ones, parsing takes `factor` times as long.
    private func measurement(_ factor: Double, runs: Int = 12, noise: Double = 0.01) async throws
        -> InterleavedMeasurement
    {
        var generator = SplitMix64(seed: 11)
        let plan = MeasurementPlan(runs...runs, precision: 0, timeLimit: .seconds(60), seed: 1)
        var started: Int64 = 0
        let sides = try await Measuring(plan: plan).run(sides: 2) { side in
            let weather = 1 + noise * Double.random(in: -1...1, using: &generator)
            let parse = Int64(60_000_000 * weather * (side == 1 ? factor : 1))
            started += 1_000_000_000
            return try sketchedRun(
                startingAt: started,
                [
                    Sketch(name: "fetch", kind: "Fetch", start: 0, finish: 40_000_000),
                    Sketch(name: "parse", kind: "Parse", start: 40_000_000, finish: 40_000_000 + parse),
                ])
        }
        return InterleavedMeasurement(baseline: sides[0], current: sides[1], seed: 1)
    }

    @Test func `the same work on both sides does not fail`() async throws {
        let same = try await measurement(1)
        #expect(failures { same.expectNoRegression() }.isEmpty)
        #expect(same.check().verdict == .unchanged)
    }

    @Test func `slower work fails in a sentence that names what became slower`() async throws {
        let slower = try await measurement(1.5)
        let failure = try #require(failures { slower.expectNoRegression() }.first)
        #expect(failure.hasPrefix("regressed: makespan "))
        #expect(failure.contains("threshold 5 %") && failure.contains("12 runs"))
        #expect(
            failure.contains("Where the time went: execution of Parse +")
                && failure.contains("in an order shuffled by the seed 1"))
        #expect(failures { slower.expectNoRegression(absoluteThreshold: .seconds(1)) }.isEmpty)
        let folder = failure.split(separator: ": ").last.map(String.init)
        try folder.map { try FileManager.default.removeItem(atPath: $0) }
    }

    @Test func `too few runs do not fail, unless it is strict`() async throws {
        let few = try await measurement(1.5, runs: 2)
        #expect(failures { few.expectNoRegression() }.isEmpty)
        let failure = try #require(failures { few.expectNoRegression(isStrict: true) }.first)
        #expect(failure.hasPrefix("inconclusive: makespan "))
    }

    @Test func `a baseline of one other session does not decide; a missing one is reported`() async throws {
        let path = NSTemporaryDirectory() + "opviz-test-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let slower = try await measurement(1.5)
        try Data(Baseline(runs: slower.baseline.timings).bytes).write(to: URL(filePath: path))
        #expect(failures { slower.current.expectNoRegression(against: path) }.isEmpty)
        let strict = failures { slower.current.expectNoRegression(against: path, isStrict: true) }
        #expect(strict.first?.hasPrefix("inconclusive: makespan ") == true, "\(strict)")
        let absent = failures { slower.current.expectNoRegression(against: "absent.json") }
        #expect(absent.first?.contains("OPVIZ_RECORD_BASELINES=1") == true, "\(absent)")
    }
}
