/// What sessions of the same program on the same machine differ by: the weather of a host changes between
/// them, and all runs of a session share it.
public struct SessionSpread: Hashable, Sendable {
    /// Of one metric.
    package struct Estimate: Hashable, Sendable {
        /// Of the logarithms of the sessions' medians: 0.0025 is a spread of about 5 %.
        package let variance: Double
        /// Sessions less the groups whose means were taken out.
        package let degreesOfFreedom: Int

        package init(variance: Double, degreesOfFreedom: Int) {
            self.variance = variance
            self.degreesOfFreedom = degreesOfFreedom
        }
    }

    let estimates: [TimingMetric: Estimate]

    package init(estimates: [TimingMetric: Estimate]) { self.estimates = estimates }
}
