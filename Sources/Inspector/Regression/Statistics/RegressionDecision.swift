import Foundation

/// Decides whether metrics changed, from the runs of both sides.
///
/// *Regressed* takes two proofs. The interval of the change lies beyond the threshold: it gives the size. And
/// a rank test of the current runs against those of the baseline, made slower by the threshold, has at most
/// the error rate: it is exact however the times of independent runs are distributed, and gives the rate of
/// false alarms. Documentation/RegressionStatistics.md has the formulas and what was measured.
enum RegressionDecision {
    /// One comparison a metric, in their order. The error rate holds for all of them together, by Holm's
    /// correction.
    ///
    /// Where the sides are not interleaved, runs of different sessions are compared, and only what bounds the
    /// difference between sessions can give a verdict. Interleaved sides whose sessions do not have the same
    /// numbers of runs are treated so, too: what their sessions differ by would not cancel.
    ///
    /// Cost: about a millisecond a metric, and of runs in turn O(n² log n) for n pairs: some 50 ms for a
    /// thousand.
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

    /// Nil where a side has no runs.
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
