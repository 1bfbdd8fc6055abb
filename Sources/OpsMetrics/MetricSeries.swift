import Metrics
import Ops

/// The metrics of each kind, or of each queue. Their number is limited, to protect the metrics system.
final class MetricSeries<Series: Sendable>: Sendable {
    private struct State {
        var known: [String: Series] = [:]
        /// Created for the first name beyond the limit.
        var others: Series?
    }

    private let maximum: Int
    private let make: @Sendable (String) -> Series
    private let state = Locked(State())

    /// - Parameter make: called while a lock is held.
    init(maximum: Int, make: @escaping @Sendable (String) -> Series) {
        self.maximum = maximum
        self.make = make
    }

    /// The series of `name`, if there are few enough; otherwise the series for all others.
    func series(of name: String) -> Series {
        state.withLock { state in
            if let known = state.known[name] { return known }
            guard state.known.count < maximum else {
                let others = state.others ?? make("(other)")
                state.others = others
                return others
            }
            let series = make(name)
            state.known[name] = series
            return series
        }
    }
}

/// The metrics of all operations of a kind.
struct KindMetrics: Sendable {
    let succeeded: Counter
    let failed: Counter
    let cancelled: Counter
    let dependencyWait: Timer
    let queueWait: Timer
    let execution: Timer
    let lifetime: Timer

    init(_ kind: String, _ factory: any MetricsFactory) {
        func counter(_ outcome: String) -> Counter {
            Counter(
                label: "opviz.operations.finished", dimensions: [("kind", kind), ("outcome", outcome)],
                factory: factory)
        }
        func timer(_ name: String) -> Timer {
            Timer(label: "opviz.operation.\(name)", dimensions: [("kind", kind)], factory: factory)
        }
        succeeded = counter("succeeded")
        failed = counter("failed")
        cancelled = counter("cancelled")
        dependencyWait = timer("dependency_wait")
        queueWait = timer("queue_wait")
        execution = timer("execution")
        lifetime = timer("lifetime")
    }
}

/// The metrics of all queues of a name.
struct QueueMetrics: Sendable {
    let executing: Meter
    let waiting: Meter

    init(_ queue: String, _ factory: any MetricsFactory) {
        func meter(_ name: String) -> Meter {
            Meter(label: "opviz.operations.\(name)", dimensions: [("queue", queue)], factory: factory)
        }
        executing = meter("executing")
        waiting = meter("waiting")
    }
}
