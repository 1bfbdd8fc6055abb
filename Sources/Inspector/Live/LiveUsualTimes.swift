/// How long the last finished operations of each kind executed. Distinguishes an operation that is stuck from
/// one that takes its usual time.
struct LiveUsualTimes {
    /// How many operations of a kind are remembered.
    static let remembered = 64
    /// A program with more kinds than this probably has thousands, for example because of generic types.
    /// Further kinds are not remembered, to limit memory.
    private static let mostKinds = 4_096

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

    /// Nil if too few operations of the kind have finished.
    subscript(kind: UInt32) -> OpenExecution.Usual? {
        guard let times = latest[kind]?.times, times.count >= OpenExecution.Usual.fewest,
            let longest = times.max()
        else { return nil }
        return OpenExecution.Usual(longest: longest, count: times.count)
    }
}
