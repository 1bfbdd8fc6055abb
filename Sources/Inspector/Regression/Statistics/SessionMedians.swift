import Foundation

/// What is known about the differences between sessions, from both sides and a history.
struct SessionMedians {
    /// Fewer degrees of freedom do not limit the differences: five sessions of one program have this many.
    static let leastDegreesOfFreedom = 4

    /// The means of the logarithms of the sessions' medians.
    let baselineMean, currentMean: Double
    let degreesOfFreedom: Int
    /// The standard error of the difference of the two means.
    let standardError: Double

    /// Nil if a session's median is zero, which has no logarithm.
    init?(
        _ baseline: MetricSamples, _ current: MetricSamples, _ history: SessionSpread.Estimate?,
        using generator: inout SplitMix64
    ) {
        let sides = [baseline, current].map { side in
            side.sessions.map { log(max($0.map(\.median).median, 0)) }
        }
        guard sides.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isFinite) }) else { return nil }
        let means = sides.map { $0.reduce(0, +) / Double($0.count) }
        (baselineMean, currentMean) = (means[0], means[1])
        var squares = (history?.variance ?? 0) * Double(history?.degreesOfFreedom ?? 0)
        var degrees = history?.degreesOfFreedom ?? 0
        var parts = 0.0
        var ofRuns = 0.0
        for (side, (medians, mean)) in zip([baseline, current], zip(sides, means)) {
            squares += medians.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            degrees += medians.count - 1
            let count = Double(medians.count)
            parts += 1 / count
            for session in side.sessions {
                ofRuns += Self.variance(ofMedianOf: session, using: &generator) / (count * count)
            }
        }
        degreesOfFreedom = degrees
        standardError = degrees > 0 ? (squares / Double(degrees) * parts + ofRuns).squareRoot() : .infinity
    }

    /// Enough replicates for a variance: its own error is then about 7 %.
    private static let replicates = 400

    /// The variance of the logarithm of a session's median, by the bootstrap.
    private static func variance(
        ofMedianOf runs: [TimingSamples], using generator: inout SplitMix64
    ) -> Double {
        let resampling = MedianResampling(runs: runs, using: &generator)
        // A resample's median can be zero even if the session's is not. Half a nanosecond has a logarithm.
        let logs = (0..<replicates).map { _ in log(max(resampling.median(using: &generator), 0.5)) }
        let mean = logs.reduce(0, +) / Double(replicates)
        return logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(replicates - 1)
    }
}
