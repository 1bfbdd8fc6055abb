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
    public init(_ samples: [Int64]) {
        let sorted = samples.sortedByDigits { $0 }
        count = sorted.count
        total = sorted.reduce(0) { $0.saturatingAdd($1) }
        mean = sorted.isEmpty ? 0 : Double(total) / Double(sorted.count)
        min = sorted.first ?? 0
        p50 = Self.nearestRank(percent: 50, of: sorted)
        p90 = Self.nearestRank(percent: 90, of: sorted)
        p95 = Self.nearestRank(percent: 95, of: sorted)
        p99 = Self.nearestRank(percent: 99, of: sorted)
        max = sorted.last ?? 0
    }

    private static func nearestRank(percent: Int, of sorted: [Int64]) -> Int64 {
        guard !sorted.isEmpty else { return 0 }
        return sorted[(sorted.count * percent + 99) / 100 - 1]
    }
}
