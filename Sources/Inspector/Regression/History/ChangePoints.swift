/// Where in a sequence of values something changed that stays changed.
///
/// Binary segmentation: the place at which the values before and after differ most, by the standardized rank sum of Mann and
/// Whitney, is a change point if a random order of the same values has so great a maximum at most 1 % of the time; then
/// both parts are looked at in the same way. A sequence in which nothing changes has a change point at most 1 % of the
/// time, however its values are distributed.
///
/// Sources: Pettitt: A non-parametric approach to the change-point problem, Applied Statistics 28 (1979), 126–135, for ranks;
/// Matteson, James: A nonparametric approach for multiple change point analysis of multivariate data, Journal of the American
/// Statistical Association 109 (2014), 334–345, for segmentation by permutation tests; Daly et al.: The use of change point
/// detection to identify software performance regressions in a continuous integration system, ICPE 2020, for the use.
enum ChangePoints {
    static let errorRate = 0.01
    /// The random orders that one is compared with. With itself they are 1,000, so that 1 % is a whole number of them.
    private static let orders = 999
    /// A change that stays has so many values on each side.
    static let shortest = 3

    /// The first indices of the parts after the first one, ascending.
    ///
    /// Cost: O(orders · n) for each change point that there is; much less where there is none.
    static func indices(in values: [Double], seed: UInt64) -> [Int] {
        var found: [Int] = []
        var parts = [values.indices]
        while let part = parts.popLast() {
            // Of its own for each part, so that what is found in one does not hang on the others.
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
        var ranks = RankTest.doubledRanks(values)
        let (index, distance) = farthest(ranks)
        guard distance > 0 else { return nil }
        var exceeding = 0
        for _ in 0..<orders {
            // Fisher and Yates.
            for last in stride(from: ranks.count - 1, to: 0, by: -1) {
                ranks.swapAt(last, generator.index(below: last + 1))
            }
            if farthest(ranks).distance >= distance {
                exceeding += 1
                // No number of further orders makes it rare again.
                if Double(exceeding + 1) > errorRate * Double(orders + 1) { return nil }
            }
        }
        return index
    }

    /// The split whose rank sum is the farthest from its mean: squared, in its variance.
    private static func farthest(_ ranks: [Int]) -> (index: Int, distance: Double) {
        let count = ranks.count
        let mean = Double(ranks.reduce(0, +)) / Double(count)
        var best = (index: 0, distance: 0.0)
        var sum = 0.0
        for (index, rank) in ranks.enumerated() {
            if index >= shortest && index <= count - shortest {
                // But for a factor that is the same for all splits and orders.
                let distance = sum * sum / (Double(index) * Double(count - index))
                if distance > best.distance { best = (index, distance) }
            }
            sum += Double(rank) - mean
        }
        return best
    }
}
