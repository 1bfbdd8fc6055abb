import Benchmark
import Foundation
import Inspector
import Ops

/// Reading a binary log and converting it to JSON; figures are per event.
func logs() {
    let configuration = Benchmark.Configuration(
        metrics: [.wallClock, .throughput], scalingFactor: .one, maxDuration: .seconds(3))
    // Every run uses the same log, with four events per operation.
    Benchmark("binary log of 100,000 operations, read", configuration: configuration) { _, log in
        blackHole(try TraceReader(path: log.path).events())
    } setup: {
        try recordedLog()
    } teardown: {
        TemporaryLog.end()
    }
    Benchmark("binary log of 100,000 operations, made into a trace", configuration: configuration) { _, log in
        blackHole(try TraceReader(path: log.path).read())
    } setup: {
        try recordedLog()
    } teardown: {
        TemporaryLog.end()
    }
    Benchmark("log of 100,000 operations, converted to JSON at stop()", configuration: configuration) {
        benchmark in
        let log = try TemporaryLog.begin(as: "json")
        log.runOperations(100_000)
        benchmark.startMeasurement()
        try log.recorder.stop()
        benchmark.stopMeasurement()
        TemporaryLog.end()
    }
}

private func recordedLog() throws -> TemporaryLog {
    let log = try TemporaryLog.begin()
    log.runOperations(100_000)
    try log.recorder.stop()
    return log
}
