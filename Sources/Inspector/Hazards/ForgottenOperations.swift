import InspectorColumns

/// Finds operations that were ready and had a slot, but were started only when something else happened to
/// their queue.
struct ForgottenOperations {
    /// An event in a queue makes it look for operations to start. A thread is found within this time, in
    /// nanoseconds. 10 ms.
    private static let promptness: Int64 = 10_000_000
    /// A busy machine may run no thread of a process for this time, in nanoseconds. 500 ms; 122 ms were seen.
    private static let longestStall: Int64 = 500_000_000

    /// The context that owns this.
    private unowned let context: HazardContext
    /// For each queue that was examined: when operations were added to it, it was resumed or its limit was
    /// changed, in order.
    private var changes: [Int: [Int64]] = [:]
    /// When the operations of each process finished, in order: each finish may have freed a thread.
    private lazy var finishes = Self.finishes(context)

    /// A change of its queue that started an operation.
    struct Wakening {
        let time: Int64
        /// Whether the operation had been forgotten. Otherwise the machine may have been so busy that neither
        /// the change nor the start came earlier.
        let isProven: Bool
    }

    init(_ context: HazardContext) { self.context = context }

    /// The change of its queue that caused the start of the operation; nil if there may be another reason.
    ///
    /// - Parameter waited: how long it had a slot before it started, in nanoseconds.
    mutating func wakening(of operation: Int, after waited: Int64) -> Wakening? {
        guard let ready = context.ready[operation], let start = context.executing[operation],
            isForgettable(operation)
        else { return nil }
        let changes = changes(of: context.queue[operation])
        // The first change may have made Foundation ask again, and the second one start it.
        let after = changes.partitioningIndex { $0 > ready }
        let last = changes.partitioningIndex { $0 > start } - 1
        guard last >= after, last - after < 2, start - changes[last] <= Self.promptness else { return nil }
        let time = changes[last]
        // Only if no finish just before it freed a thread.
        let finishes = finishes[context.process(operation)] ?? []
        let finish = finishes.partitioningIndex { $0 > start } - 1
        guard finish >= 0 else { return Wakening(time: time, isProven: waited >= Self.longestStall) }
        guard finishes[finish] < time - Self.promptness else { return nil }
        // A thread became free while it had the slot, and did not take it.
        let isPassedOver = finishes[finish] >= start - waited + Self.promptness
        return Wakening(time: time, isProven: isPassedOver || waited >= Self.longestStall)
    }

    /// Whether its queue can have missed that it was ready. Of Foundation's classes, only an operation whose
    /// dependency finishes during or after its addition is notified of that.
    private func isForgettable(_ operation: Int) -> Bool {
        !context.isFoundationsClass(operation) || context.isBarrier(operation)
            || context.predecessors[operation].contains {
                !context.finished.happened($0, certainlyBefore: context.enqueued, of: operation)
            }
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

    private static func finishes(_ context: HazardContext) -> [Int: [Int64]] {
        var finishes: [Int: [Int64]] = [:]
        for operation in 0..<context.count {
            guard let time = context.finished[operation] else { continue }
            finishes[context.process(operation), default: []].append(time)
        }
        return finishes.mapValues { $0.sortedByDigits { $0 } }
    }
}
