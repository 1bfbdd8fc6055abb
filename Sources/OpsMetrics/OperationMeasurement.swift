import Metrics
public import Ops

/// The measurements of an operation.
public final class OperationMeasurement: OperationAccount {
    private struct Times {
        var ready: UInt64?
        var executing: UInt64?
        var isFinished = false
        /// Whether it waited for others, including predecessors that were added after the enqueue.
        var hasPredecessors: Bool
    }

    private let kind: KindMetrics
    private let queue: QueueMetrics
    private let now: @Sendable () -> UInt64
    private let enqueued: UInt64
    private let times: Locked<Times>

    init(
        kind: KindMetrics, queue: QueueMetrics, hasPredecessors: Bool, now: @escaping @Sendable () -> UInt64
    ) {
        self.kind = kind
        self.queue = queue
        times = Locked(Times(hasPredecessors: hasPredecessors))
        self.now = now
        enqueued = now()
        queue.waiting.increment()
    }

    public func dependencyAdded(on predecessor: WatchedOperation) {
        times.withLock { $0.hasPredecessors = true }
    }

    public func ready() {
        let time = now()
        times.withLock { $0.ready = time }
    }

    public func executing() {
        let time = now()
        let (ready, hasPredecessors, isFirst) = times.withLock { times in
            let isFirst = times.executing == nil && !times.isFinished
            if isFirst { times.executing = time }
            return (times.ready, times.hasPredecessors, isFirst)
        }
        guard isFirst else { return }
        queue.waiting.decrement()
        queue.executing.increment()
        guard let ready else { return }
        if hasPredecessors { kind.dependencyWait.recordNanoseconds(Self.nanoseconds(enqueued, ready)) }
        kind.queueWait.recordNanoseconds(Self.nanoseconds(ready, time))
    }

    public func finished(_ outcome: Outcome, error: (any Error)?) {
        let time = now()
        let executing = times.withLock { times in
            times.isFinished = true
            return times.executing
        }
        if let executing {
            queue.executing.decrement()
            kind.execution.recordNanoseconds(Self.nanoseconds(executing, time))
        } else {
            queue.waiting.decrement()
        }
        kind.lifetime.recordNanoseconds(Self.nanoseconds(enqueued, time))
        switch outcome {
        case .succeeded: kind.succeeded.increment()
        case .failed: kind.failed.increment()
        case .cancelled: kind.cancelled.increment()
        }
    }

    /// Zero if negative: two threads may have read the clock in the other order.
    private static func nanoseconds(_ start: UInt64, _ end: UInt64) -> Int64 {
        end > start ? Int64(clamping: end - start) : 0
    }
}
