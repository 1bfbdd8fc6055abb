import Foundation

/// Pairs of one run of each side that were made one directly after the other, under nearly the same
/// conditions.
///
/// On a machine whose speed drifts, ratios within pairs spread half as much as ratios of any two runs.
struct PairedRuns {
    /// With fewer pairs, their ratios are not used, because so few signs prove little.
    static let least = 10
    /// With more pairs, `HodgesLehmann` would have too many means to sort.
    static let most = 1000

    /// The logarithms of the ratios, current ÷ baseline, in the order in which the runs were made.
    let changes: [Double]
    /// Whether the order of the runs is known. If not, runs with the same number form a pair.
    let isOrderKnown: Bool
    private let pairs: [(before: Double, after: Double)]

    /// Nil if no runs form pairs or too many do, if one side was mostly first, or if a time is zero.
    ///
    /// A run without a neighbour is left out. If it were paired with a later run, the drift of the machine
    /// between them would look like a change.
    init?(_ baseline: MetricSamples, _ current: MetricSamples) {
        var pairs: [(before: Double, after: Double)] = []
        var firstOfBaseline = 0
        for (before, after) in zip(baseline.sessions.indices, current.sessions.indices) {
            var order =
                Self.placed(baseline, before, isCurrent: false) + Self.placed(current, after, isCurrent: true)
            order.sort { ($0.place, $0.isCurrent ? 1 : 0) < ($1.place, $1.isCurrent ? 1 : 0) }
            var index = 0
            while index + 1 < order.count {
                let (run, next) = (order[index], order[index + 1])
                guard run.isCurrent != next.isCurrent else {
                    index += 1
                    continue
                }
                pairs.append(run.isCurrent ? (next.time, run.time) : (run.time, next.time))
                if !run.isCurrent { firstOfBaseline += 1 }
                index += 2
            }
        }
        isOrderKnown = !baseline.places.isEmpty && !current.places.isEmpty
        guard (1...Self.most).contains(pairs.count),
            // If one side is always first, a drift adds to the change.
            !isOrderKnown || min(firstOfBaseline, pairs.count - firstOfBaseline) >= pairs.count / 4,
            isOrderKnown || baseline.sessions.map(\.count) == current.sessions.map(\.count),
            pairs.allSatisfy({ $0.before > 0 && $0.after > 0 })
        else { return nil }
        self.pairs = pairs
        changes = pairs.map { MetricEvidence.logarithm($0.before, $0.after) }
    }

    private typealias Placed = (place: Int, isCurrent: Bool, time: Double)

    /// Without places, runs with the same number are neighbours.
    private static func placed(_ side: MetricSamples, _ session: Int, isCurrent: Bool) -> [Placed] {
        side.sessions[session].enumerated().map { number, run in
            (side.places.isEmpty ? number : side.places[session][number], isCurrent, run.median)
        }
    }

    /// The smallest p-value that this many pairs can give: 2⁻ⁿ for n pairs.
    var smallestP: Double { Self.smallestP(of: changes.count) }

    static func smallestP(of pairs: Int) -> Double { exp2(-Double(pairs)) }

    func shift(confidence: Double) -> HodgesLehmann { HodgesLehmann(changes, confidence: confidence) }

    /// The p-value of the current side's sum of ranks among all runs, if it were slower by exactly the
    /// threshold.
    ///
    /// The statistic is the rank sum of Mann and Whitney's test, but its distribution is another. Their test
    /// assumes that any half of the runs could have been those of the current side. Here, each pair has
    /// exactly one, so that test reports differences too often if neighbours differ, for example if every
    /// third run is disturbed. This test only assumes that the two runs of each pair could have been swapped.
    func pSlowerByRanks(beyond threshold: Double) -> Double {
        SignedRankTest(signed: rankDifferences(shiftedBy: threshold)).pGreater
    }

    /// The same for faster.
    func pFasterByRanks(beyond threshold: Double) -> Double {
        SignedRankTest(signed: rankDifferences(shiftedBy: -threshold).map { -$0 }).pGreater
    }

    /// The difference of the doubled ranks of each pair, ranked among the runs of both sides.
    private func rankDifferences(shiftedBy change: Double) -> [Int] {
        let factor = exp(change)
        let ranks = RankTest.doubledRanks(pairs.map(\.after) + pairs.map { $0.before * factor })
        return pairs.indices.map { ranks[$0] - ranks[$0 + pairs.count] }
    }

    /// The p-value of Wilcoxon's signed-rank test on the changes of the pairs, minus the threshold.
    func pSlower(beyond threshold: Double) -> Double {
        SignedRankTest(changes.map { $0 - threshold }).pGreater
    }

    /// The same for faster.
    func pFaster(beyond threshold: Double) -> Double {
        SignedRankTest(changes.map { -$0 - threshold }).pGreater
    }
}
