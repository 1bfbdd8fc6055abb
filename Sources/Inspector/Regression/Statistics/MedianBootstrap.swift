/// What the medians of both sides could have been with other runs of the same programs.
///
/// Resamples at three levels: sessions, the runs of each drawn session, and the operations of each drawn run.
/// Source: Davison, Hinkley, Bootstrap Methods and their Application (1997), section 3.8.
struct MedianBootstrap {
    /// With this many, each end of a 95 % interval excludes 1.5 to 3.5 % instead of exactly 2.5 %.
    static let replicates = 1000

    /// Nanoseconds; one value for each replicate.
    let baseline, current: [Double]

    /// Shared sessions are drawn once for both sides, so that their effects on both sides cancel.
    ///
    /// - Parameter areShared: whether `baseline` and `current` ran side by side in each session.
    ///
    /// Cost: O(replicates) for one session per side, O(replicates · runs) for more.
    init(
        _ baseline: MetricSamples, _ current: MetricSamples, areShared: Bool,
        using generator: inout SplitMix64
    ) {
        let sides = [baseline, current].map { side in
            side.sessions.map { MedianResampling(runs: $0, using: &generator) }
        }
        let sizes = [baseline, current].map { $0.sessions.map(\.count) }
        var medians: [[Double]] = [[], []]
        for side in 0..<2 { medians[side].reserveCapacity(Self.replicates) }
        for _ in 0..<Self.replicates {
            var drawn: [Int]?
            for side in 0..<2 {
                if sides[side].count == 1 {
                    medians[side].append(sides[side][0].median(using: &generator))
                    continue
                }
                let sessions =
                    drawn ?? sides[side].indices.map { _ in generator.index(below: sides[side].count) }
                if areShared { drawn = sessions }
                var values: [Double] = []
                for session in sessions {
                    for _ in 0..<sizes[side][session] {
                        values.append(sides[side][session].value(using: &generator))
                    }
                }
                medians[side].append(values.median)
            }
        }
        (self.baseline, self.current) = (medians[0], medians[1])
    }
}

extension [Double] {
    /// For an even number of values, the mean of the middle two. The array must not be empty.
    var median: Double {
        let ascending = ascending
        let middle = count / 2
        return count.isMultiple(of: 2)
            ? ascending[middle - 1] / 2 + ascending[middle] / 2 : ascending[middle]
    }
}
