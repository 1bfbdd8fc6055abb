import Foundation

/// The median of times, and an interval that contains the true median in at least 95 % of cases, for any
/// distribution.
///
/// The interval lies between the k-th smallest and the k-th largest time. k is the largest number for which
/// at most k - 1 of n coin tosses show heads with a probability of at most 2.5 % (W. R. Thompson, 1936; H. A.
/// David and H. N. Nagaraja, "Order Statistics", 3rd edition, 7.1).
package struct MedianInterval: Hashable, Sendable {
    /// Nanoseconds.
    package let median: Double
    /// Nil for fewer than six times, which do not give such a certain interval.
    package let interval: ClosedRange<Int64>?

    /// Of at least one time. Cost: O(n log n).
    package init(_ times: [Int64]) {
        let sorted = times.sorted()
        let middle = sorted.count / 2
        median =
            sorted.count.isMultiple(of: 2)
            ? (Double(sorted[middle - 1]) + Double(sorted[middle])) / 2 : Double(sorted[middle])
        let rank = Self.rank(of: sorted.count)
        interval = rank == 0 ? nil : sorted[rank - 1]...sorted[sorted.count - rank]
    }

    /// Half of the interval's width as a fraction of the median: 0.02 is ± 2 %. Nil if it is not known.
    package var precision: Double? {
        guard let interval, median > 0 else { return nil }
        return (Double(interval.upperBound) - Double(interval.lowerBound)) / 2 / median
    }

    /// k, or 0 if no k exists.
    package static func rank(of count: Int) -> Int {
        // In logarithms: for many tosses, the probability of zero heads underflows a `Double`.
        let tosses = -Double(count) * log(2.0)
        var (sum, rank) = (0.0, 0)
        while rank * 2 < count {
            let ways = lgamma(Double(count + 1)) - lgamma(Double(rank + 1)) - lgamma(Double(count - rank + 1))
            sum += exp(ways + tosses)
            if sum > 0.025 { break }
            rank += 1
        }
        return rank
    }
}
