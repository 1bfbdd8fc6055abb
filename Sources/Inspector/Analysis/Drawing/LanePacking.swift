internal import HeapModule

/// Assigns intervals to lanes: each to the lowest lane that is free at its start.
///
/// The number of lanes is the largest number of overlapping intervals. Cost: O(log lanes) for each.
package struct LanePacking {
    private struct Busy: Comparable {
        let end: Int64
        let lane: Int32

        static func < (lhs: Busy, rhs: Busy) -> Bool { (lhs.end, lhs.lane) < (rhs.end, rhs.lane) }
    }

    private var busy = Heap<Busy>()

    package init() {}
    private var free = Heap<Int32>()
    package private(set) var count: Int32 = 0

    /// The lane of the next interval. Starts must be ascending.
    package mutating func lane(from start: Int64, to end: Int64) -> Int32 {
        while let first = busy.min, first.end <= start {
            free.insert(first.lane)
            busy.removeMin()
        }
        let lane = free.popMin() ?? count
        if lane == count { count += 1 }
        busy.insert(Busy(end: end, lane: lane))
        return lane
    }
}
