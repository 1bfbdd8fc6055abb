import Foundation
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorRegression

@Suite struct RegressionDecisionTests {
    private let interleaved = CheckPolicy(isInterleaved: true)

    @Test func `verdicts mirror each other for as much slower and as much faster`() {
        let (slow, fast) = (side([120, 121, 122, 123, 124, 125]), side([100, 101, 102, 103, 104, 105]))
        let regressed = decide(fast, slow, interleaved)
        let improved = decide(slow, fast, interleaved)
        #expect(regressed.verdict == .regressed)
        #expect(improved.verdict == .improved)
        #expect(regressed.reason == nil)
        #expect(regressed.pSlower.equals(1 / 924.0))
        #expect(improved.pFaster.equals(1 / 924.0))
        #expect(regressed.baselineTime == 102.5e6)
        #expect(regressed.ratio.equals(122.5 / 102.5))
        #expect(regressed.interval.contains(regressed.ratio))
    }

    @Test func `times that hardly differ are unchanged`() {
        let comparison = decide(
            side([100, 101, 102, 101, 100]), side([101, 100, 102, 101, 101]), interleaved)
        #expect(comparison.verdict == .unchanged)
        #expect(comparison.reason == nil)
    }

    @Test func `the same input and seed give the same answer, and what else is checked does not change it`() {
        let (one, other) = (side([100, 130, 111, 140, 107]), side([120, 150, 101, 180, 99]))
        let alone = decide(one, other, interleaved)
        #expect(alone == decide(one, other, interleaved))
        let both = RegressionDecision.decide(
            [(.criticalPathLength, other, one), (.makespan, one, other)], interleaved)
        #expect(both[1].interval == alone.interval)
    }

    @Test func `a decision reports fewer than three runs a side`() {
        let comparison = decide(side([100, 101]), side([900, 901, 902]), interleaved)
        #expect(comparison.reason == .fewRuns(baseline: 2, current: 3))
        #expect(comparison.reason?.description == "2 runs against 3: a verdict needs at least 3 a side")
        let none = decide(MetricSamples(sessions: []), side([100]), interleaved)
        #expect(none.reason == .fewRuns(baseline: 0, current: 1))
    }

