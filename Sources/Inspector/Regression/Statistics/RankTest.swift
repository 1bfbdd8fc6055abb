import Foundation

/// Mann and Whitney's test: whether the values of one sample tend to be greater than those of another.
///
/// It does not assume a distribution of the values. If both samples come from the same distribution, p ≤ α
/// occurs with a probability of at most α.
///
/// Source: Mann, Whitney: On a test of whether one of two random variables is stochastically larger than the
/// other, Annals of Mathematical Statistics 18 (1947), 50–60. With equal values: Lehmann, Nonparametrics
/// (1975), section 1.4.
struct RankTest {
    /// The number of pairs in which the first sample's value is greater. A pair of equal values counts ½.
    let u: Double
    /// The probability of at least this `u` by chance alone.
    let pGreater: Double
    /// The probability of at most this `u` by chance alone.
    let pLess: Double

    /// Up to this many values a side, the test is exact if no two values are equal.
    static let mostExact = 50
    /// Up to this many values of both sides together, the test is exact if some values are equal.
    static let mostExactTied = 30

    /// Neither sample is empty, and no value is `nan`. Cost: at most some 10⁵ additions.
    init(_ sample: [Double], against other: [Double]) {
        let (first, second) = (sample.count, other.count)
        let ranks = Self.doubledRanks(sample + other)
        let rankSum = ranks.prefix(first).reduce(0, +)
        let doubledU = rankSum - first * (first + 1)
        let ties = Self.ties(ranks)
        u = Double(doubledU) / 2
        if ties.isEmpty && max(first, second) <= Self.mostExact {
            pLess = RankDistribution.probability(ofAtMost: doubledU / 2, first, second)
            pGreater = RankDistribution.probability(ofAtMost: first * second - doubledU / 2, first, second)
        } else if first + second <= Self.mostExactTied {
            // In descending order, rank r becomes N + 1 − r.
            let mirrored = ranks.map { 2 * (first + second + 1) - $0 }
            pLess = RankDistribution.probability(ofAtMost: rankSum, drawing: first, from: ranks)
            pGreater = RankDistribution.probability(
                ofAtMost: 2 * (first + second + 1) * first - rankSum, drawing: first, from: mirrored)
        } else {
            (pLess, pGreater) = Self.asymptotic(u, first, second, ties)
        }
    }

    /// The normal approximation, with the variance reduced for ties and a continuity correction of ½.
    private static func asymptotic(
        _ u: Double, _ first: Int, _ second: Int, _ ties: [Int]
    ) -> (less: Double, greater: Double) {
        let (pairs, all) = (Double(first) * Double(second), Double(first + second))
        let tied = ties.reduce(0.0) { $0 + (Double($1) * Double($1) * Double($1) - Double($1)) }
        let deviation = (pairs / 12 * (all + 1 - tied / (all * (all - 1)))).squareRoot()
        // All values are equal, so they prove nothing.
        guard deviation > 0 else { return (1, 1) }
        return (
            NormalDistribution.probability(ofAtMost: (u - pairs / 2 + 0.5) / deviation),
            NormalDistribution.probability(ofAtMost: (pairs / 2 - u + 0.5) / deviation)
        )
    }

    /// Equal values share the mean of their ranks. Twice the mean is a whole number.
    static func doubledRanks(_ values: [Double]) -> [Int] {
        let order = values.indices.sorted { values[$0] < values[$1] }
        var ranks = [Int](repeating: 0, count: values.count)
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count && values[order[end]] == values[order[start]] { end += 1 }
            for index in order[start..<end] { ranks[index] = start + 1 + end }
            start = end
        }
        return ranks
    }

    /// For each shared rank, the number of values that share it.
    private static func ties(_ ranks: [Int]) -> [Int] {
        Dictionary(ranks.map { ($0, 1) }, uniquingKeysWith: +).values.filter { $0 > 1 }
    }
}
