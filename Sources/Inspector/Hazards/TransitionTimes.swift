/// When one transition happened, of every operation: two numbers each, in arrays.
///
/// Times are bounded, so that differences never overflow; they are not put in order: what contradicts itself is a finding.
struct TransitionTimes {
    private static let missing = Int64.max

    private var before: [Int64] = []
    private var after: [Int64] = []

    mutating func reserveCapacity(_ count: Int) {
        before.reserveCapacity(count)
        after.reserveCapacity(count)
    }

    mutating func append(_ moment: TraceMoment?) {
        before.append(moment.map { Lifeline.bounded(min($0.notBefore, $0.notAfter)) } ?? Self.missing)
        after.append(moment.map { Lifeline.bounded($0.notAfter) } ?? Self.missing)
    }

    func isKnown(_ operation: Int) -> Bool { after[operation] != Self.missing }

    /// It had not happened before this. A time after all others where it never did.
    func notBefore(_ operation: Int) -> Int64 { before[operation] }

    /// It had happened by then. A time after all others where it never did.
    func notAfter(_ operation: Int) -> Int64 { after[operation] }

    /// Nil where it never happened.
    subscript(operation: Int) -> Int64? { isKnown(operation) ? after[operation] : nil }

    /// It had happened by `time` for certain.
    func happened(_ operation: Int, by time: Int64) -> Bool { isKnown(operation) && after[operation] <= time }
}
