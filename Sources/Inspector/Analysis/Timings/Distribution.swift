import InspectorColumns

/// The distribution of a time over many operations, in nanoseconds.
///
/// Percentiles use the nearest rank: for n samples in ascending order, the one at ⌈p · n⌉. So each one is a
/// time that actually occurred.
public struct Distribution: Hashable, Sendable {
    /// How many samples there are.
    public let count: Int
    /// Clamped to the largest number.
    public let total: Int64
    /// 0 without samples, like all other statistics.
    public let mean: Double
    /// The shortest.
    public let min: Int64
    /// The median: at least half of the samples are at most this long.
    public let p50: Int64
    /// At least 90 % of the samples are at most this long.
    public let p90: Int64
    /// At least 95 % of the samples are at most this long.
    public let p95: Int64
    /// At least 99 % of the samples are at most this long.
    public let p99: Int64
    /// The longest.
    public let max: Int64

    /// Cost: linear.
    package init(_ samples: some Collection<Int64>) {
        guard let first = samples.first else {
            self.init(zeros: 0)
            return
        }
        var (low, high, total) = (first, first, Int64(0))
        for sample in samples {
            low = Swift.min(low, sample)
            high = Swift.max(high, sample)
            total = total.saturatingAdd(sample)
        }
        let percents = [50, 90, 95, 99]
        let ranks = percents.map { (samples.count * $0 + 99) / 100 - 1 }
        let values = Array(samples).values(ofRanks: ranks, low, high)
        self.init(count: samples.count, total: total, min: low, max: high, percentiles: values)
    }

    /// A distribution of `count` zeros.
    init(zeros count: Int) {
        self.init(count: count, total: 0, min: 0, max: 0, percentiles: [0, 0, 0, 0])
    }

    private init(count: Int, total: Int64, min: Int64, max: Int64, percentiles: [Int64]) {
        self.count = count
        self.total = total
        mean = count == 0 ? 0 : Double(total) / Double(count)
        self.min = min
        p50 = percentiles[0]
        p90 = percentiles[1]
        p95 = percentiles[2]
        p99 = percentiles[3]
        self.max = max
    }
}

extension Distribution {
    /// Statistics with their names in JSON and CSV.
    package var statistics: [(name: String, nanoseconds: Int64)] {
        [
            ("total", total), ("mean", Int64(rounding: mean)), ("min", min), ("p50", p50),
            ("p90", p90),
            ("p95", p95), ("p99", p99), ("max", max),
        ]
    }
}
