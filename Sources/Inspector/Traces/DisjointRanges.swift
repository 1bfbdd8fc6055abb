/// Intervals of a trace, sorted, with those that overlap or touch joined.
package struct DisjointRanges: Sendable {
    package private(set) var ranges: [Range<Int64>] = []

    package init(_ unsorted: [Range<Int64>]) {
        let sorted = unsorted.map { TraceMoment.bounded($0.lowerBound)..<TraceMoment.bounded($0.upperBound) }
            .filter { !$0.isEmpty }
            .sorted { $0.lowerBound < $1.lowerBound }
        for range in sorted {
            if let last = ranges.last, range.lowerBound <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
    }
}
