import Foundation

/// Runs of both sides that were made in turn, compared two by two: neighbours share what the machine was like.
///
/// On a machine that gets slower and faster by itself, the ratios of neighbours scatter half as much as those of any two
/// runs.
struct PairedRuns {
    /// With fewer pairs the runs are better compared each with each: so few signs prove little.
    static let least = 10
    /// With more, nothing is gained that is worth going through all pairs of pairs.
    static let most = 300

    /// The logarithms of the ratios, current ÷ baseline, in the order in which the runs were made.
    let changes: [Double]

    /// Nil where the runs are not in pairs, or not all above zero.
    init?(_ baseline: MetricSamples, _ current: MetricSamples) {
        let (before, after) = (baseline.values, current.values)
        guard baseline.sessions.map(\.count) == current.sessions.map(\.count),
            (Self.least...Self.most).contains(before.count), (before + after).allSatisfy({ $0 > 0 })
        else { return nil }
        changes = zip(before, after).map { log($1 / $0) }
    }

    /// The least p-value that so many pairs can give.
    var smallestP: Double { exp2(-Double(changes.count)) }

    func shift(confidence: Double) -> HodgesLehmann { HodgesLehmann(changes, confidence: confidence) }

    /// How likely chance alone makes the current side look so much slower than by the threshold.
    func pSlower(beyond threshold: Double) -> Double {
        SignedRankTest(changes.map { $0 - threshold }).pGreater
    }

    /// The same of faster.
    func pFaster(beyond threshold: Double) -> Double {
        SignedRankTest(changes.map { -$0 - threshold }).pGreater
    }
}
