import Foundation

/// The medians of resamples: as many values as there are, drawn with replacement.
///
/// The resample is never actually drawn. A resample of n values is the quantile function of the values at n
/// uniform numbers. So its median is that function at the middle one of n ordered uniform numbers, which has
/// a beta distribution (Maritz, Jarrett: A note on estimating the variance of the sample median, Journal of
/// the American Statistical Association 73 (1978), 194–196). This is exact, and its cost does not depend on
/// the number of values.
struct MedianResampling {
    /// Ascending.
    private let values: [Double]
    /// How many are drawn with replacement.
    private let count: Int
    /// Whether `values` are only points at equal distances of rank among the `count` actual values.
    private let isSummary: Bool

    /// The times of the operations in one run. In a summary, the function rises evenly between the kept
    /// times.
    init(_ samples: TimingSamples) {
        values = samples.values.map(Double.init)
        count = samples.count
        isSummary = samples.count > samples.values.count
    }

    /// Draws `count` values, each with equal probability, from `values`, which must not be empty. `count` may
    /// differ from the number of values.
    init(_ values: [Double], count: Int) {
        self.values = values.ascending
        self.count = count
        isSummary = false
    }

    /// How often a run's operations are resampled for the mixture of its session.
    private static let drawsOfRun = 32

    /// The runs of a session. Each draw takes a run, resamples its operations, and gives their median.
    ///
    /// Such draws are draws from the mixture of what the runs can give. So the mixture is created once, and
    /// the median of a resample is again a single lookup. The mixture contains each run with 32 resamples of
    /// its operations.
    init(runs: [TimingSamples], using generator: inout SplitMix64) {
        guard runs.contains(where: { $0.count > 1 }) else {
            self.init(runs.map(\.median), count: runs.count)
            return
        }
        var mixture: [Double] = []
        mixture.reserveCapacity(runs.count * Self.drawsOfRun)
        for run in runs {
            let resampling = MedianResampling(run)
            for _ in 0..<Self.drawsOfRun { mixture.append(resampling.median(using: &generator)) }
        }
        self.init(mixture, count: runs.count)
    }

    /// One of the `count` values of a resample.
    func value(using generator: inout SplitMix64) -> Double {
        values[generator.index(below: values.count)]
    }

    /// The median of a resample.
    func median(using generator: inout SplitMix64) -> Double {
        if values.count == 1 { return values[0] }
        // The middle one of an odd number of uniform numbers: k − 1 + 1 + k − 1.
        let k = (count + 1) / 2
        let middle = Self.symmetricBeta(k, using: &generator)
        guard count.isMultiple(of: 2) else { return quantile(middle) }
        // For an even number, the last number falls on one side of it. The nearest number on that side is the
        // other of the middle two.
        let edge = pow(generator.uniform(), 1 / Double(k))
        let neighbor = generator.uniform() < middle ? middle * edge : 1 - (1 - middle) * edge
        return quantile(middle) / 2 + quantile(neighbor) / 2
    }

    private func quantile(_ part: Double) -> Double {
        guard isSummary else { return values[min(Int(part * Double(values.count)), values.count - 1)] }
        let rank = min(max(part * Double(count) - 0.5, 0), Double(count - 1))
        let place = rank / Double(count - 1) * Double(values.count - 1)
        let low = min(Int(place), values.count - 2)
        return values[low] + (values[low + 1] - values[low]) * (place - Double(low))
    }

    /// A random number from the beta distribution whose two parameters are `k`.
    ///
    /// Source: Ulrich: Computer generation of distributions on the m-sphere, Applied Statistics 33 (1984),
    /// 158–163; as in Devroye, Non-Uniform Random Variate Generation (1986), IX.4.
    private static func symmetricBeta(_ k: Int, using generator: inout SplitMix64) -> Double {
        let radius = (1 - pow(generator.uniform(), 2 / Double(2 * k - 1))).squareRoot()
        return min(max((1 + radius * cos(2 * .pi * generator.uniform())) / 2, 0), 1)
    }
}
