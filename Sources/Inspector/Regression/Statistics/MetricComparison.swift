/// A metric, decided.
public struct MetricComparison: Hashable, Sendable {
    /// What was compared.
    public let metric: TimingMetric
    /// Nanoseconds: what a run of either side takes, so that one divided by the other is ``ratio``. The
    /// medians over the runs; where runs are paired, the medians moved by the same factor in opposite
    /// directions.
    public let baselineTime, currentTime: Double
    /// Current ÷ baseline: of the medians, or, where runs are paired, what the ratios of the pairs lie
    /// around. Infinite where the baseline is zero and the current time is not; 1 where both are.
    public let ratio: Double
    /// Of the ratio; it can reach to infinity where medians of zero are among what the runs could have given.
    public let interval: ClosedRange<Double>
    /// How often such an interval holds the true ratio: 0.95.
    public let confidence: Double
    /// Ratio and interval are those of runs that were made one after the other, pair by pair.
    public let isPaired: Bool
    /// That runs differ like this though the current side is not slower (not faster) by more than the
    /// threshold; corrected for the number of metrics and of looks.
    public let pSlower, pFaster: Double
    /// Of this metric alone.
    public let verdict: RegressionVerdict
    /// Why the verdict is inconclusive; nil where it is not.
    public let reason: Undecided?

    /// Whether the interval holds what it promises: that of too few runs, or of runs of sessions that may
    /// differ by anything, does not.
    public var isIntervalSound: Bool {
        switch reason {
        case .fewRuns, .unboundedSessions, .zeroSession: false
        default: true
        }
    }
}
