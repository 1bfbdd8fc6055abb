/// Wilcoxon's signed-rank test: whether differences of pairs tend to be above zero.
///
/// It only assumes that the two values of each pair could have been swapped if the sides do not differ. Then
/// p ≤ α occurs with a probability of at most α. Effects on both values of a pair, such as a slower machine,
/// cancel.
///
/// Source: Wilcoxon: Individual comparisons by ranking methods, Biometrics Bulletin 1 (1945), 80–83.
/// Differences of zero are left out, and equal differences share the mean of their ranks (Lehmann,
/// Nonparametrics, 1975, section 3.2).
struct SignedRankTest {
    /// The probability that chance alone gives at least this sum of the ranks of positive differences.
    let pGreater: Double

    /// Up to this many pairs, the test is exact.
    static let mostExact = 60

    /// - Parameter differences: without `nan`. Cost: at most about 10⁵ additions.
    init(_ differences: [Double]) {
        let differences = differences.filter { $0 != 0 }
        let ranks = RankTest.doubledRanks(differences.map(abs))
        self.init(signed: zip(differences, ranks).map { $0 > 0 ? $1 : -$1 })
    }

    /// - Parameter signed: a number for each pair, for example its signed rank. Swapping the two values of a
    ///   pair must change only the sign. The statistic is the sum of the positive numbers.
    init(signed: [Int]) {
        let ranks = signed.map(abs).filter { $0 != 0 }
        let sum = signed.reduce(0) { $0 + max($1, 0) }
        pGreater =
            ranks.count <= Self.mostExact
            ? min(Self.distribution(of: ranks)[sum...].reduce(0, +), 1)
            : Self.approximation(ofAtLeast: sum, ranks)
    }

    /// The probability of each sum, if each rank is included with a probability of ½ independently.
    static func distribution(of ranks: [Int]) -> [Double] {
        var probabilities = [Double](repeating: 0, count: ranks.reduce(0, +) + 1)
        probabilities[0] = 1
        // A pointer and plain loops: a debug build specializes no strides.
        probabilities.withUnsafeMutableBufferPointer { probabilities in
            var greatest = 0
            for rank in ranks {
                greatest += rank
                var sum = greatest
                while sum >= rank {
                    probabilities[sum] = (probabilities[sum] + probabilities[sum - rank]) / 2
                    sum -= 1
                }
                while sum >= 0 {
                    probabilities[sum] /= 2
                    sum -= 1
                }
            }
        }
        return probabilities
    }

    /// The normal approximation. The continuity correction is 1, because the ranks are doubled.
    private static func approximation(ofAtLeast sum: Int, _ ranks: [Int]) -> Double {
        let mean = Double(ranks.reduce(0, +)) / 2
        let variance = ranks.reduce(0.0) { $0 + Double($1) * Double($1) } / 4
        return NormalDistribution.probability(ofAtMost: -(Double(sum) - mean - 1) / variance.squareRoot())
    }
}
