import Benchmark
import Foundation
@_spi(Measuring) import Ops

/// What is compared from one version to the next: `swift package benchmark`, its baselines and its
/// thresholds. Absolute times of one way each; what recording adds is measured in pairs by `recording-cost`.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput], scalingFactor: .kilo, maxDuration: .seconds(2))
    appending()
    operations()
    snapshots()
    logs()
}

/// The cost of one event, beside the minimum cost of recording a time.
private func appending() {
    Benchmark("clock_gettime") { benchmark in
        var time = timespec()
        for _ in benchmark.scaledIterations { blackHole(clock_gettime(CLOCK_MONOTONIC, &time)) }
    }
    Benchmark("one event appended") { benchmark, log in
        log.recorder.appendTransitions(benchmark.scaledIterations.count)
    } setup: {
        try TemporaryLog.begin()
    } teardown: {
        TemporaryLog.end()
    }
}

private func snapshots() {
    Benchmark(
        "snapshot() of a queue with 1,000 waiting operations",
        configuration: .init(metrics: [.wallClock], scalingFactor: .one, maxDuration: .seconds(2))
    ) { benchmark, queue in
        for _ in benchmark.scaledIterations { blackHole(queue.snapshot()) }
    } setup: {
        waitingQueue(1_000)
    }
}

/// Each waits for the one before; the queue is suspended, so that the first does not run either.
private func waitingQueue(_ count: Int) -> InstrumentedQueue {
    let queue = InstrumentedQueue(recorder: Recorder())
    queue.isSuspended = true
    var previous: Operation?
    for _ in 0..<count {
        let operation = BlockOperation {}
        if let previous { operation.addDependency(previous) }
        queue.addOperation(operation)
        previous = operation
    }
    return queue
}
