/// How long something took, over many operations. Times are in nanoseconds.
///
/// Percentiles are of the nearest rank: of n samples in ascending order the one at ⌈p · n⌉, so that each is a
/// time that was really seen.
public struct Distribution: Hashable, Sendable {
    public let count: Int
    /// Stops at the largest number instead of overflowing.
    public let total: Int64
    /// 0 when there are no samples, as are all others.
    public let mean: Double
    public let min: Int64
    public let p50: Int64
    public let p90: Int64
    public let p95: Int64
    public let p99: Int64
    public let max: Int64

    /// Cost: linear.
    public init(_ samples: some Sequence<Int64>) {
        let sorted = Array(samples).sortedByDigits { $0 }
        self.init(
            count: sorted.count, total: sorted.reduce(0) { $0.saturatingAdd($1) }, min: sorted.first ?? 0,
            max: sorted.last ?? 0
        ) { Self.nearestRank(percent: $0, of: sorted) }
    }

    /// Of so many samples, all of them 0.
    init(zeros count: Int) { self.init(count: count, total: 0, min: 0, max: 0) { _ in 0 } }

    private init(count: Int, total: Int64, min: Int64, max: Int64, percentile: (Int) -> Int64) {
        self.count = count
        self.total = total
        mean = count == 0 ? 0 : Double(total) / Double(count)
        self.min = min
        p50 = percentile(50)
        p90 = percentile(90)
        p95 = percentile(95)
        p99 = percentile(99)
        self.max = max
    }

    private static func nearestRank(percent: Int, of sorted: [Int64]) -> Int64 {
        guard !sorted.isEmpty else { return 0 }
        return sorted[(sorted.count * percent + 99) / 100 - 1]
    }
}
