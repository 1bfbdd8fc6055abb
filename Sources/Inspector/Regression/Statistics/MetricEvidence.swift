import Foundation

/// The evidence about one metric, before the correction for the number of metrics.
///
/// A change is the logarithm of the ratio current ÷ baseline. So twice as slow and twice as fast are equally
/// far from zero. If the median of the baseline is zero, no ratio exists. The change is then a difference in
/// nanoseconds, and only the absolute threshold applies.
struct MetricEvidence {
    enum Scale {
        case logarithm
        case nanoseconds
    }

    /// The unit that is counted when more are needed for a verdict.
    enum Unit {
        case runs
        /// Pairs of a baseline run and a current run.
        case pairs
        case sessions
    }

    /// How often an interval must contain the true change.
    static let confidence = 0.95
    /// With fewer runs a side, there is never a verdict.
    static let leastRuns = 3

    let metric: TimingMetric
    /// The time of a run on each side, in nanoseconds. On the logarithmic scale, `change` is the logarithm of
    /// their ratio.
    private(set) var baselineTime, currentTime: Double
    let scale: Scale
    private(set) var change: Double
    private(set) var interval: ClosedRange<Double>
    let threshold: Double
    /// The number of methods that share the error rate. The p-values are already multiplied by it.
    private(set) var methods = 1
    /// The p-value of the current side being slower (faster) than the baseline by more than the threshold.
    private(set) var pSlower, pFaster: Double
    private(set) var unit: Unit
    /// The number of units on the larger side.
    let size: Int
    /// The smallest p-value that this number of runs can give for any times; zero without such a limit.
    private(set) var smallestP: Double
    /// Whether the number of pairs, not the number of runs, limits the p-values.
    private(set) var provesByPairs = false
    /// Why no verdict is possible; nil if one is.
    let obstacle: InconclusiveReason?

    /// Compares runs that differ only in the program. Each run is an observation.
    ///
    /// The change is the difference of the medians on the scale. Its interval comes from `MedianBootstrap`,
    /// its p-values from `RankTest` against the baseline shifted by the threshold.
    ///
    /// - Parameter obstacle: why the runs differ in more than the program. The interval then holds only for
    ///   these runs, and the p-values are 1.
    init(
        ofRuns metric: TimingMetric, _ baseline: MetricSamples, _ current: MetricSamples,
        _ policy: CheckPolicy,
        confidence: Double = Self.confidence, obstacle: InconclusiveReason? = nil
    ) {
        var generator = SplitMix64(seed: policy.seed, of: metric.label)
        let (before, after) = (baseline.values, current.values)
        let (size, other) = (before.count, after.count)
        self.metric = metric
        let (baselineMedian, currentMedian) = (before.median, after.median)
        (baselineTime, currentTime) = (baselineMedian, currentMedian)
        scale = baselineMedian > 0 ? .logarithm : .nanoseconds
        let isLogarithm = scale == .logarithm
        threshold = Self.threshold(policy, baselineMedian: baselineMedian)
        let factor = exp(threshold)
        change =
            isLogarithm
            ? Self.logarithm(baselineMedian, currentMedian) : currentMedian - baselineMedian
        let replicates = MedianBootstrap(
            baseline, current, areShared: policy.isInterleaved, using: &generator)
        interval = BootstrapInterval.percentile(
            zip(replicates.baseline, replicates.current)
                .map { isLogarithm ? Self.logarithm($0, $1) : $1 - $0 }
                .ascending,
            confidence: confidence)
        let threshold = threshold
        if obstacle == nil {
            pSlower =
                RankTest(after, against: before.map { isLogarithm ? $0 * factor : $0 + threshold }).pGreater
            pFaster =
                RankTest(after, against: before.map { isLogarithm ? $0 / factor : $0 - threshold }).pLess
        } else {
            (pSlower, pFaster) = (1, 1)
        }
        unit = .runs
        self.size = max(size, other)
        smallestP = 1 / RankDistribution.combinations(size + other, size)
        self.obstacle =
            min(size, other) < Self.leastRuns ? .fewRuns(baseline: size, current: other) : obstacle
    }

