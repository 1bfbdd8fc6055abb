import InspectorColumns

/// How many things were in progress at each moment, computed from their beginnings and ends.
struct Stretches {
    private var changes: [(time: Int64, change: Int)] = []

    mutating func add(from start: Int64, to end: Int64) {
        guard start < end else { return }
        changes.append((start, 1))
        changes.append((end, -1))
    }

    /// The intervals between the first and the last change, and the number in progress in each. Linear.
    func counted() -> [(range: Range<Int64>, count: Int)] {
        var result: [(range: Range<Int64>, count: Int)] = []
        var count = 0
        var since: Int64?
        for (time, change) in changes.sortedByDigits(\.time) {
            if let start = since, start < time {
                if let last = result.last, last.count == count {
                    result[result.count - 1].range = last.range.lowerBound..<time
                } else {
                    result.append((start..<time, count))
                }
            }
            count += change
            since = time
        }
        return result
    }
}
