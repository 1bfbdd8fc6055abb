import Foundation

/// What the runs say of a metric, before it is corrected for the number of metrics.
///
/// A change is the logarithm of a ratio, so that twice as slow and twice as fast are equally far from zero. A
/// baseline whose median is zero allows no ratio; then a change is a difference in nanoseconds, and only the
/// absolute threshold counts.
struct MetricEvidence {
    enum Scale {
        case logarithm
        case nanoseconds
    }

    /// What a verdict would need more of.
    enum Unit {
        case runs
        /// Runs of both sides that are compared two by two.
        case pairs
        case sessions
    }

    /// How often an interval is to hold the true change.
    static let confidence = 0.95
    /// With fewer runs a side nothing is said.
    static let leastRuns = 3

    let metric: TimingMetric
    /// Nanoseconds: what a run of either side takes; on the scale of logarithms the one divided by the other
    /// is the change.
    private(set) var baselineTime, currentTime: Double
    let scale: Scale
    private(set) var change: Double
    private(set) var interval: ClosedRange<Double>
    let threshold: Double
    /// How many methods looked, each for its part of the error: p-values have been multiplied by it.
    private(set) var methods = 1
    /// How likely chance alone makes the current side look so much slower (faster) than by the threshold.
    private(set) var pSlower, pFaster: Double
    private(set) var unit: Unit
    /// How many units the larger side has.
    let size: Int
    /// The lowest possible p-value, whatever the times are; zero without such a limit.
    private(set) var smallestP: Double
    /// Whether the number of pairs, and not that of runs, limits the p-values.
    private(set) var provesByPairs = false
    /// Why no verdict is possible; nil where one is.
    let obstacle: InconclusiveReason?

    /// Runs of both sides are alike but for the program: each of them is an observation.
    ///
    /// - Parameter obstacle: why they are not, which leaves an interval that speaks of these runs alone, and
    ///   no proof.
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
                .sorted(),
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

    /// Runs that were made in turn: compared each with each, within the pairs in which they ran, and pair by
    /// pair.
    ///
    /// Which of the two sees more depends on whether neighbours are alike, and on how far single runs lie
    /// off. So each gets half of what may go wrong: both intervals hold the change as often as one of them
    /// alone has to, and the narrower one counts; a p-value of either counts twice (Bonferroni).
    ///
    /// - Parameter tests: the number of tests that the p-values will be corrected for. Ratios of pairs that
    ///   could then prove nothing are not looked at.
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
            // Medians of scattered runs may differ by something else than the pairs do. A reader is given one
            // change.
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

    /// The confidence that each of this many intervals needs for all to hold with ``confidence``.
    static func confidence(each methods: Int) -> Double { 1 - (1 - confidence) / Double(methods) }

    /// The runs of each session share its weather: each session is an observation, by its median.
    ///
    /// What sessions differ by is known from both sides and from the history; the interval is that of
    /// Student's t distribution for the difference of two means with a pooled variance. What is uncertain of
    /// each session's own median, for the number of its runs, is added: a session of few runs is not taken
    /// for as good as those of the history.
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
        // A difference without any spread is beyond doubt, and none is not beyond the threshold.
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

    /// On the scale of the evidence.
    private static func threshold(_ policy: CheckPolicy, baselineMedian: Double) -> Double {
        let absolute = Double(max(policy.absoluteThreshold, 0))
        return baselineMedian > 0
            ? logarithm(1, 1 + max(policy.relativeThreshold, absolute / baselineMedian, 0)) : absolute
    }

    /// Of the ratio of two times. Two that are zero are the same.
    ///
    /// In steps of 2⁻⁴⁰, a millionth of a millionth: so that as much slower and as much faster are equally
    /// far from none, and slower by just the threshold is not beyond it, whatever the last digits of
    /// logarithms are.
    static func logarithm(_ before: Double, _ after: Double) -> Double {
        if after <= 0 { return before <= 0 ? 0 : -.infinity }
        if before <= 0 { return .infinity }
        return (log(after / before) * 0x1p40).rounded() * 0x1p-40
    }
}
