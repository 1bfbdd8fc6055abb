/// How long the operations of each kind executed that finished last: what tells an operation that is stuck
/// from one that takes its usual time.
struct LiveUsualTimes {
    /// How many of a kind are remembered.
    static let remembered = 64
    /// Fewer than this many say nothing about the next one.
    static let fewest = 5
    /// A program with more kinds than this has them in the thousands for a reason, such as generic types: the
    /// later ones are not remembered, so that memory is bounded.
    private static let mostKinds = 4_096

    /// What is usual for a kind.
    struct Usual {
        /// Nanoseconds.
        let longest: Int64
        /// The number of operations that this is about.
        let count: Int
    }

    private struct Latest {
        var times: [Int64] = []
        var oldest = 0

        mutating func add(_ time: Int64) {
            if times.count < LiveUsualTimes.remembered { return times.append(time) }
            times[oldest] = time
            oldest = (oldest + 1) % times.count
        }
    }

    private var latest: [UInt32: Latest] = [:]

    mutating func add(_ time: Int64, kind: UInt32) {
        if latest[kind] == nil, latest.count >= Self.mostKinds { return }
        latest[kind, default: Latest()].add(time)
    }

    /// Nil where too few operations of the kind have finished.
    subscript(kind: UInt32) -> Usual? {
        guard let times = latest[kind]?.times, times.count >= Self.fewest, let longest = times.max() else {
            return nil
        }
        return Usual(longest: longest, count: times.count)
    }
}
