import InspectorColumns

/// When a slot of a queue became free for each of the operations that started on it.
///
/// Foundation takes a slot when it dispatches an operation, which cannot be seen. But the n-th operation to
/// start needs n slots to have existed: those of the limit, plus one for each finished operation. So its slot
/// became free at the last moment at which finished operations + limit was below n.
///
/// Cost: linear in starts and finishes, O(k log k) in changes of the limit.
struct SlotInference {
    /// Ascending.
    private let finishes: [Int64]
    /// Ascending; at least one.
    private let limits: [(time: Int64, limit: Int)]

    /// `nil` if the trace has no limit for the queue. A negative limit means no limit.
    init?(finishes: [Int64], limits: [(time: Int64, limit: Int)]) {
        if limits.isEmpty { return nil }
        self.limits = limits.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }.map(\.element)
        self.finishes = finishes.sortedByDigits { $0 }
    }

    /// For each start, in ascending order, since when its slot was free. `Int64.min` if it always was. The
    /// start itself if the trace does not show a free slot: the predecessor's end may be logged a little
    /// late, or known only as an interval.
    func slotsFreeSince(starts: [Int64]) -> [Int64] {
        /// Past intervals, later ones with more slots. An earlier interval with as many slots as a later one
        /// never decides anything, and is dropped.
        var stretches: [(slots: Int, end: Int64)] = []
        // How many of them have too few slots for all starts that are left: later starts need more.
        var passed = 0
        var finished = 0
        // The current limit.
        var limit = 0
        var slots = Self.slots(finished, limits[limit].limit)
        var since = Int64.min
        return starts.enumerated().map { index, start in
            while true {
                // An operation that finishes as the limit changes counts as finished before.
                let isLimit =
                    limit + 1 < limits.count
                    && (finished == finishes.count || finishes[finished] > limits[limit + 1].time)
                guard isLimit || finished < finishes.count else { break }
                let time = isLimit ? TraceMoment.bounded(limits[limit + 1].time) : finishes[finished]
                guard time <= start else { break }
                if time > since {
                    while let last = stretches.last, last.slots >= slots { stretches.removeLast() }
                    passed = min(passed, stretches.count)
                    stretches.append((slots, time))
                    since = time
                }
                if isLimit { limit += 1 } else { finished += 1 }
                slots = Self.slots(finished, limits[limit].limit)
            }
            let needed = index + 1
            if slots < needed { return start }
            while passed < stretches.count, stretches[passed].slots < needed { passed += 1 }
            return passed == 0 ? .min : stretches[passed - 1].end
        }
    }

    private static func slots(_ finished: Int, _ limit: Int) -> Int {
        if limit < 0 { return .max }
        let (sum, overflow) = finished.addingReportingOverflow(limit)
        return overflow ? .max : sum
    }
}
