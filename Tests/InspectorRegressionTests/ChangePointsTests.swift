import Foundation
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorRegression

@Suite struct ChangePointsTests {
    @Test func `a step is found at its position`() {
        let values = noisy(20, around: 100, seed: 1) + noisy(20, around: 120, seed: 2)
        #expect(ChangePoints.indices(in: values, seed: 1) == [20])
    }

    @Test func `several steps are found, including one back to the first level`() {
        let values =
            noisy(20, around: 100, seed: 1) + noisy(12, around: 120, seed: 2)
            + noisy(20, around: 100, seed: 3)
        let found = ChangePoints.indices(in: values, seed: 1)
        #expect(found.count == 2)
        #expect(found.first == 20)
        #expect((31...34).contains(found.last ?? 0))
    }

    @Test func `a single outlier is not a change`() {
        var values = noisy(40, around: 100, seed: 4)
        values[20] = 1e9
        #expect(ChangePoints.indices(in: values, seed: 1).isEmpty)
    }

    @Test func `too few values have no change, and neither do equal ones`() {
        #expect(ChangePoints.indices(in: [], seed: 1).isEmpty)
        #expect(ChangePoints.indices(in: [1, 2, 3, 100, 101], seed: 1).isEmpty)
        #expect(ChangePoints.indices(in: [1, 1, 1, 9, 9, 9], seed: 1).isEmpty)
        #expect(ChangePoints.indices(in: Array(repeating: 5, count: 100), seed: 1).isEmpty)
    }

    @Test func `if nothing changes, at most one sequence in a hundred has a change point`() {
        let count = ProcessInfo.processInfo.environment["OPVIZ_CHECKS"].flatMap(Int.init) ?? 300
        var generator = SplitMix64(seed: 9)
        let found = (0..<count).count { index in
            let shape = SimulatedRuns.Shape.allCases[index % 4]
            let values = SimulatedRuns(shape: shape).session(of: 10 + index % 21, &generator).map(\.median)
            return !ChangePoints.indices(in: values, seed: UInt64(index)).isEmpty
        }
        if count > 300 { print("change points where nothing changes: \(found) of \(count) sequences") }
        #expect(Double(found) / Double(count) <= 0.02)
    }

    @Test func `the same values and seed give the same changes`() {
        let values = noisy(30, around: 100, seed: 1) + noisy(30, around: 102, seed: 2)
        #expect(ChangePoints.indices(in: values, seed: 7) == ChangePoints.indices(in: values, seed: 7))
    }

    private func noisy(_ count: Int, around level: Double, seed: UInt64) -> [Double] {
        var generator = SplitMix64(seed: seed)
        return SimulatedRuns(shape: .normal, noise: 0.03).session(of: count, &generator)
            .map { $0.median / 1e7 * level }
    }
}
