import Synchronization

/// Which transitions of an operation are in the log, so that each is logged once.
struct TransitionFlags: ~Copyable, Sendable {
    struct Set: OptionSet {
        let rawValue: UInt64
        static let ready = Set(rawValue: 1)
        static let executing = Set(rawValue: 2)
        static let cancelled = Set(rawValue: 4)
        static let finished = Set(rawValue: 8)
        /// Foundation asks for `isReady` before it adds the edges of a waiting barrier, which is too early.
        static let isReadinessPending = Set(rawValue: 16)
        /// The finish is also in the log.
        static let isFinishLogged = Set(rawValue: 32)
        /// For observers: nothing else is reported before this.
        static let enqueued = Set(rawValue: 64)
        /// For observers: there is another body, and the work ends when both have ended.
        static let hasAnotherBody = Set(rawValue: 128)
        /// For observers: they were notified that it is ready.
        static let isReadyReported = Set(rawValue: 256)
        /// For observers: a thread enqueues it, and no other thread may.
        static let hasEnqueue = Set(rawValue: 512)
        /// For observers: the details of its enqueue are known.
        static let hasDetails = Set(rawValue: 1_024)
        /// Threads are giving it an edge, and it may not have the edge yet.
        static let getsEdges = Set(rawValue: TransitionFlags.generation - TransitionFlags.getsEdge)

        /// While one of these is set, an answer to `isReady` means nothing.
        static let isReadinessUnknown: Set = [.isReadinessPending, .getsEdges]
    }

    // As in the C core (`FLAG_GETS_EDGE`): 16 bits count the threads that are giving it an edge, 32 the
    // edges that it got.
    private static let getsEdge: UInt64 = 1 << 16
    private static let generation: UInt64 = 1 << 32

    /// The flags before an operation was asked whether it is ready. The thread that has the answer may have
    /// stood still since, while others gave the operation new edges. The answer is then invalid.
    struct Question: Sendable {
        let bits: UInt64

        /// For an operation that was not recorded at that time. The answer never counts, because new edges
        /// were not counted.
        static let unrecorded = Question(bits: .max)
    }

    private let bits: Atomic<UInt64>

    init(_ flags: Set = []) { bits = Atomic(flags.rawValue) }

    func contains(any set: Set) -> Bool {
        bits.load(ordering: .acquiring) & set.rawValue != 0
    }

    /// Sets `what`. True for the first caller, unless one of `others` is set.
    func insert(_ what: Set, unless others: Set = []) -> Bool {
        guard !contains(any: others.union(what)) else { return false }
        return bits.bitwiseOr(what.rawValue, ordering: .acquiringAndReleasing).oldValue & what.rawValue == 0
    }

    /// Whether it was set.
    @discardableResult
    func remove(_ what: Set) -> Bool {
        bits.bitwiseAnd(~what.rawValue, ordering: .acquiringAndReleasing).oldValue & what.rawValue != 0
    }

    // MARK: Readiness

    /// Take this before asking the operation whether it is ready.
    var question: Question { Question(bits: bits.load(ordering: .acquiring)) }

    /// Sets `ready`: it answered that it is ready. True for the first caller, if the answer is still valid.
    func insertReady(_ question: Question, unless others: Set = []) -> Bool {
        let excluding = others.union([.ready, .finished]).rawValue
        var flags = bits.load(ordering: .acquiring)
        while flags & excluding == 0, (flags | question.bits) & Set.isReadinessUnknown.rawValue == 0,
            flags ^ question.bits < Self.generation
        {
            let (exchanged, original) = bits.weakCompareExchange(
                expected: flags, desired: flags | Set.ready.rawValue, ordering: .acquiringAndReleasing)
            if exchanged { return true }
            flags = original
        }
        return false
    }

    /// The operation is about to get an edge. It waits again; only the next time it is ready counts.
    func beginEdge() {
        var flags = bits.load(ordering: .relaxed)
        while true {
            var next = flags &+ Self.getsEdge &+ Self.generation
            if flags & Set.executing.rawValue == 0 {
                next &= ~(Set.ready.rawValue | Set.isReadyReported.rawValue)
            }
            let (exchanged, original) = bits.weakCompareExchange(
                expected: flags, desired: next, ordering: .acquiringAndReleasing)
            if exchanged { return }
            flags = original
        }
    }

    /// It has the edge. Ask it again whether it is ready.
    func endEdge() { bits.wrappingSubtract(Self.getsEdge, ordering: .acquiringAndReleasing) }
}
