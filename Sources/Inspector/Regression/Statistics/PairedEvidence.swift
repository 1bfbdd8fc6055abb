import Foundation

extension MetricEvidence {
    /// With fewer pairs the runs are better compared each with each: so few signs prove little.
    static let leastPairs = 10
    /// With more, nothing is to be gained from pairs that is worth going through all pairs of them.
    static let mostPairs = 1000

    /// Runs of both sides that were made in turn, compared pair by pair: neighbours share what the machine was like.
    ///
    /// On a machine that gets slower and faster by itself, the ratios of neighbours scatter half as much as those of any two
    /// runs.
    ///
    /// Nil where the runs are not in pairs and above zero, or where so few pairs could not prove anything at the error rate,
    /// corrected for `tests`.
    init?(
        ofPairs metric: TimingMetric, _ baseline: MetricSamples, _ current: MetricSamples,
        _ policy: CheckPolicy, tests: Int
    ) {
        let (before, after) = (baseline.values, current.values)
        let smallestP = 2 * exp2(-Double(before.count))
        guard baseline.sessions.map(\.count) == current.sessions.map(\.count),
            (Self.leastPairs...Self.mostPairs).contains(before.count),
            smallestP * Double(tests) <= policy.errorRate,
            (before + after).allSatisfy({ $0 > 0 })
        else { return nil }
        let changes = zip(before, after).map(Self.logarithm)
        let shift = HodgesLehmann(changes, confidence: Self.confidence)
        let threshold = Self.threshold(policy, baselineMedian: before.median)
        // Twice, so that the error rate holds for calling equal programs different either way.
        func p(_ differences: [Double]) -> Double { min(2 * SignedRankTest(differences).pGreater, 1) }
        self.metric = metric
        (baselineMedian, currentMedian) = (before.median, after.median)
        scale = .logarithm
        change = shift.estimate
        interval = shift.interval
        self.threshold = threshold
        pSlower = p(changes.map { $0 - threshold })
        pFaster = p(changes.map { -$0 - threshold })
        unit = .pairs
        size = changes.count
        self.smallestP = smallestP
        obstacle = nil
    }
}
