/// The severity of a finding.
public enum HazardSeverity: String, CaseIterable, Comparable, Sendable {
    /// The run lost time, or its order depended on luck.
    case note
    /// Something is likely to go wrong, went wrong without stopping the run, or cost a large part of it.
    case warning
    /// Something went wrong: work was lost, ran when it must not, or never ended.
    case error

    /// The severity of time that a run lost: a warning from a quarter of the run on.
    static func ofCost(_ cost: Int64, in makespan: Int64) -> Self {
        cost >= makespan / 4 ? .warning : .note
    }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }
}
