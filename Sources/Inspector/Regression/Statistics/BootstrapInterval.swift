/// What a statistic could have been, from what it was on resamples.
enum BootstrapInterval {
    /// The percentile interval: the middle share of all replicates.
    ///
    /// Source: Efron, Tibshirani: An Introduction to the Bootstrap (1993), section 13.3. For medians it holds
    /// its promise better than corrected intervals do: those need the influence of single values, which for a
    /// median has no limit (the same book, section 11.6).
    /// - Parameter replicates: ascending, not empty, without `nan`.
    static func percentile(_ replicates: [Double], confidence: Double) -> ClosedRange<Double> {
        let outside = (1 - confidence) / 2
        let low = quantile(replicates, outside)
        return low...max(low, quantile(replicates, 1 - outside))
    }

    /// Between the two nearest in rank the quantile rises evenly: definition 7 of Hyndman, Fan: Sample
    /// quantiles in statistical packages, The American Statistician 50 (1996), 361–365.
    static func quantile(_ ascending: [Double], _ part: Double) -> Double {
        let place = part * Double(ascending.count - 1)
        let low = min(Int(place), ascending.count - 1)
        let high = min(low + 1, ascending.count - 1)
        // Infinite replicates have nothing between them.
        if ascending[low] == ascending[high] || place == Double(low) { return ascending[low] }
        return ascending[low] + (ascending[high] - ascending[low]) * (place - Double(low))
    }
}
