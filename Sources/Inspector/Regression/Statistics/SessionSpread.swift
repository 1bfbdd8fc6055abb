/// The differences between sessions of the same program on the same machine.
///
/// All runs of a session share the conditions of the machine, which change between sessions.
public struct SessionSpread: Hashable, Sendable {
    /// The estimate for one metric.
    package struct Estimate: Hashable, Sendable {
        /// The variance of the logarithms of the sessions' medians: 0.0025 means a spread of about 5 %.
        package let variance: Double
        /// The number of sessions minus the number of groups whose means were removed.
        package let degreesOfFreedom: Int

        package init(variance: Double, degreesOfFreedom: Int) {
            self.variance = variance
            self.degreesOfFreedom = degreesOfFreedom
        }
    }

    let estimates: [TimingMetric: Estimate]

    package init(estimates: [TimingMetric: Estimate]) { self.estimates = estimates }
}
