import InspectorColumns

/// When one transition happened, of every operation: a look at its column.
///
/// Times are bounded, so that differences never overflow; they are not put in order: what contradicts itself
/// is a finding.
struct TransitionTimes {
    private static let missing = Int64.max

    private let moments: MomentColumn

    init(_ moments: MomentColumn) { self.moments = moments }

    func isKnown(_ operation: Int) -> Bool { moments.has(operation) }

    /// It had not happened before this. A time after all others where it never did.
    func notBefore(_ operation: Int) -> Int64 {
        guard let moment = moments[operation] else { return Self.missing }
        return TraceMoment.bounded(min(moment.notBefore, moment.notAfter))
    }

    /// It had happened by then. A time after all others where it never did.
    func notAfter(_ operation: Int) -> Int64 {
        let time = moments.notAfter(operation)
        return time == MomentColumn.absent ? Self.missing : TraceMoment.bounded(time)
    }

    /// Nil where it never happened.
    subscript(operation: Int) -> Int64? { isKnown(operation) ? notAfter(operation) : nil }

    /// It had happened by `time` for certain.
    func happened(_ operation: Int, by time: Int64) -> Bool {
        isKnown(operation) && notAfter(operation) <= time
    }
}