    @Test func `runs that are too few for any proof say how many would do`() {
        let comparison = decide(side([100, 101, 102]), side([900, 901, 902]), interleaved)
        #expect(comparison.verdict == .inconclusive)
        #expect(comparison.reason == .weakestProof(smallestP: 0.05, errorRate: 0.01, runsNeeded: 5))
        #expect(
            comparison.reason?.description
                == "there are too few runs: even if all of one side were slower, that could be chance "
                + "(p = 0.05, above 0.01); at least 5 runs a side are needed")
    }

    @Test func `more metrics and more looks take more runs`() {
        let sides = (side([100, 101, 102, 103, 104]), side([200, 201, 202, 203, 204]))
        #expect(decide(sides.0, sides.1, interleaved).verdict == .regressed)
        var often = interleaved
        often.looks = 5
        let comparison = decide(sides.0, sides.1, often)
        #expect(comparison.pSlower.equals(5 / 252.0))
        #expect(comparison.reason == .weakestProof(smallestP: 5 / 252.0, errorRate: 0.01, runsNeeded: 6))
        let many = RegressionDecision.decide(
            [TimingMetric.makespan, .criticalPathLength, TimingMetric(.part(.execution))]
                .map { ($0, sides.0, sides.1) }, interleaved)
        #expect(many.allSatisfy { $0.verdict == .inconclusive })
    }

    @Test func `an unsteady metric says how many more runs would decide`() {
        let comparison = decide(
            side([100, 110, 90, 98, 120, 110, 95, 160]), side([121, 134, 107, 113, 139, 124, 131, 119]),
            interleaved)
        guard case .wideInterval(let more?) = comparison.reason else {
            Issue.record("\(comparison)")
            return
        }
        #expect(more > 0)
        #expect(
            comparison.reason?.description.hasPrefix(
                "the interval contains the threshold; about \(more) more runs")
                == true)
    }

    @Test func `alternate runs are compared pair by pair, so that a drift of the machine hides nothing`() {
        let drift = (0..<12).map { 100.0 + 9 * Double($0) }
        let slower = drift.enumerated().map { $0.element * (1.12 + 0.01 * Double($0.offset % 3)) }
        let regressed = decide(side(drift), side(slower), interleaved)
        #expect(regressed.verdict == .regressed)
        #expect(regressed.isPaired)
        // A reader who divides the times finds the change.
        #expect((regressed.currentTime / regressed.baselineTime).equals(regressed.ratio))
        #expect(regressed.pSlower.equals(2 / 4096.0))
        #expect(regressed.interval.contains(1.13) && regressed.interval.upperBound < 1.15)
        #expect(decide(side(slower), side(drift), interleaved).verdict == .improved)
        #expect(decide(side(drift), side(drift.map { $0 * 1.01 }), interleaved).verdict == .unchanged)
        // In another order than the one they were made in, the same runs scatter too much.
        let mixed = stride(from: 0, to: 12 * 5, by: 5).map { slower[$0 % 12] }
        #expect(decide(side(drift), side(mixed), interleaved).verdict == .inconclusive)
        // Over two sessions, each with its own drift.
        let sessions = [drift, slower].map { times in
            MetricSamples(sessions: [times.prefix(5), times.suffix(7)].flatMap { side(Array($0)).sessions })
        }
        #expect(decide(sessions[0], sessions[1], interleaved) == regressed)
    }

    @Test func `a side slower by just the threshold is not slower by more, whatever logarithms round to`() {
        let before = [100.0, 50, 25, 200, 10, 40, 80, 160, 20, 60, 120, 30]
        for percent in [1.0, 2, 3, 5, 10, 25] {
            let after = before.map { $0 * (100 + percent) / 100 }
            var policy = interleaved
            policy.relativeThreshold = percent / 100
            #expect(decide(side(before), side(after), policy).verdict == .unchanged)
            #expect(decide(side(after), side(before), policy).verdict == .unchanged)
        }
    }

    @Test func `a run whose neighbour is missing is left out, and what follows stays in pairs`() {
        let drift = (0..<26).map { 100.0 * pow(1.03, Double($0)) }
        // A B B A A B …, of which the fourth run, one of A, is lost, and later one of B.
        let places = (0..<26).filter { ![3, 17].contains($0) }
        let sides = [false, true].map { isCurrent in
            let own = places.filter { [1, 2].contains($0 % 4) == isCurrent }
            var side = side(own.map { drift[$0] })
            side.places = [own]
            return side
        }
        let comparison = decide(sides[0], sides[1], interleaved)
        #expect(comparison.isPaired && comparison.verdict == .unchanged)
        // Taken in pairs as they stand, the drift looks like a change.
        let shifted = decide(
            MetricSamples(sessions: sides[0].sessions), MetricSamples(sessions: sides[1].sessions),
            interleaved)
        #expect(shifted.interval.upperBound - shifted.interval.lowerBound > 0.05)
        // Nor are runs of which one side was always first.
        let alternating = [0, 1].map { first in
            var side = side((0..<13).map { drift[2 * $0 + first] })
            side.places = [(0..<13).map { 2 * $0 + first }]
            return side
        }
        #expect(!decide(alternating[0], alternating[1], interleaved).isPaired)
    }

    @Test func `runs without pairs are compared each with each`() {
        let (before, after) = ((0..<12).map { 100 + Double($0) }, (0..<11).map { 130 + Double($0) })
        let unequal = decide(side(before), side(after), interleaved)
        #expect(!unequal.isPaired && unequal.verdict == .regressed)
        let few = decide(side(Array(before.prefix(9))), side(Array(after.prefix(9))), interleaved)
        #expect(!few.isPaired && few.verdict == .regressed)
        let nothing = decide(side([0] + before), side(after + [131, 133]), interleaved)
        #expect(!nothing.isPaired && nothing.verdict == .regressed)
        // Of ten pairs p is 0.2 % at best: six metrics would take more.
        let metrics = [
            TimingMetric.makespan, .criticalPathLength, TimingMetric(.part(.execution)),
            TimingMetric(kind: "A", .part(.execution)), TimingMetric(kind: "B", .part(.execution)),
            TimingMetric(kind: "C", .part(.execution)),
        ]
        let ten = (side(Array(before.prefix(10))), side(Array(after.prefix(10))))
        func many(_ count: Int) -> [MetricComparison] {
            RegressionDecision.decide(metrics.prefix(count).map { ($0, ten.0, ten.1) }, interleaved)
        }
        #expect(many(5).allSatisfy { $0.isPaired && $0.verdict == .regressed })
        #expect(many(6).allSatisfy { !$0.isPaired && $0.verdict == .regressed })
    }

    @Test func `a change below the absolute threshold is ignored`() {
        let sides = (side([1, 1.1, 1.2, 1.3, 1.4, 1.5]), side([2, 2.1, 2.2, 2.3, 2.4, 2.5]))
        #expect(decide(sides.0, sides.1, interleaved).verdict == .regressed)
        var tolerant = interleaved
        tolerant.absoluteThreshold = 5_000_000
        #expect(decide(sides.0, sides.1, tolerant).verdict == .unchanged)
    }

    @Test func `only the absolute threshold decides about a change from nothing`() {
        let (nothing, some) = (side([0, 0, 0, 0, 0, 0]), side([3, 3.1, 3.2, 3.3, 3.4, 3.5]))
        let slower = decide(nothing, some, interleaved)
        #expect(slower.verdict == .regressed)
        #expect(slower.ratio == .infinity)
        #expect(decide(nothing, nothing, interleaved).verdict == .unchanged)
        #expect(decide(nothing, nothing, interleaved).ratio == 1)
        let gone = decide(some, nothing, interleaved)
        #expect(gone.verdict == .improved)
        #expect(gone.ratio == 0)
        var tolerant = interleaved
        tolerant.absoluteThreshold = 10_000_000
        #expect(decide(nothing, some, tolerant).verdict == .unchanged)
    }

    @Test func `a difference of other sessions says that it is unbounded`() {
        let comparison = decide(
            side([100, 101, 102, 103, 104]), side([200, 201, 202, 203, 204]), CheckPolicy())
        #expect(comparison.verdict == .inconclusive)
        #expect(comparison.reason == .unboundedSessions(degreesOfFreedom: 0))
        #expect(comparison.pSlower == 1)
    }

    @Test func `a session that took no time has no ratio to one of another time`() {
        let comparison = decide(side([0, 0, 0, 4]), side([2, 2, 2, 2]), CheckPolicy())
        #expect(comparison.verdict == .inconclusive && comparison.reason == .zeroSession)
        #expect(comparison.reason?.description.contains("one run took no time") == true)
    }

    @Test func `what sessions of a history differ by bounds one session against another`() {
        let spread = SessionSpread(estimates: [
            .makespan: SessionSpread.Estimate(variance: 0.0004, degreesOfFreedom: 9)
        ])
        let policy = CheckPolicy(sessionSpread: spread)
        let baseline = side([100, 101, 102, 103, 104])
        #expect(decide(baseline, side([150, 151, 152, 153, 154]), policy).verdict == .regressed)
        #expect(decide(baseline, side([108, 109, 110, 111, 112]), policy).verdict == .inconclusive)
        let near = decide(baseline, side([110, 111, 112, 113, 114]), policy)
        guard case .wideSessions = near.reason else {
            Issue.record("\(near)")
            return
        }
    }

    @Test func `interleaved sessions of unequal numbers of runs are not trusted to cancel`() {
        let baseline = MetricSamples(
            sessions: [side([100, 101, 102, 103, 104, 105]).sessions[0], side([200]).sessions[0]])
        let current = MetricSamples(
            sessions: [side([100]).sessions[0], side([200, 201, 202, 203, 204, 205]).sessions[0]])
        #expect(decide(baseline, current, interleaved).reason == .unboundedSessions(degreesOfFreedom: 2))
    }

    @Test func `absurd times give a verdict without a trap`() {
        let huge = MetricSamples(sessions: [(0..<6).map { TimingSamples(Int64.max - Int64($0)) }])
        let tiny = MetricSamples(sessions: [(0..<6).map { TimingSamples(Int64.min + Int64($0)) }])
        for policy in [interleaved, CheckPolicy()] {
            for sides in [(huge, huge), (tiny, huge), (huge, tiny), (tiny, tiny), (side([1, 2, 3]), huge)] {
                let comparison = decide(sides.0, sides.1, policy)
                #expect(!comparison.ratio.isNaN)
            }
        }
    }

    @Test func `the overall verdict claims nothing that is not known`() {
        #expect(RegressionVerdict.overall([.unchanged, .inconclusive, .regressed]) == .regressed)
        #expect(RegressionVerdict.overall([.improved, .inconclusive]) == .inconclusive)
        #expect(RegressionVerdict.overall([.improved, .unchanged]) == .improved)
        #expect(RegressionVerdict.overall([.unchanged]) == .unchanged)
        #expect(RegressionVerdict.overall([]) == .inconclusive)
    }

    /// Runs of one session with these times in milliseconds.
    private func side(_ milliseconds: [Double]) -> MetricSamples {
        MetricSamples(sessions: [milliseconds.map { TimingSamples(Int64($0 * 1e6)) }])
    }

    private func decide(
        _ baseline: MetricSamples, _ current: MetricSamples, _ policy: CheckPolicy
    ) -> MetricComparison {
        RegressionDecision.decide([(.makespan, baseline, current)], policy)[0]
    }
}
