import InspectorColumns

/// The limits of each queue while it had operations. A program often sets the limit after it creates the
/// queue: what a queue had before its first operation says nothing about the run.
package struct QueueLimits: Sendable {
    /// By queue and time: the limit at the first enqueue, and later ones.
    private let limits: [[Int]]

    package init(_ analysis: TraceAnalysis) { self.init(analysis.timings) }

    /// Linear in operations, n log n in limits.
    package init(_ timings: TraceTimings) {
        let trace = timings.trace
        var first = [Int64](repeating: .max, count: trace.queues.count)
        let queues = trace.operations.store.columns.queues
        let transitions = timings.transitions
        for index in transitions.indices {
            let queue = Int(queues[index])
            guard first.indices.contains(queue), let enqueued = transitions.enqueued(of: index) else {
                continue
            }
            first[queue] = min(first[queue], enqueued)
        }
        limits = zip(trace.queues, first).map { queue, first in
            let sorted = queue.limits.sorted { $0.time < $1.time }
            let before = sorted.prefix { TraceMoment.bounded($0.time) <= first }
            return (before.suffix(1) + sorted[before.count...]).map(\.limit)
        }
    }

    /// Empty if the log does not say; negative where there was no limit.
    package subscript(queue: Int) -> [Int] { limits[queue] }

    /// The limit, if there was one and it never changed.
    package func fixed(_ queue: Int) -> Int? {
        guard let limit = limits[queue].first, limit >= 0, limits[queue].allSatisfy({ $0 == limit }) else {
            return nil
        }
        return limit
    }

    /// `2 slots`, `4 → 2 slots` if the limit changed, `unlimited`; empty if it is not known.
    package func text(_ queue: Int) -> String {
        guard let first = limits[queue].first, let last = limits[queue].last else { return "" }
        if limits[queue].allSatisfy({ $0 == first }) {
            return first < 0 ? "unlimited" : Prose.counted(first, "slot")
        }
        let before = first < 0 ? "unlimited" : Prose.grouped(first)
        return before + " → " + (last < 0 ? "unlimited slots" : Prose.counted(last, "slot"))
    }
}
