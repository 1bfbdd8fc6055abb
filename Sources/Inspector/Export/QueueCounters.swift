import InspectorColumns

/// How many operations of each queue executed, and how many waited, over time.
struct QueueCounters {
    private enum Change { case enqueued, started, abandoned, ended }

    private let analysis: TraceAnalysis
    private let operationsOfQueue: Grouping

    /// Linear in operations and queues.
    init(_ analysis: TraceAnalysis) {
        self.analysis = analysis
        let queues = analysis.trace.operations.store.columns.queues
        operationsOfQueue = Grouping(
            queues.values.lazy.map { Int($0) }, groups: analysis.trace.queues.count)
    }

    /// Calls `body` once for each moment at which a number of the queue changed, with the new numbers. O(n
    /// log n) in the queue's operations.
    func visit(_ queue: Int, _ body: (_ time: Int64, _ executing: Int, _ waiting: Int) -> Void) {
        var changes: [(time: Int64, change: Change)] = []
        for operation in operationsOfQueue[queue] {
            let index = Int(operation)
            guard let line = analysis.timings.transitions[index], let waits = analysis.waits[index] else {
                continue
            }
            changes.append((line.enqueued, .enqueued))
            if line.executing == nil {
                changes.append((line.end, .abandoned))
            } else {
                changes.append((line.start, .started))
                changes.append((line.start + waits.execution, .ended))
            }
        }
        changes = changes.sortedByDigits { $0.time }
        var (executing, waiting) = (0, 0)
        for (position, change) in changes.enumerated() {
            switch change.change {
            case .enqueued: waiting += 1
            case .abandoned: waiting -= 1
            case .started: (executing, waiting) = (executing + 1, waiting - 1)
            case .ended: executing -= 1
            }
            // Changes at the same moment are reported as one.
            let isLast = position + 1 == changes.count || changes[position + 1].time != change.time
            if isLast { body(change.time, executing, waiting) }
        }
    }
}
