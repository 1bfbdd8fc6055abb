import InspectorColumns

/// When certain operations had every slot of a queue, such as those of lower priority than a given one.
struct HeldSlots {
    /// `Operation.QueuePriority` ranges from -8 to 8; other values are clamped.
    static func level(_ operation: Int, _ context: HazardContext) -> Int {
        min(max(context.priority(operation), -8), 8)
    }

    private struct Change {
        let time: Int64
        var held = 0
        var others = 0
        var suspensions = 0
        var limit: Int?
    }

    private let time: SuspendedTime

    /// Only the time that the log proves: the queue was not suspended, those operations certainly executed in
    /// all its slots, and no other operation of the queue can have executed.
    ///
    /// Cost: O(n log n) in the members of the queue.
    init(of queue: Int, _ context: HazardContext, by isHolder: (Int) -> Bool) {
        var (held, others, suspensions, limit) = (0, 0, 0, 0)
        var stretches: [Range<Int64>] = []
        var since: Int64?
        for change in Self.changes(in: queue, context, isHolder).sortedByDigits(\.time) {
            if let since, since < change.time, limit > 0, held >= limit, others == 0, suspensions == 0 {
                stretches.append(since..<change.time)
            }
            since = change.time
            held += change.held
            others += change.others
            suspensions += change.suspensions
            limit = change.limit ?? limit
        }
        time = SuspendedTime(stretches)
    }

    /// How much of this interval it was. The interval may be empty or reversed.
    func time(from start: Int64, to end: Int64) -> Int64 {
        start < end ? time.upTo(end) - time.upTo(start) : 0
    }

    private static func changes(
        in queue: Int, _ context: HazardContext, _ isHolder: (Int) -> Bool
    ) -> [Change] {
        let (executing, finished) = (context.executing, context.finished)
        let traced = context.trace.queues[queue]
        var changes = traced.limits.map { Change(time: TraceMoment.bounded($0.time), limit: $0.limit) }
        for suspension in DisjointRanges(traced.suspensions).ranges {
            changes.append(Change(time: suspension.lowerBound, suspensions: 1))
            changes.append(Change(time: suspension.upperBound, suspensions: -1))
        }
        for member in context.members[queue] where executing.isKnown(member) {
            let last = context.lastMoment(member)
            if isHolder(member) {
                let start = executing.notAfter(member)
                let end = finished.isKnown(member) ? finished.notBefore(member) : last
                guard start < end else { continue }
                changes.append(Change(time: start, held: 1))
                changes.append(Change(time: end, held: -1))
            } else {
                let start = executing.notBefore(member)
                guard start < last else { continue }
                changes.append(Change(time: start, others: 1))
                changes.append(Change(time: last, others: -1))
            }
        }
        return changes
    }
}
