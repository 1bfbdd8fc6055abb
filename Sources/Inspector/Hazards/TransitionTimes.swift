import InspectorColumns

/// When one transition happened, for every operation: a view of its column.
///
/// Times are bounded, so that differences never overflow. They are not sorted, because contradictions are
/// findings.
struct TransitionTimes {
    /// Two times that are at most this far apart do not prove which transition came first. In nanoseconds:
    /// 10 µs.
    ///
    /// They are read on different threads, before or after the state changes, and from a counter of each
    /// processor. In logs of 100,000 operations, a few were up to 3 µs off.
    static let clockTolerance: Int64 = 10_000
    private static let missing = Int64.max

    private let moments: MomentColumn

    init(_ moments: MomentColumn) { self.moments = moments }

    func isKnown(_ operation: Int) -> Bool { moments.has(operation) }

    /// It had not happened before this. Later than all other times if it never happened.
    func notBefore(_ operation: Int) -> Int64 {
        guard let moment = moments[operation] else { return Self.missing }
        return TraceMoment.bounded(min(moment.notBefore, moment.notAfter))
    }

    /// It had happened by then. Later than all other times if it never happened.
    func notAfter(_ operation: Int) -> Int64 {
        let time = moments.notAfter(operation)
        return time == MomentColumn.absent ? Self.missing : TraceMoment.bounded(time)
    }

    /// Nil if it never happened.
    subscript(operation: Int) -> Int64? { isKnown(operation) ? notAfter(operation) : nil }

    /// Whether it had certainly happened by `time`.
    func happened(_ operation: Int, by time: Int64) -> Bool {
        isKnown(operation) && notAfter(operation) <= time
    }

    /// Whether the log proves that it happened to `operation` before `other` happened to `later`, or that
    /// `other` never did.
    func happened(_ operation: Int, certainlyBefore other: TransitionTimes, of later: Int) -> Bool {
        isKnown(operation) && notAfter(operation) + Self.clockTolerance < other.notBefore(later)
    }
}
