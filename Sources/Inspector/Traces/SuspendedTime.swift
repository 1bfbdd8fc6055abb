/// The time for which a queue was suspended, up to any moment. Each question costs O(log k).
package struct SuspendedTime {
    /// Sorted and disjoint.
    let suspensions: [Range<Int64>]
    /// Time suspended before the suspension of the same index.
    private var before: [Int64] = []

    package init(_ ranges: [Range<Int64>]) {
        suspensions = DisjointRanges(ranges).ranges
        var total: Int64 = 0
        for range in suspensions {
            before.append(total)
            total += range.upperBound - range.lowerBound
        }
    }

    /// Nanoseconds for which the queue was suspended up to this moment.
    package func upTo(_ time: Int64) -> Int64 {
        let next = suspensions.partitioningIndex { $0.lowerBound >= time }
        guard next > 0 else { return 0 }
        let last = suspensions[next - 1]
        return before[next - 1] + min(time, last.upperBound) - last.lowerBound
    }

    /// The suspensions that overlap this interval.
    package func suspensions(from start: Int64, to end: Int64) -> ArraySlice<Range<Int64>> {
        let first = suspensions.partitioningIndex { $0.upperBound > start }
        let last = suspensions.partitioningIndex { $0.lowerBound >= end }
        return suspensions[first..<max(first, last)]
    }

    /// Whether the queue was suspended during this whole interval.
    package func contains(from start: Int64, to end: Int64) -> Bool {
        let next = suspensions.partitioningIndex { $0.lowerBound > start }
        return next > 0 && end <= suspensions[next - 1].upperBound
    }

    /// The beginning of the suspension around this moment. Its two ends do not count.
    package func suspension(around time: Int64) -> Int64? {
        let next = suspensions.partitioningIndex { $0.lowerBound >= time }
        guard next > 0, time < suspensions[next - 1].upperBound else { return nil }
        return suspensions[next - 1].lowerBound
    }
}
