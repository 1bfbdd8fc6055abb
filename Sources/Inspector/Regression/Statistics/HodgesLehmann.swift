/// By how much one side of pairs lies above the other: the shift that Wilcoxon's signed-rank test fits best,
/// and all those that it cannot reject.
///
/// Source: Hodges, Lehmann: Estimates of location based on rank tests, Annals of Mathematical Statistics 34
/// (1963), 598–611; the interval: Tukey, in Hollander, Wolfe, Nonparametric Statistical Methods (1973),
/// section 3.3.
struct HodgesLehmann {
    /// The median of the means of any two of the differences, each also taken with itself.
    let estimate: Double
    /// As wide as the confidence asks for, or wider: ranks are whole numbers.
    let interval: ClosedRange<Double>

    /// - Parameter differences: at least one, none of them `nan`.
    ///
    /// Cost: O(n² log n) for n differences.
    init(_ differences: [Double], confidence: Double) {
        let count = differences.count
        var means: [Double] = []
        means.reserveCapacity(count * (count + 1) / 2)
        for (index, first) in differences.enumerated() {
            for second in differences[index...] { means.append((first + second) / 2) }
        }
        means.sort()
        estimate = means.median
        let outside = min(Self.outside(count, (1 - confidence) / 2), (means.count - 1) / 2)
        interval = means[outside]...means[means.count - 1 - outside]
    }

    /// How many means may be left out at either end: as many as the test's sum of ranks stays below with at
    /// most that probability.
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
