import InspectorColumns

/// Proves that an operation cannot have been started yet at some time: its queue was suspended, a dependency
/// had not finished, or others had every slot.
///
/// A missing start proves nothing: if a queue properly starts a cancelled operation, Foundation's `start()`
/// finishes it without a logged start.
struct Occupancy {
    /// The context that owns this.
    private unowned let context: HazardContext
    /// For each queue with a limit, the starts and the finishes of operations that were seen to execute, in
    /// order.
    private let starts: [[Int64]]
    private let finishes: [[Int64]]
    /// The largest limit that each queue ever had, because operations may still execute under an earlier
    /// limit; nil for no limit.
    private let limits: [Int?]
    private let suspended: [SuspendedTime]

    /// Cost: linear in operations, O(k log k) in suspensions.
    init(_ context: HazardContext) {
        self.context = context
        var starts: [[Int64]] = []
        var finishes: [[Int64]] = []
        var limits: [Int?] = []
        for (index, queue) in context.trace.queues.enumerated() {
            let isLimited = !queue.limits.isEmpty && queue.limits.allSatisfy { $0.limit > 0 }
            limits.append(isLimited ? queue.limits.map(\.limit).max() : nil)
            let executed =
                !isLimited
                ? []
                : context.members[index].filter {
                    context.executing.isKnown($0)
                        && context.executing.notAfter($0) <= context.finished.notBefore($0)
                }
            // From the latest possible start to the earliest possible end.
            starts.append(executed.map { context.executing.notAfter($0) }.sortedByDigits { $0 })
            finishes.append(executed.map { context.finished.notBefore($0) }.sortedByDigits { $0 })
        }
        self.starts = starts
        self.finishes = finishes
        self.limits = limits
        suspended = context.trace.queues.map { SuspendedTime($0.suspensions) }
    }

    /// Why the queue cannot have started the operation before this time, to follow the operation's name. The
    /// operation must not execute at that time.
    func reasonNotStarted(_ operation: Int, before time: Int64) -> String? {
        let queue = context.queue[operation]
        guard queue >= 0 else { return nil }
        let enqueued = context.enqueued.notBefore(operation)
        // No tolerance: a program usually resumes the queue on the thread of what it did before, and the
        // queue then takes longer to start an operation on another.
        if suspended[queue].contains(from: enqueued, to: time) {
            return "was in \(context.queueName(queue)), which was suspended"
        }
        // Another thread may have freed a slot just before `time`, and started the operation at once.
        let (earliest, latest) = (
            time - TransitionTimes.clockTolerance, time + TransitionTimes.clockTolerance
        )
        // A cancelled operation does not wait any more.
        if context.cancelled.notBefore(operation) >= time,
            let waiting = context.predecessors[operation].first(where: {
                context.enqueued.isKnown($0) && context.finished.notBefore($0) > latest
            })
        {
            return "waited for \(context.name(waiting)), which had not finished"
        }
        guard let limit = limits[queue] else { return nil }
        let begun = starts[queue].partitioningIndex { $0 >= earliest }
        let ended = finishes[queue].partitioningIndex { $0 > latest }
        guard begun - ended >= limit else { return nil }
        return limit == 1
            ? "was in \(context.queueName(queue)), whose only slot was taken"
            : "was in \(context.queueName(queue)), whose \(Prose.grouped(limit)) slots were all taken"
    }
}
