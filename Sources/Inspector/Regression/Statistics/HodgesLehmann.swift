/// How far one side of pairs lies above the other: the shift that fits Wilcoxon's signed-rank test best, and
/// the interval of shifts that the test cannot reject.
///
/// Source: Hodges, Lehmann: Estimates of location based on rank tests, Annals of Mathematical Statistics 34
/// (1963), 598–611; the interval: Tukey, in Hollander, Wolfe, Nonparametric Statistical Methods (1973),
/// section 3.3.
struct HodgesLehmann {
    /// The median of the means of all pairs of differences, including each with itself.
    let estimate: Double
    /// At least as wide as the confidence requires, because ranks are whole numbers.
    let interval: ClosedRange<Double>

    /// - Parameter differences: at least one, without `nan`.
    ///
    /// Cost: O(n² log n) for n differences.
    init(_ differences: [Double], confidence: Double) {
        let count = differences.count
        var means: [Double] = []
        means.reserveCapacity(count * (count + 1) / 2)
        // Plain loops, which a debug build runs without generic iterators.
        var index = 0
        while index < count {
            var other = index
            while other < count {
                means.append((differences[index] + differences[other]) / 2)
                other += 1
            }
            index += 1
        }
        means = means.ascending
        estimate = means.median
        let outside = min(Self.outside(count, (1 - confidence) / 2), (means.count - 1) / 2)
        interval = means[outside]...means[means.count - 1 - outside]
    }

    /// How many means may be left out at each end: the largest number that the test's sum of ranks stays
    /// below with at most this probability.
    private static func outside(_ count: Int, _ probability: Double) -> Int {
        guard count <= SignedRankTest.mostExact else {
            let pairs = Double(count) * Double(count + 1)
            let deviation = (pairs * Double(2 * count + 1) / 24).squareRoot()
            return Int(pairs / 4 - 0.5 + NormalDistribution.quantile(probability) * deviation)
        }
        var below = 0.0
        for (sum, part) in SignedRankTest.distribution(of: Array(1...count)).enumerated() {
            below += part
            if below > probability { return max(sum - 1, 0) }
        }
        return 0
    }
}
