import Foundation

/// Why a verdict is inconclusive, and what would help.
public enum InconclusiveReason: Hashable, Sendable, CustomStringConvertible {
    /// There are fewer runs than any verdict needs.
    case fewRuns(baseline: Int, current: Int)
    /// Even if every run of one side were slower than every run of the other, the probability of that by
    /// chance exceeds the error rate.
    case weakestProof(smallestP: Double, errorRate: Double, runsNeeded: Int)
    /// A threshold lies within the interval. Nil means that no sensible number of runs would help.
    case wideInterval(moreRuns: Int?)
    /// The interval lies beyond the threshold, but the ranks of the runs could be chance.
    case ranks(p: Double, errorRate: Double, moreRuns: Int?)
    /// The sides ran in different sessions, but too few sessions are known to estimate their differences.
    case unboundedSessions(degreesOfFreedom: Int)
    /// The sides ran in different sessions, which are compared by ratios, but a session's median is zero.
    case zeroSession
    /// Enough sessions are known to estimate their differences, but a threshold lies within the resulting
    /// interval.
    case wideSessions(moreSessions: Int?)

    /// A sentence without its full stop, in lower case.
    public var description: String {
        switch self {
        case .fewRuns(let baseline, let current):
            return "\(Prose.counted(baseline, "run")) against \(Prose.grouped(current)): "
                + "a verdict needs at least \(MetricEvidence.leastRuns) a side"
        case .weakestProof(let smallestP, let errorRate, let runsNeeded):
            return "\(cause): even if all of one side were slower, "
                + "that could be chance (p = \(Self.text(smallestP)), above \(Self.text(errorRate))); "
                + "at least \(Prose.grouped(runsNeeded)) runs a side are needed"
        case .wideInterval(let moreRuns):
            return "\(cause); " + Self.more(moreRuns, "run")
        case .ranks(let p, let errorRate, let moreRuns):
            return "\(cause) (rank test: p = \(Self.text(p)), above \(Self.text(errorRate))); "
                + Self.more(moreRuns, "run")
        case .unboundedSessions:
            return
                "the two sides are from different sessions, whose differences are unknown: use --interleave, "
                + "or give a history of at least \(SessionMedians.leastDegreesOfFreedom + 1) sessions"
        case .zeroSession:
            return
                "the two sides are from different sessions, and one run took no time, so no ratio exists: "
                + "use --interleave"
        case .wideSessions(let moreSessions):
            return "\(cause); " + Self.more(moreSessions, "session") + ", or use --interleave"
        }
    }

    /// The same in a few words, without what would decide: a part of a sentence.
    var cause: String {
        switch self {
        case .fewRuns, .weakestProof: "there are too few runs"
        case .wideInterval: "the interval contains the threshold"
        case .ranks: "the difference could be chance"
        case .unboundedSessions: "the differences between sessions are unknown"
        case .zeroSession: "a run took no time"
        case .wideSessions: "sessions of one program differ as much"
        }
    }

    private static func more(_ count: Int?, _ noun: String) -> String {
        guard let count else {
            return "the change is too close to the threshold for any practical number of \(noun)s to decide"
        }
        return "about \(Prose.counted(count, "more \(noun)")) a side are needed"
    }

    /// Two significant digits, without trailing zeros: `0.05`, `0.0043`, `0.000012`.
    private static func text(_ p: Double) -> String {
        guard p > 0, p < 1 else { return p > 0 ? "1" : "0" }
        let decimals = min(max(2, 1 - Int(log10(p).rounded(.down))), 12)
        let text = String(format: "%.\(decimals)f", p)
        return String(text.reversed().drop { $0 == "0" }.reversed())
    }
}
