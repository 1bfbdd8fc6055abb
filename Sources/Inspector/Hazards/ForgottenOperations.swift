import InspectorColumns

/// Finds operations that were ready and had a slot, but were started only when something else happened to
/// their queue.
struct ForgottenOperations {
    /// An event in a queue makes it look for operations to start. A thread is found within this time, in
    /// nanoseconds. 10 ms.
    private static let promptness: Int64 = 10_000_000

    /// The context that owns this.
    private unowned let context: HazardContext
    /// For each queue that was examined: when operations were added to it, it was resumed or its limit was
    /// changed, in order.
    private var changes: [Int: [Int64]] = [:]
    /// When operations of all queues finished, in order: each finish may have freed a thread.
    private lazy var finishes = Self.finishes(context)

    init(_ context: HazardContext) { self.context = context }

    /// When the queue was changed, if that change caused the start of the operation; nil if there may be
    /// another reason.
    mutating func wakening(of operation: Int) -> Int64? {
        guard let ready = context.ready[operation], let start = context.executing[operation] else {
            return nil
        }
        let changes = changes(of: context.queue[operation])
        // The first change may have made Foundation ask again, and the second one start it.
        let after = changes.partitioningIndex { $0 > ready }
        let last = changes.partitioningIndex { $0 > start } - 1
        guard last >= after, last - after < 2, start - changes[last] <= Self.promptness else { return nil }
        let time = changes[last]
        // Only if no finish just before it freed a thread.
        let finish = finishes.partitioningIndex { $0 > start } - 1
        guard finish < 0 || finishes[finish] < time - Self.promptness else { return nil }
        return time
    }

    private mutating func changes(of queue: Int) -> [Int64] {
        guard queue >= 0 else { return [] }
        if let known = changes[queue] { return known }
        let traced = context.trace.queues[queue]
        var times = traced.limits.map { TraceMoment.bounded($0.time) }
        times += traced.suspensions.map { TraceMoment.bounded($0.upperBound) }
        for member in context.members[queue] {
            if let time = context.enqueued[member] { times.append(time) }
        }
        let sorted = times.sortedByDigits { $0 }
        changes[queue] = sorted
        return sorted
    }

    private static func finishes(_ context: HazardContext) -> [Int64] {
        (0..<context.count).compactMap { context.finished[$0] }.sortedByDigits { $0 }
    }
}
