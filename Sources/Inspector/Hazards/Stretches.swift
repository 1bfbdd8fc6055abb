import InspectorColumns

/// How many things were going on at each moment: what begins and what ends, in the order of time.
struct Stretches {
    private var changes: [(time: Int64, change: Int)] = []

    mutating func add(from start: Int64, to end: Int64) {
        guard start < end else { return }
        changes.append((start, 1))
        changes.append((end, -1))
    }

    /// The stretches of time between the first and the last change, and how many were going on in each.
    /// Linear.
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
