/// What a check says of a metric, or of everything.
public enum RegressionVerdict: String, Hashable, Sendable, CaseIterable {
    /// Slower by more than the threshold, with confidence.
    case regressed
    /// Faster by more than the threshold, with confidence.
    case improved
    /// Any change is within the threshold, with confidence.
    case unchanged
    /// So few or so unsteady runs do not tell.
    case inconclusive

    /// The one of all: a regression anywhere is one, and what is not known is not claimed to be fine.
    ///
    /// Of no verdict at all nothing is known.
    static func overall(_ verdicts: some Collection<Self>) -> Self {
        if verdicts.isEmpty { return .inconclusive }
        return [.regressed, .inconclusive, .improved].first(where: verdicts.contains) ?? .unchanged
    }
}
