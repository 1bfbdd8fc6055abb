/// The range of a statistic, from its values on resamples.
enum BootstrapInterval {
    /// The percentile interval: the middle share of all replicates.
    ///
    /// Source: Efron, Tibshirani: An Introduction to the Bootstrap (1993), section 13.3. For medians, its
    /// coverage is better than that of corrected intervals: those need the influence of single values, which
    /// has no limit for a median (the same book, section 11.6).
    ///
    /// - Parameter replicates: ascending, not empty, without `nan`.
    static func percentile(_ replicates: [Double], confidence: Double) -> ClosedRange<Double> {
        let outside = (1 - confidence) / 2
        let low = quantile(replicates, outside)
        return low...max(low, quantile(replicates, 1 - outside))
    }

    /// The quantile rises linearly between the two nearest ranks: definition 7 of Hyndman, Fan: Sample
    /// quantiles in statistical packages, The American Statistician 50 (1996), 361–365.
    static func quantile(_ ascending: [Double], _ part: Double) -> Double {
        let place = part * Double(ascending.count - 1)
        let low = min(Int(place), ascending.count - 1)
        let high = min(low + 1, ascending.count - 1)
        if place == Double(low) { return ascending[low] }
        // Nothing lies between a number and infinity. The farther one is taken, so that an interval is never
        // too narrow.
        guard ascending[low].isFinite, ascending[high].isFinite else {
            return part < 0.5 ? ascending[low] : ascending[high]
        }
        return ascending[low] + (ascending[high] - ascending[low]) * (place - Double(low))
    }
}
