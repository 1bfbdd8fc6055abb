import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorRegression

@Suite struct MedianResamplingTests {
    @Test func `medians of resamples have the same distribution as SciPy's`() throws {
        for vector in try ScipyVectors.committed.get().medianResamples {
            let drawn = medians(MedianResampling(vector.values, count: vector.values.count), 20_000)
            let mean = drawn.reduce(0, +) / Double(drawn.count)
            let variance = drawn.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(drawn.count)
            let error = max(vector.deviation / Double(drawn.count).squareRoot(), 1e-9)
            #expect(abs(mean - vector.mean) < 5 * error, "\(vector.values.count)")
            #expect(abs(variance.squareRoot() - vector.deviation) < max(0.03 * vector.deviation, 1e-9))
            // The distribution has steps: how much of it is below a quantile's two sides is compared.
            for (index, quantile) in vector.quantiles.enumerated() {
                let part = Double(index + 1) / 20
                let atMost = drawn.count { $0 <= quantile + 1e-5 }
                let less = drawn.count { $0 < quantile - 1e-5 }
                #expect(Double(atMost) / Double(drawn.count) > part - 0.02)
                #expect(Double(less) / Double(drawn.count) < part + 0.02)
            }
        }
    }

    @Test func `a summary of many times gives what all of them would`() throws {
        var generator = SplitMix64(seed: 5)
        let times = (0..<5000).map { _ in Int64(1_000_000 * (1 + generator.uniform()) as Double) }
        let summary = medians(MedianResampling(try #require(TimingSamples(times))), 4000)
        let whole = medians(MedianResampling(times.map(Double.init), count: times.count), 4000)
        for part in [0.025, 0.25, 0.5, 0.75, 0.975] {
            let (one, other) = (
                BootstrapInterval.quantile(summary, part), BootstrapInterval.quantile(whole, part)
            )
            #expect(abs(one / other - 1) < 0.01)
        }
    }

    @Test func `resampling draws runs, and in them operations`() throws {
        var generator = SplitMix64(seed: 5)
        let times: [[Int64]] = [[100, 200, 300], [1000, 2000, 3000], [10_000, 20_000, 30_000]]
        let drawn = medians(
            MedianResampling(runs: try times.map { try #require(TimingSamples($0)) }, using: &generator),
            20_000)
        // The middle one of three draws: of the middle run in 13 of 27, of one end in 7 of 27 each.
        let middle = drawn.count { $0 >= 1000 && $0 <= 3000 }
        #expect(abs(Double(middle) / 20_000 - 13.0 / 27) < 0.02)
        #expect(Set(drawn).isSuperset(of: [100, 200, 300, 1000, 2000, 3000, 10_000, 20_000, 30_000]))
    }

    @Test func `percentile intervals are SciPy's`() throws {
        for vector in try ScipyVectors.committed.get().bootstrap {
            for expected in vector.intervals {
                let interval = BootstrapInterval.percentile(
                    vector.replicates.sorted(), confidence: expected.confidence)
                #expect(interval.lowerBound.equals(expected.low))
                #expect(interval.upperBound.equals(expected.high))
            }
        }
    }

    @Test func `an interval can reach to infinity`() {
        let replicates = [0.5, 0.6, 0.7, .infinity, .infinity]
        #expect(BootstrapInterval.percentile(replicates, confidence: 0.9).upperBound == .infinity)
        #expect(BootstrapInterval.percentile([.infinity], confidence: 0.9).lowerBound == .infinity)
        // A median of zero in some resamples of the current side: a logarithm of minus infinity.
        let fallen = BootstrapInterval.percentile([-.infinity, 0.5, 0.6, 0.7, 0.8], confidence: 0.9)
        #expect(fallen.lowerBound == -.infinity)
        #expect(fallen.upperBound.equals(0.78))
        let both = BootstrapInterval.percentile([-.infinity, .infinity], confidence: 0.9)
        #expect(both == -.infinity...(.infinity))
    }

    private func medians(_ resampling: MedianResampling, _ count: Int) -> [Double] {
        var generator = SplitMix64(seed: 11)
        return (0..<count).map { _ in resampling.median(using: &generator) }.sorted()
    }
}
