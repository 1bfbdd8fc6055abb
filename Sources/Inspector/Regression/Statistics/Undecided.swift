/// Why runs do not decide.
public enum Undecided: Hashable, Sendable, CustomStringConvertible {
    /// Fewer runs than any verdict needs.
    case fewRuns(baseline: Int, current: Int)
    /// Even if every run of one side were slower than every run of the other, it could be chance more often than allowed.
    case weakestProof(smallestP: Double, errorRate: Double, runsNeeded: Int)
    /// The interval holds a threshold.
    case wideInterval(moreRuns: Int?)
    /// The interval is beyond the threshold, but the ranks of the runs could be chance.
    case ranks(p: Double, errorRate: Double, moreRuns: Int?)
    /// The sides are of different sessions, and too few sessions say what sessions differ by.
    case unboundedSessions(degreesOfFreedom: Int)
    /// As before, with enough sessions; but by that much sessions do differ.
    case wideSessions(moreSessions: Int?)

    public var description: String { "" }
}
