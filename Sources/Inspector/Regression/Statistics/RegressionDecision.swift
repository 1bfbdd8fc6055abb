import Foundation

/// Decides whether metrics changed, from the runs of both sides.
///
/// *Regressed* requires two proofs. First, the interval of the change must lie beyond the threshold. Second,
/// a rank test of the current runs, against the baseline runs made slower by the threshold, must have a
/// p-value of at most the error rate. The interval shows the size of the change. The test limits the rate of
/// false alarms, for any distribution of the times of independent runs.
/// Documentation/RegressionStatistics.md has the formulas and measurements.
enum RegressionDecision {
    /// Returns one comparison per metric, in the same order. Holm's correction makes the error rate hold for
    /// all of them together.
    ///
    /// If the sides are not interleaved, their sessions differ. A verdict then needs an estimate of the
    /// differences between sessions. The same applies to interleaved sides whose sessions have different
    /// numbers of runs, because differences between sessions would not cancel.
    ///
    /// Cost: about 1 ms per metric. For n interleaved pairs, O(n² log n): about 50 ms for 1,000 pairs.
    static func decide(
        _ metrics: [(metric: TimingMetric, baseline: MetricSamples, current: MetricSamples)],
        _ policy: CheckPolicy
    ) -> [MetricComparison] {
        let tests = metrics.count * max(policy.looks, 1)
        let evidence = metrics.map { Self.evidence($0.metric, $0.baseline, $0.current, policy, tests: tests) }
        let looks = Double(max(policy.looks, 1))
        func corrected(_ p: [Double]) -> [Double] { HolmCorrection.corrected(p).map { min($0 * looks, 1) } }
        let slower = corrected(evidence.map { $0?.pSlower ?? 1 })
        let faster = corrected(evidence.map { $0?.pFaster ?? 1 })
        return metrics.indices.map { index in
            evidence[index].map {
                MetricVerdict(
                    $0, pSlower: slower[index], pFaster: faster[index], tests: metrics.count, policy
                )
                .comparison
            }
                ?? MetricVerdict.withoutRuns(
                    metrics[index].metric, metrics[index].baseline, metrics[index].current)
        }
    }

    /// Nil if a side has no runs.
    private static func evidence(
        _ metric: TimingMetric, _ baseline: MetricSamples, _ current: MetricSamples, _ policy: CheckPolicy,
        tests: Int
    ) -> MetricEvidence? {
        let (baseline, current) = (baseline.withoutEmptySessions, current.withoutEmptySessions)
        guard baseline.runs > 0, current.runs > 0 else { return nil }
        if policy.isInterleaved && areBalanced(baseline, current) {
            return MetricEvidence(inTurn: metric, baseline, current, policy, tests: tests)
        }
        var policy = policy
        policy.isInterleaved = false
        var generator = SplitMix64(seed: policy.seed, of: metric.label)
        let spread = SessionMedians(
            baseline, current, policy.sessionSpread?.estimates[metric], using: &generator)
        guard let spread, spread.degreesOfFreedom >= SessionMedians.leastDegreesOfFreedom else {
            return MetricEvidence(
                ofRuns: metric, baseline, current, policy,
                obstacle: spread.map { .unboundedSessions(degreesOfFreedom: $0.degreesOfFreedom) }
                    ?? .zeroSession)
        }
        return MetricEvidence(ofSessions: metric, baseline, current, policy, spread)
    }

    /// Whether each session has as many runs of one side as of the other. A difference of one is allowed,
    /// because a run may have been lost.
    private static func areBalanced(_ baseline: MetricSamples, _ current: MetricSamples) -> Bool {
        guard baseline.sessions.count == current.sessions.count else { return false }
        // A single session need not be balanced.
        if baseline.sessions.count == 1 { return true }
        return zip(baseline.sessions, current.sessions).allSatisfy { abs($0.count - $1.count) <= 1 }
    }
}
