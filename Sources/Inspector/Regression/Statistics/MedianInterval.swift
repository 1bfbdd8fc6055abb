import Foundation

/// The median of times, and an interval that holds the true one in at least 95 % of cases, whatever the
/// distribution.
///
/// The interval lies between the k-th smallest and the k-th largest time, with the largest k for which at
/// most k - 1 of n tosses of a coin show heads in 2.5 % of cases at most (W. R. Thompson, 1936; H. A. David
/// and H. N. Nagaraja, "Order Statistics", 3rd edition, 7.1).
package struct MedianInterval: Hashable, Sendable {
    /// Nanoseconds.
    package let median: Double
    /// Nil for fewer than six times, of which no interval is so certain.
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

    /// Half of the interval's width as a part of the median: 0.02 is ± 2 %. Nil where that is not known.
    package var precision: Double? {
        guard let interval, median > 0 else { return nil }
        return (Double(interval.upperBound) - Double(interval.lowerBound)) / 2 / median
    }

    /// k, or 0 if no k exists.
    package static func rank(of count: Int) -> Int {
        // In logarithms: of many tosses the chance of none is no `Double`.
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
