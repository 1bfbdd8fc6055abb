/// The decision about a metric.
public struct MetricComparison: Hashable, Sendable {
    /// The compared metric.
    public let metric: TimingMetric
    /// Nanoseconds: the time of a run on each side; their quotient is ``ratio``. The medians over the runs;
    /// if runs are paired, the medians adjusted by the same factor in opposite directions.
    public let baselineTime, currentTime: Double
    /// Current ÷ baseline: the ratio of the medians; if runs are paired, an estimate from the ratios of the
    /// pairs. Infinite if only the baseline is zero; 1 if both are.
    public let ratio: Double
    /// The interval of the ratio. It can extend to infinity if medians of zero are possible.
    public let interval: ClosedRange<Double>
    /// How often such an interval contains the true ratio: 0.95.
    public let confidence: Double
    /// Whether ratio and interval come from runs that were made alternately, pair by pair.
    public let isPaired: Bool
    /// The p-values: how likely such a difference is if the current side is not slower (faster) by more than
    /// the threshold. Corrected for the number of metrics and of looks.
    public let pSlower, pFaster: Double
    /// The verdict for this metric only.
    public let verdict: RegressionVerdict
    /// Why the verdict is inconclusive; nil if it is not.
    public let reason: InconclusiveReason?

    /// Whether the interval has its stated confidence. It does not for too few runs, or for runs of sessions
    /// whose differences are unknown.
    public var isIntervalSound: Bool {
        switch reason {
        case .fewRuns, .unboundedSessions, .zeroSession: false
        default: true
        }
    }
}
