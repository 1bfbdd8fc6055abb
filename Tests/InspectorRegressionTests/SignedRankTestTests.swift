import TestTraces
import Testing

@testable import InspectorRegression

@Suite struct SignedRankTestTests {
    @Test func `the p-values of a signed-rank test are SciPy's, with equal values and zeros`() throws {
        for vector in try ScipyVectors.committed.get().signedRank {
            let p = SignedRankTest(vector.differences).pGreater
            #expect(
                p.equals(vector.greater), "\(vector.differences.count) pairs: \(p), not \(vector.greater)")
        }
    }

    @Test func `no differences prove nothing`() {
        #expect(SignedRankTest([]).pGreater == 1)
        #expect(SignedRankTest([0, 0]).pGreater == 1)
    }
}
