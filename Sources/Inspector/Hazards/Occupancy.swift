/// What proves that an operation cannot have been started yet at some moment: its queue was suspended,
/// something that it depends on had not finished, or others had every slot.
///
/// An operation that its queue starts properly though it was cancelled has no start in the log: Foundation's
/// `start()` finishes it without one. So that a finish has no start proves nothing; this does.
struct Occupancy {
    /// Whose it is.
    private unowned let context: HazardContext
    /// By queue: the starts and the finishes of its operations that were seen to execute, in order; for those
    /// of a queue with a limit.
    private let starts: [[Int64]]
    private let finishes: [[Int64]]
    /// By queue: the largest limit that it ever had, as operations may still execute under an earlier one;
    /// nil for none.
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
            // From the last moment at which it may have begun, up to the first at which it may have ended.
            starts.append(executed.map { context.executing.notAfter($0) }.sortedByDigits { $0 })
            finishes.append(executed.map { context.finished.notBefore($0) }.sortedByDigits { $0 })
        }
        self.starts = starts
        self.finishes = finishes
        self.limits = limits
        suspended = context.trace.queues.map { SuspendedTime($0.suspensions) }
    }

    /// Whether the queue cannot have started the operation, which does not execute then, before this moment;
    /// and why, with the operation's name to be put before it.
    func reasonNotStarted(_ operation: Int, before time: Int64) -> String? {
        let queue = context.queue[operation]
        guard queue >= 0 else { return nil }
        let enqueued = context.enqueued.notBefore(operation)
        if suspended[queue].contains(from: enqueued, to: time) {
            return "was in \(context.queueName(queue)), which was suspended"
        }
        // A cancelled operation waits for nothing any more.
        if context.cancelled.notBefore(operation) >= time,
            let waiting = context.predecessors[operation].first(where: {
                context.enqueued.isKnown($0) && context.finished.notBefore($0) > time
            })
        {
            return "waited for \(context.name(waiting)), which had not finished"
        }
        guard let limit = limits[queue] else { return nil }
        let begun = starts[queue].partitioningIndex { $0 >= time }
        let ended = finishes[queue].partitioningIndex { $0 > time }
        guard begun - ended >= limit else { return nil }
        return limit == 1
            ? "was in \(context.queueName(queue)), whose only slot was taken"
            : "was in \(context.queueName(queue)), whose \(Prose.grouped(limit)) slots were all taken"
    }
}
