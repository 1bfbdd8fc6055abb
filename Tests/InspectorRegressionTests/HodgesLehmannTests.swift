import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorRegression

@Suite struct HodgesLehmannTests {
    /// Hollander and Wolfe's example 3.1 (the depression scale of nine patients before and after a
    /// tranquilizer), with the answers of their sections 3.2 and 3.3.
    @Test func `the textbook's example has the textbook's answers`() {
        let before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
        let after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
        let shift = HodgesLehmann(zip(after, before).map { $0 - $1 }, confidence: 0.96)
        #expect(abs(shift.estimate - -0.46) < 1e-9)
        #expect(abs(shift.interval.lowerBound - -0.786) < 1e-9)
        #expect(abs(shift.interval.upperBound - -0.010) < 1e-9)
    }

    @Test(arguments: [10, 17, 60, 61, 90])
    func `the interval holds just those shifts that the test does not reject`(count: Int) {
        var generator = SplitMix64(seed: UInt64(count))
        let differences = (0..<count).map { _ in NormalDistribution.quantile(generator.uniform()) + 0.4 }
        let interval = HodgesLehmann(differences, confidence: 0.95).interval
        for (end, inwards) in [(interval.lowerBound, 1.0), (interval.upperBound, -1)] {
            func p(_ shift: Double) -> Double {
                SignedRankTest(differences.map { ($0 - shift) * inwards }).pGreater
            }
            #expect(p(end - inwards * 1e-9) <= 0.025)
            #expect(p(end + inwards * 1e-9) > 0.025)
        }
    }

    @Test func `the interval is the whole range of differences so few that none can be left out`() {
        let shift = HodgesLehmann([3, 1, 2], confidence: 0.95)
        #expect(shift.estimate == 2)
        #expect(shift.interval == 1...3)
    }
}
