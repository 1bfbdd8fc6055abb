import Foundation

/// Runs of both sides that were made in turn, compared two by two: neighbours share what the machine was
/// like.
///
/// On a machine that gets slower and faster by itself, the ratios of neighbours scatter half as much as those
/// of any two runs.
struct PairedRuns {
    /// Fewer pairs have no ratio of their own: so few signs prove little.
    static let least = 10
    /// Of more, the means of any two are too many to sort.
    static let most = 1000

    /// The logarithms of the ratios, current ÷ baseline, in the order in which the runs were made.
    let changes: [Double]
    /// Which runs are neighbours is known by when they were made, and not only by their numbers.
    let isOrderKnown: Bool
    private let pairs: [(before: Double, after: Double)]

    /// Nil without pairs of neighbours, with too many of them, if one side was mostly first, or if a time
    /// is zero.
    ///
    /// A run whose neighbour is missing is left out: to put it with another one would let the drift of the
    /// machine between them look like a change.
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
            // A drift adds to the change where one side is always first.
            !isOrderKnown || min(firstOfBaseline, pairs.count - firstOfBaseline) >= pairs.count / 4,
            isOrderKnown || baseline.sessions.map(\.count) == current.sessions.map(\.count),
            pairs.allSatisfy({ $0.before > 0 && $0.after > 0 })
        else { return nil }
        self.pairs = pairs
        changes = pairs.map { MetricEvidence.logarithm($0.before, $0.after) }
    }

    private typealias Placed = (place: Int, isCurrent: Bool, time: Double)

    /// Without places, runs of the same number are neighbours.
    private static func placed(_ side: MetricSamples, _ session: Int, isCurrent: Bool) -> [Placed] {
        side.sessions[session].enumerated().map { number, run in
            (side.places.isEmpty ? number : side.places[session][number], isCurrent, run.median)
        }
    }

    /// The lowest p-value that this many pairs can give.
    var smallestP: Double { Self.smallestP(of: changes.count) }

    static func smallestP(of pairs: Int) -> Double { exp2(-Double(pairs)) }

    func shift(confidence: Double) -> HodgesLehmann { HodgesLehmann(changes, confidence: confidence) }

    /// How likely chance alone gives the current side such great ranks among all runs, were it slower by the
    /// threshold.
    ///
    /// The sum of ranks is that of Mann and Whitney's test. But there any half of the runs could as well have
    /// been the current side's, and of runs in pairs one of each pair is. Where neighbours differ, as where a
    /// disturbance meets every third run, that test finds differences too often. This one asks of a pair only
    /// that its runs could as well have come the other way round.
    func pSlowerByRanks(beyond threshold: Double) -> Double {
        SignedRankTest(signed: rankDifferences(shiftedBy: threshold)).pGreater
    }

    /// The same of faster.
    func pFasterByRanks(beyond threshold: Double) -> Double {
        SignedRankTest(signed: rankDifferences(shiftedBy: -threshold).map { -$0 }).pGreater
    }

    /// By pair, of the doubled ranks among the runs of both sides.
    private func rankDifferences(shiftedBy change: Double) -> [Int] {
        let factor = exp(change)
        let ranks = RankTest.doubledRanks(pairs.map(\.after) + pairs.map { $0.before * factor })
        return pairs.indices.map { ranks[$0] - ranks[$0 + pairs.count] }
    }

    /// How likely chance alone makes the current side look so much slower than by the threshold.
    func pSlower(beyond threshold: Double) -> Double {
        SignedRankTest(changes.map { $0 - threshold }).pGreater
    }

    /// The same of faster.
    func pFaster(beyond threshold: Double) -> Double {
        SignedRankTest(changes.map { -$0 - threshold }).pGreater
    }
}
