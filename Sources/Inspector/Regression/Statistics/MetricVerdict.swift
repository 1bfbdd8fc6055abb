import Foundation

/// The verdict of a metric, from its evidence and the corrected p-values.
struct MetricVerdict {
    /// More runs than this are not proposed: the change is too close to the threshold.
    private static let mostProposed = 1000.0

    private let evidence: MetricEvidence
    private let pSlower, pFaster: Double
    /// The number of metrics that the p-values are corrected for, times the number of looks.
    private let tests: Int
    private let errorRate: Double

    init(_ evidence: MetricEvidence, pSlower: Double, pFaster: Double, tests: Int, _ policy: CheckPolicy) {
        self.evidence = evidence
        self.pSlower = pSlower
        self.pFaster = pFaster
        self.tests = tests * max(policy.looks, 1)
        errorRate = policy.errorRate
    }

    var comparison: MetricComparison {
        let (verdict, reason) = decided
        let isLogarithm = evidence.scale == .logarithm
        return MetricComparison(
            metric: evidence.metric, baselineTime: evidence.baselineTime,
            currentTime: evidence.currentTime,
            ratio: isLogarithm ? exp(evidence.change) : (evidence.change > 0 ? .infinity : 1),
            interval: isLogarithm
                ? exp(evidence.interval.lowerBound)...exp(evidence.interval.upperBound)
                : (evidence.interval == 0...0 ? 1...1 : 0...(.infinity)),
            confidence: MetricEvidence.confidence, isPaired: evidence.unit == .pairs, pSlower: pSlower,
            pFaster: pFaster, verdict: verdict, reason: reason)
    }

    /// The result for a metric that one side lacks.
    static func withoutRuns(
        _ metric: TimingMetric, _ baseline: MetricSamples, _ current: MetricSamples
    ) -> MetricComparison {
        MetricComparison(
            metric: metric, baselineTime: baseline.runs > 0 ? baseline.values.median : 0,
            currentTime: current.runs > 0 ? current.values.median : 0, ratio: 1, interval: 0...(.infinity),
            confidence: MetricEvidence.confidence, isPaired: false, pSlower: 1, pFaster: 1,
            verdict: .inconclusive,
            reason: .fewRuns(baseline: baseline.runs, current: current.runs))
    }

    private var decided: (RegressionVerdict, InconclusiveReason?) {
        if let obstacle = evidence.obstacle { return (.inconclusive, obstacle) }
        let (interval, threshold) = (evidence.interval, evidence.threshold)
        let isSlower = interval.lowerBound > threshold
        let isFaster = interval.upperBound < -threshold
        if isSlower && pSlower <= errorRate { return (.regressed, nil) }
        if isFaster && pFaster <= errorRate { return (.improved, nil) }
        if interval.lowerBound >= -threshold && interval.upperBound <= threshold { return (.unchanged, nil) }
        let smallestP = min(evidence.smallestP * Double(tests), 1)
        if smallestP > errorRate {
            return (
                .inconclusive,
                .weakestProof(smallestP: smallestP, errorRate: errorRate, runsNeeded: runsForProof)
            )
        }
        if evidence.unit == .sessions { return (.inconclusive, .wideSessions(moreSessions: moreForWidth)) }
        if isSlower || isFaster {
            let p = isSlower ? pSlower : pFaster
            return (.inconclusive, .ranks(p: p, errorRate: errorRate, moreRuns: moreForProof(p)))
        }
        return (.inconclusive, .wideInterval(moreRuns: moreForBoth))
    }

    /// A verdict beyond a threshold requires both the interval and the ranks.
    private var moreForBoth: Int? {
        guard abs(evidence.change) > evidence.threshold else { return moreForWidth }
        guard let width = moreForWidth, let proof = moreForProof(evidence.change > 0 ? pSlower : pFaster)
        else { return nil }
        return max(width, proof)
    }

    /// The smallest number of runs per side whose best p-value is low enough.
    private var runsForProof: Int {
        var runs = MetricEvidence.leastRuns
        func smallestP(_ runs: Int) -> Double {
            evidence.provesByPairs
                ? PairedRuns.smallestP(of: runs) : 1 / RankDistribution.combinations(2 * runs, runs)
        }
        while Double(tests) * smallestP(runs) > errorRate && runs < 500 { runs += 1 }
        return runs
    }

    /// How many standard deviations beyond a limit the expected value must lie to pass it in 80 % of cases.
    private static let power = NormalDistribution.quantile(0.8)

    /// The width of an interval falls with the square root of the number of runs. It decides if half of it is
    /// less than the distance from the change to the nearest threshold, which should hold in 80 % of cases.
    private var moreForWidth: Int? {
        let margin = (evidence.interval.upperBound - evidence.interval.lowerBound) / 2
        let way = min(abs(evidence.change - evidence.threshold), abs(evidence.change + evidence.threshold))
        let deviations = NormalDistribution.quantile(
            (1 + MetricEvidence.confidence(each: evidence.methods)) / 2)
        return more(margin / way * (1 + Self.power / deviations))
    }

    /// In standard deviations, the distance of a rank sum from its mean grows with the same square root.
    private func moreForProof(_ p: Double) -> Int? {
        let (p, errorRate) = (p / Double(evidence.methods), errorRate / Double(evidence.methods))
        guard p < 0.5 else { return nil }
        return more((NormalDistribution.quantile(errorRate) - Self.power) / NormalDistribution.quantile(p))
    }

    private func more(_ ratio: Double) -> Int? {
        let needed = (Double(evidence.size) * ratio * ratio).rounded(.up)
        guard needed.isFinite, needed <= Self.mostProposed else { return nil }
        return max(Int(needed) - evidence.size, 1)
    }
}
