import TestTraces
import Testing

@testable import InspectorRegression

@Suite struct StatisticalDistributionsTests {
    @Test func `quantiles and probabilities of Student's t are SciPy's`() throws {
        for vector in try ScipyVectors.committed.get().student {
            let distribution = StudentDistribution(degreesOfFreedom: vector.degrees)
            #expect(distribution.quantile(vector.p).equals(vector.t), "\(vector)")
            #expect(distribution.quantile(1 - vector.p).equals(-vector.t), "\(vector)")
            #expect(
                distribution.probability(ofAtMost: vector.p * 5 - 1).equals(vector.probability), "\(vector)")
        }
    }

    @Test func `quantiles and probabilities of the normal distribution are SciPy's`() throws {
        for vector in try ScipyVectors.committed.get().normal {
            #expect(NormalDistribution.quantile(vector.p).equals(vector.z, digits: 12), "\(vector)")
            #expect(
                NormalDistribution.probability(ofAtMost: vector.z).equals(vector.probability), "\(vector)")
        }
    }

    @Test func `Holm's correction multiplies the least by all, the next by one less, and never falls`() throws
    {
        for vector in try ScipyVectors.committed.get().holm {
            let corrected = HolmCorrection.corrected(vector.p)
            #expect(zip(corrected, vector.corrected).allSatisfy { $0.equals($1) }, "\(corrected) \(vector)")
        }
        #expect(HolmCorrection.corrected([0.01, 0.04, 0.03]) == [0.03, 0.06, 0.06])
        #expect(HolmCorrection.corrected([]).isEmpty)
    }

    @Test func `the ends of a distribution are beyond every number`() {
        #expect(NormalDistribution.quantile(0) == -.infinity)
        #expect(NormalDistribution.quantile(1) == .infinity)
        let student = StudentDistribution(degreesOfFreedom: 3)
        #expect(student.probability(ofAtMost: .infinity) == 1)
        #expect(student.probability(ofAtMost: -.infinity) == 0)
        #expect(student.quantile(0) == -.infinity)
        #expect(student.quantile(1) == .infinity)
        #expect(student.quantile(0.5) < 1e-12)
    }
}