    /// Compares runs that were made alternately, by two methods: by the medians and ranks of all runs, and by
    /// the ratio within each pair.
    ///
    /// Which method is more sensitive depends on how similar neighbours are, and on how many runs are
    /// outliers. So both are used, and each gets half of the error rate (Bonferroni). Each interval has a
    /// confidence of 97.5 %, so that both together contain the change in at least 95 % of cases; the narrower
    /// one is reported. The p-value is twice the smaller one.
    ///
    /// - Parameter tests: the number of tests that the p-values will be corrected for. If that many tests
    ///   leave too few pairs to prove anything, their ratios are not used.
    init(
        inTurn metric: TimingMetric, _ baseline: MetricSamples, _ current: MetricSamples,
        _ policy: CheckPolicy, tests: Int
    ) {
        let pairs = PairedRuns(baseline, current)
        let haveRatio =
            pairs.map {
                $0.changes.count >= PairedRuns.least && 2 * $0.smallestP * Double(tests) <= policy.errorRate
            } ?? false
        guard let pairs, pairs.isOrderKnown || haveRatio else {
            self.init(ofRuns: metric, baseline, current, policy)
            return
        }
        let confidence = Self.confidence(each: haveRatio ? 2 : 1)
        self.init(ofRuns: metric, baseline, current, policy, confidence: confidence)
        provesByPairs = true
        pSlower = pairs.pSlowerByRanks(beyond: threshold)
        pFaster = pairs.pFasterByRanks(beyond: threshold)
        smallestP = pairs.smallestP
        guard haveRatio else { return }
        let shift = pairs.shift(confidence: confidence)
        if shift.interval.upperBound - shift.interval.lowerBound < interval.upperBound - interval.lowerBound {
            // The medians may give another change than the pairs. They are adjusted, so that the report has
            // only one change.
            if change.isFinite {
                let factor = exp((shift.estimate - change) / 2)
                (baselineTime, currentTime) = (baselineTime / factor, currentTime * factor)
            }
            (change, interval, unit) = (shift.estimate, shift.interval, .pairs)
        }
        pSlower = min(2 * min(pSlower, pairs.pSlower(beyond: threshold)), 1)
        pFaster = min(2 * min(pFaster, pairs.pFaster(beyond: threshold)), 1)
        smallestP *= 2
        methods = 2
    }

    /// The confidence of each of this many intervals, so that all of them together have ``confidence``.
    static func confidence(each methods: Int) -> Double { 1 - (1 - confidence) / Double(methods) }

    /// Compares sessions. The runs of a session share its conditions, so the session's median is one
    /// observation.
    ///
    /// The variance between sessions is pooled from both sides and the history. The interval is that of
    /// Student's t test for the difference of two means: change ± t · standard error. The standard error also
    /// includes the uncertainty of each session's median, which is larger for a session of few runs.
    init(
        ofSessions metric: TimingMetric, _ baseline: MetricSamples, _ current: MetricSamples,
        _ policy: CheckPolicy,
        _ spread: SessionMedians
    ) {
        self.metric = metric
        let degrees = StudentDistribution(degreesOfFreedom: spread.degreesOfFreedom)
        (baselineTime, currentTime) = (exp(spread.baselineMean), exp(spread.currentMean))
        scale = .logarithm
        change = spread.currentMean - spread.baselineMean
        threshold = Self.threshold(policy, baselineMedian: baselineTime)
        let error = spread.standardError
        let margin = degrees.quantile((1 + Self.confidence) / 2) * error
        interval = change - margin...change + margin
        // Without any spread, a difference is certain.
        func p(beyond distance: Double) -> Double {
            error > 0
                ? degrees.probability(ofAtMost: -distance / error) : (distance > 0 ? 0 : 1)
        }
        pSlower = p(beyond: change - threshold)
        pFaster = p(beyond: -threshold - change)
        unit = .sessions
        size = max(baseline.sessions.count, current.sessions.count)
        smallestP = 0
        let (before, after) = (baseline.runs, current.runs)
        obstacle = min(before, after) < Self.leastRuns ? .fewRuns(baseline: before, current: after) : nil
    }

    /// The larger of both thresholds, on the scale of the evidence.
    private static func threshold(_ policy: CheckPolicy, baselineMedian: Double) -> Double {
        let absolute = Double(max(policy.absoluteThreshold, 0))
        return baselineMedian > 0
            ? logarithm(1, 1 + max(policy.relativeThreshold, absolute / baselineMedian, 0)) : absolute
    }

    /// The logarithm of `after` ÷ `before`; zero if both are zero.
    ///
    /// Rounded to multiples of 2⁻⁴⁰, about 10⁻¹². Without rounding, the last digit of a logarithm could put a
    /// change of exactly the threshold beyond it, or make a ratio and its inverse differ in distance from 1.
    static func logarithm(_ before: Double, _ after: Double) -> Double {
        if after <= 0 { return before <= 0 ? 0 : -.infinity }
        if before <= 0 { return .infinity }
        return (log(after / before) * 0x1p40).rounded() * 0x1p-40
    }
}
