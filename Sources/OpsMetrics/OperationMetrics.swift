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
/// What nobody saw is not measured: an operation that was cancelled before its start has no execution.
///
/// **How many series.** Kinds and names of queues are the program's. The first 200 kinds and the first 100
/// names of queues have series of their own, all others together those of `(other)`. Queues without a name
/// are `(unnamed)`, and queues of the same name are one.
///
/// **Cost.** Three readings of a clock an operation, and what the metrics take, on the threads that add,
/// start and finish operations.
public final class OperationMetrics: OperationObserver {
    private let kinds: MetricSeries<KindMetrics>
    private let queues: MetricSeries<QueueMetrics>
    let now: @Sendable () -> UInt64

    /// Measures every operation that is enqueued from now on. Once in a program: a second call counts all
    /// twice.
    ///
    /// - Parameters:
    ///   - factory: nil for that of `MetricsSystem`, asked for when a kind or a queue is first seen.
    ///   - maximumKinds: how many kinds have series of their own, at least 0.
    ///   - maximumQueues: how many names of queues have series of their own, at least 0.
    /// - Returns: what ends it. Keep it only where it is to end.
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
