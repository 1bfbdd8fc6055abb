/// The verdict of a check on a metric, or overall.
public enum RegressionVerdict: String, Hashable, Sendable, CaseIterable {
    /// Slower by more than the threshold, with confidence.
    case regressed
    /// Faster by more than the threshold, with confidence.
    case improved
    /// Any change is within the threshold, with confidence.
    case unchanged
    /// The runs are too few or too unsteady to tell.
    case inconclusive

    /// The overall verdict: a regression of any metric is a regression, and unknown results do not count as
    /// unchanged.
    ///
    /// Inconclusive without any verdict.
    static func overall(_ verdicts: some Collection<Self>) -> Self {
        if verdicts.isEmpty { return .inconclusive }
        return [.regressed, .inconclusive, .improved].first(where: verdicts.contains) ?? .unchanged
    }
}
