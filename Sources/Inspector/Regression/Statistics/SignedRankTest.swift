/// Wilcoxon's signed-rank test: whether differences of pairs tend to be above zero.
///
/// It asks of each pair only that its two values could as well have come the other way round where nothing
/// differs; what the two share (a machine that gets slower) cancels. Then p ≤ α happens at most α of the
/// time.
///
/// Source: Wilcoxon: Individual comparisons by ranking methods, Biometrics Bulletin 1 (1945), 80–83.
/// Differences of zero say nothing and are left out; equal ones share the mean of their ranks (Lehmann,
/// Nonparametrics, 1975, section 3.2).
struct SignedRankTest {
    /// How likely chance alone gives such a large sum of the ranks of positive differences.
    let pGreater: Double

    /// The largest number of pairs that are tested exactly.
    static let mostExact = 60

    /// - Parameter differences: without `nan`. Cost: at most some 10⁵ additions.
    init(_ differences: [Double]) {
        let differences = differences.filter { $0 != 0 }
        let ranks = RankTest.doubledRanks(differences.map(abs))
        self.init(signed: zip(differences, ranks).map { $0 > 0 ? $1 : -$1 })
    }

    /// With a number for each pair, which counts where the pair came this way round and not where it came the
    /// other way: its rank, or something else that only the order within the pair gives its sign.
    init(signed: [Int]) {
        let ranks = signed.map(abs).filter { $0 != 0 }
        let sum = signed.reduce(0) { $0 + max($1, 0) }
        pGreater =
            ranks.count <= Self.mostExact
            ? min(Self.distribution(of: ranks)[sum...].reduce(0, +), 1)
            : Self.approximation(ofAtLeast: sum, ranks)
    }

    /// The probability of each sum, if every rank is counted with probability one half: all subsets, by their
    /// sums.
    static func distribution(of ranks: [Int]) -> [Double] {
        var probabilities = [Double](repeating: 0, count: ranks.reduce(0, +) + 1)
        probabilities[0] = 1
        var greatest = 0
        for rank in ranks {
            greatest += rank
            for sum in stride(from: greatest, through: 0, by: -1) {
                let with = sum >= rank ? probabilities[sum - rank] : 0
                probabilities[sum] = (probabilities[sum] + with) / 2
            }
        }
        return probabilities
    }

    /// By the normal distribution, with a continuity correction: doubled sums differ by at least one.
    private static func approximation(ofAtLeast sum: Int, _ ranks: [Int]) -> Double {
        let mean = Double(ranks.reduce(0, +)) / 2
        let variance = ranks.reduce(0.0) { $0 + Double($1) * Double($1) } / 4
        return NormalDistribution.probability(ofAtMost: -(Double(sum) - mean - 1) / variance.squareRoot())
    }
}
