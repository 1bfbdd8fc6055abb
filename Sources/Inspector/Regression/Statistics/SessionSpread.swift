/// What sessions of the same program on the same machine differ by: the weather of a host changes between
/// them, and all runs of a session share it.
public struct SessionSpread: Hashable, Sendable {
    /// Of one metric.
    public struct Estimate: Hashable, Sendable {
        /// Of the logarithms of the sessions' medians: 0.0025 is a spread of about 5 %.
        public let variance: Double
        /// Sessions less the groups whose means were taken out.
        public let degreesOfFreedom: Int

        public init(variance: Double, degreesOfFreedom: Int) {
            self.variance = variance
            self.degreesOfFreedom = degreesOfFreedom
        }
    }

    public let estimates: [TimingMetric: Estimate]

    public init(estimates: [TimingMetric: Estimate]) { self.estimates = estimates }
}
