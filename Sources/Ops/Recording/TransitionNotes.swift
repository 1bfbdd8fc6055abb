import Synchronization

/// Which transitions of an operation the log has: each stands there once.
struct TransitionNotes: ~Copyable, Sendable {
    struct Set: OptionSet {
        let rawValue: UInt8
        static let ready = Set(rawValue: 1)
        static let executing = Set(rawValue: 2)
        static let cancelled = Set(rawValue: 4)
        static let finished = Set(rawValue: 8)
        /// Foundation asks for `isReady` before it adds the edges of a barrier that is waiting: too early.
        static let isReadinessPending = Set(rawValue: 16)
        /// What is noted as finished stands in the log.
        static let isFinishLogged = Set(rawValue: 32)
        /// For observers: nothing else is told before this.
        static let enqueued = Set(rawValue: 64)
        /// For observers: there is another body, and it is not over before both are.
        static let hasAnotherBody = Set(rawValue: 128)
    }

    private let bits: Atomic<UInt8>

    init(_ noted: Set = []) { bits = Atomic(noted.rawValue) }

    func contains(any set: Set) -> Bool {
        bits.load(ordering: .acquiring) & set.rawValue != 0
    }

    /// True for the first who notes it, where none of the others is noted.
    func insert(_ what: Set, unless others: Set = []) -> Bool {
        guard !contains(any: others.union(what)) else { return false }
        return bits.bitwiseOr(what.rawValue, ordering: .acquiringAndReleasing).oldValue & what.rawValue == 0
    }

    /// Whether it was noted.
    @discardableResult
    func remove(_ what: Set) -> Bool {
        bits.bitwiseAnd(~what.rawValue, ordering: .acquiringAndReleasing).oldValue & what.rawValue != 0
    }
}
