/// Finds lasting changes in a sequence of values.
///
/// Uses seeded binary segmentation. Within many windows, it finds the position at which the values before and
/// after differ most, by the standardized sum of ranks. It is a change point if a random order of the same
/// values has such a large maximum at most 1 % of the time. Then both parts are searched in the same way. The
/// windows find a change that is later reverted. A sequence without a change has a change point at most 1 %
/// of the time, for any distribution of its values.
///
/// Sources: Pettitt: A non-parametric approach to the change-point problem, Applied Statistics 28 (1979),
/// 126–135, for ranks; Kovács et al.: Seeded binary segmentation, Biometrika 110 (2023), 249–256, for the
/// windows; Matteson, James: A nonparametric approach for multiple change point analysis of multivariate
/// data, Journal of the American Statistical Association 109 (2014), 334–345, for segmentation by permutation
/// tests; Daly et al.: The use of change point detection to identify software performance regressions in a
/// continuous integration system, ICPE 2020, for the use.
enum ChangePoints {
    static let errorRate = 0.01
    /// The number of random orders to compare with. Together with the actual order they are 1,000, so that 1
    /// % is a whole number of them.
    private static let orders = 999
    /// A lasting change has at least this many values on each side.
    static let shortest = 3

    /// The first indices of the parts after the first one, ascending.
    ///
    /// Cost: O(orders · n · log n) for each change point; much less without any.
    static func indices(in values: [Double], seed: UInt64) -> [Int] {
        var found: [Int] = []
        var parts = [values.indices]
        while let part = parts.popLast() {
            // A separate generator for each part, so that results in one part do not depend on the others.
            var generator = SplitMix64(seed: seed &+ UInt64(part.lowerBound) << 32 &+ UInt64(part.upperBound))
            guard let change = change(in: Array(values[part]), using: &generator) else { continue }
            let index = part.lowerBound + change
            found.append(index)
            parts += [part.lowerBound..<index, index..<part.upperBound]
        }
        return found.sorted()
    }

    private static func change(in values: [Double], using generator: inout SplitMix64) -> Int? {
        guard values.count >= 2 * shortest else { return nil }
        var ranks = RankTest.doubledRanks(values).map(Double.init)
        let windows = windows(of: values.count)
        let (index, distance) = farthest(ranks, windows)
        guard distance > 0 else { return nil }
        var exceeding = 0
        for _ in 0..<orders {
            // The Fisher–Yates shuffle.
            for last in stride(from: ranks.count - 1, to: 0, by: -1) {
                ranks.swapAt(last, generator.index(below: last + 1))
            }
            if farthest(ranks, windows).distance >= distance * (1 - 1e-9) {
                exceeding += 1
                // Further orders cannot make it rare again.
                if Double(exceeding + 1) > errorRate * Double(orders + 1) { return nil }
            }
        }
        return index
    }

    /// The whole series, and windows of decreasing lengths, each of which overlaps the next by half.
    private static func windows(of count: Int) -> [Range<Int>] {
        var windows: [Range<Int>] = []
        var length = Double(count)
        while Int(length) >= 2 * shortest {
            let size = Int(length)
            let steps = (2 * (count - size) + size - 1) / size
            for step in 0...steps {
                let start = steps == 0 ? 0 : step * (count - size) / steps
                windows.append(start..<start + size)
            }
            length /= 2.0.squareRoot()
        }
        return windows
    }

    /// The split within a window whose rank sum is farthest from its mean: the square, in units of the
    /// variance.
    private static func farthest(
        _ ranks: [Double], _ windows: [Range<Int>]
    ) -> (index: Int, distance: Double) {
        var best = (index: 0, distance: 0.0)
        ranks.withUnsafeBufferPointer { ranks in
            for window in windows {
                var (total, squares) = (0.0, 0.0)
                for index in window {
                    total += ranks[index]
                    squares += ranks[index] * ranks[index]
                }
                let count = Double(window.count)
                let mean = total / count
                let variance = squares / count - mean * mean
                guard variance > 0 else { continue }
                var sum = 0.0
                for index in window {
                    let before = Double(index - window.lowerBound)
                    if index >= window.lowerBound + shortest && index <= window.upperBound - shortest {
                        let spread = before * (count - before) * variance / (count - 1)
                        let distance = sum * sum / spread
                        // Sums in another order differ in their last digits.
                        if distance > best.distance * (1 + 1e-9) { best = (index, distance) }
                    }
                    sum += ranks[index] - mean
                }
            }
        }
        return best
    }
}
