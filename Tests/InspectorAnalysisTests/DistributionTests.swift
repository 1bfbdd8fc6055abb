import InspectorAnalysis
import TestTraces
import Testing

@Suite struct DistributionTests {
    @Test("percentiles are values of the nearest rank")
    func nearestRank() {
        let distribution = Distribution((1...20).reversed())
        #expect(distribution.p50 == 10)
        #expect(distribution.p95 == 19)
        #expect(distribution.max == 20)
        #expect(distribution.total == 210)
        #expect(distribution.mean == 10.5)
        #expect(distribution.count == 20)
    }

    @Test("every percentile of one sample is that sample")
    func oneSample() {
        let distribution = Distribution([7])
        #expect([distribution.p50, distribution.p95, distribution.max, distribution.total] == [7, 7, 7, 7])
    }

    @Test("every figure of a distribution without samples is zero")
    func noSamples() {
        let distribution = Distribution([])
        #expect([distribution.p50, distribution.p95, distribution.max, distribution.total] == [0, 0, 0, 0])
        #expect(distribution.mean == 0)
    }

    @Test("a total that is too large stops at the largest number")
    func overflow() {
        #expect(Distribution([.max, .max]).total == .max)
    }

    @Test("percentiles are taken from the sorted samples, for any samples", arguments: 0..<60)
    func random(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let bits = random.next() % 64
        let offset = seed % 3 == 0 ? Int64.min : Int64(seed)
        let samples = (0..<Int(random.next() % 3000 + 1)).map { _ in
            // Most are small, a few are not.
            offset &+ Int64(bitPattern: random.next() &>> (random.next() % 50 == 0 ? 63 - bits : 60))
        }
        let sorted = samples.sorted()
        let distribution = Distribution(samples)
        let percentiles = [distribution.p50, distribution.p90, distribution.p95, distribution.p99]
        #expect(percentiles == [50, 90, 95, 99].map { sorted[(sorted.count * $0 + 99) / 100 - 1] })
        #expect([distribution.min, distribution.max] == [sorted[0], sorted[sorted.count - 1]])
    }
}

private struct SeededNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    /// SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, 2014).
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state &>> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed &>> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed &>> 31
    }
}
