import InspectorColumns

/// Which parts of the makespan are proven to differ.
///
/// A part is proven in either of two ways. The times of its kind's operations regressed or improved as a
/// metric. Or the part's share of each run's makespan differs between the sides. This also covers other
/// numbers of operations and another course of the run. The second is decided like metrics, with a threshold
/// of zero, and corrected for the number of parts.
struct DelayProof {
    /// Parts with smaller differences are proven only by their metrics: more parts would reduce the certainty
    /// of all.
    private static let mostDecided = 12

    private var slower: Set<TimingMetric> = []
    private var faster: Set<TimingMetric> = []

    init(
        of shift: DelayShift, _ metrics: CheckedMetrics, _ comparisons: [MetricComparison],
        _ policy: CheckPolicy
    ) {
        var exact = policy
        (exact.relativeThreshold, exact.absoluteThreshold) = (0, 0)
        // A history contains only metrics.
        exact.sessionSpread = nil
        let parts = shift.rows.prefix(Self.mostDecided).filter { $0.difference != 0 }.map(\.metric)
        let own = parts.compactMap { part in
            metrics.samples(part) { TimingSamples($0.delay(part)) }
        }
        // A part without a kind is time outside of operations, which has no metric.
        let ofKinds = comparisons.filter { $0.metric.kind != nil }
        for comparison in ofKinds + RegressionDecision.decide(own, exact) {
            switch comparison.verdict {
            case .regressed: slower.insert(comparison.metric)
            case .improved: faster.insert(comparison.metric)
            case .unchanged, .inconclusive: break
            }
        }
    }

    func proves(_ row: DelayShift.Row) -> Bool {
        row.difference > 0 ? slower.contains(row.metric) : row.difference < 0 && faster.contains(row.metric)
    }
}

extension DelayShift.Row {
    fileprivate var metric: TimingMetric { TimingMetric(kind: kind, .part(part)) }
}

extension RunTimings {
    /// Nanoseconds of the makespan; 0 if the makespan has no such part.
    fileprivate func delay(_ metric: TimingMetric) -> Int64 {
        delays.reduce(0) { sum, delay in
            TimingMetric(kind: delay.kind, .part(delay.part)) == metric
                ? sum.saturatingAdd(delay.nanoseconds) : sum
        }
    }
}
