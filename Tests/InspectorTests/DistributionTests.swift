import Inspector
import Testing

@Suite struct DistributionTests {
    @Test("percentiles are of the nearest rank")
    func nearestRank() {
        let distribution = Distribution((1...20).reversed())
        #expect(distribution.p50 == 10)
        #expect(distribution.p95 == 19)
        #expect(distribution.max == 20)
        #expect(distribution.total == 210)
        #expect(distribution.mean == 10.5)
        #expect(distribution.count == 20)
    }

    @Test("of one sample, everything is that sample")
    func oneSample() {
        let distribution = Distribution([7])
        #expect([distribution.p50, distribution.p95, distribution.max, distribution.total] == [7, 7, 7, 7])
    }

    @Test("of no samples, everything is zero")
    func noSamples() {
        let distribution = Distribution([])
        #expect([distribution.p50, distribution.p95, distribution.max, distribution.total] == [0, 0, 0, 0])
        #expect(distribution.mean == 0)
    }

    @Test("a total that is too large stops at the largest number")
    func overflow() {
        #expect(Distribution([.max, .max]).total == .max)
    }
}
