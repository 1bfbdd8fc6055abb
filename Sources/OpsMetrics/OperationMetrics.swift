public import Metrics
public import Ops

/// Counts and measures operations with swift-metrics: how many finished and how, how many execute and wait,
/// how long they waited and executed.
///
///     MetricsSystem.bootstrap(factory)
///     OperationMetrics.start()
///
/// | label | sort | dimensions | |
/// |---|---|---|---|
/// | `opviz.operations.finished` | counter | `kind`, `outcome` | `succeeded`, `failed` or `cancelled` |
/// | `opviz.operations.executing` | meter | `queue` | how many execute |
/// | `opviz.operations.waiting` | meter | `queue` | how many are enqueued, and have not started |
/// | `opviz.operation.dependency_wait` | timer | `kind` | enqueued to ready, where it waited for others |
/// | `opviz.operation.queue_wait` | timer | `kind` | ready to executing: slot, thread, or suspended queue |
/// | `opviz.operation.execution` | timer | `kind` | executing to finished |
/// | `opviz.operation.lifetime` | timer | `kind` | enqueued to finished |
///
/// Transitions that nobody saw are not measured. For example, an operation that was cancelled before its
/// start has no execution.
///
/// **How many series.** The program chooses its kinds and names of queues. The first 200 kinds and the first
/// 100 names of queues have their own series; all others share those of `(other)`. Queues without a name are
/// `(unnamed)`. Queues with the same name share their series.
///
/// **Cost.** Each operation costs three readings of a clock, plus the metrics' own cost, on the threads that
/// add, start and finish operations.
public final class OperationMetrics: OperationObserver {
    private let kinds: MetricSeries<KindMetrics>
    private let queues: MetricSeries<QueueMetrics>
    let now: @Sendable () -> UInt64

    /// Measures every operation that is enqueued from now on. Call it once: a second call counts everything
    /// twice.
    ///
    /// - Parameters:
    ///   - factory: nil for that of `MetricsSystem`, which is read when a kind or a queue is first seen.
    ///   - maximumKinds: how many kinds have their own series, at least 0.
    ///   - maximumQueues: how many names of queues have their own series, at least 0.
    /// - Returns: a registration that ends the measurement. You can ignore it.
    @discardableResult
    public static func start(
        factory: (any MetricsFactory)? = nil, maximumKinds: Int = 200, maximumQueues: Int = 100
    ) -> ObserverRegistration {
        let metrics = OperationMetrics(
            factory: factory, maximumKinds: maximumKinds, maximumQueues: maximumQueues,
            now: RecorderClock.system.monotonic)
        return OperationObservers.install(metrics)
    }

    /// - Parameter now: nanoseconds of a clock that never goes back.
    init(
        factory: (any MetricsFactory)?, maximumKinds: Int = 200, maximumQueues: Int = 100,
        now: @escaping @Sendable () -> UInt64
    ) {
        kinds = MetricSeries(maximum: maximumKinds) { KindMetrics($0, factory ?? MetricsSystem.factory) }
        queues = MetricSeries(maximum: maximumQueues) { QueueMetrics($0, factory ?? MetricsSystem.factory) }
        self.now = now
    }

    public func enqueued(
        _ operation: WatchedOperation, parent: WatchedOperation?, predecessors: [WatchedOperation]
    ) -> OperationMeasurement? {
        guard let details = operation.details else { return nil }
        return OperationMeasurement(
            kind: kinds.series(of: details.kind), queue: queues.series(of: details.queueName ?? "(unnamed)"),
            hasPredecessors: !predecessors.isEmpty, now: now)
    }
}
