import Foundation
import Metrics
import MetricsTestKit
import Ops
import Testing

@testable import OpsMetrics

/// Serialized: the tests share kinds, and each observes the operations of all.
@Suite("Operations are measured", .serialized)
struct OperationMetricsTests {
    private struct Broken: Error {}
    private final class MeasuredFetch: SynchronousOperation<Void>, @unchecked Sendable {}
    private final class MeasuredParse: SynchronousOperation<Void>, @unchecked Sendable {}

    /// The metrics of what `body` adds to a queue. Others may run at the same time.
    private func measured(
        clock: SteppingClock = SteppingClock(), maximumKinds: Int = 200, maximumQueues: Int = 100,
        _ body: (InstrumentedQueue) async throws -> Void
    ) async rethrows -> (metrics: TestMetrics, queue: String) {
        let metrics = TestMetrics()
        let name = "measured \(UUID().uuidString)"
        let registration = OperationObservers.install(
            OperationMetrics(
                factory: metrics, maximumKinds: maximumKinds, maximumQueues: maximumQueues, now: clock.now))
        defer { registration.remove() }
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.name = name
        try await body(queue)
        await withCheckedContinuation { done in queue.addBarrierBlock { done.resume() } }
        return (metrics, name)
    }

    @Test("metrics count finished operations, by kind and outcome") func finished() async throws {
        let (metrics, _) = await measured { queue in
            queue.isSuspended = true
            let operations = [
                MeasuredFetch(name: "one") {}, MeasuredFetch(name: "two") {},
                MeasuredFetch { throw Broken() },
                MeasuredParse(name: "cancelled") {},
            ]
            queue.addOperations(operations)
            operations[3].cancel()
            queue.isSuspended = false
            for operation in operations { await operation.finished() }
        }
        func total(_ kind: String, _ outcome: String) -> Int64 {
            metrics.counterTotal(
                label: "opviz.operations.finished", dimensions: [("kind", kind), ("outcome", outcome)])
        }
        #expect(total("MeasuredFetch", "succeeded") == 2 && total("MeasuredFetch", "failed") == 1)
        #expect(total("MeasuredParse", "cancelled") == 1 && total("MeasuredParse", "succeeded") == 0)
        #expect(
            metrics.timers(label: "opviz.operation.execution", dimensions: [("kind", "MeasuredParse")]).first?
                .values
                == [])
    }

    @Test("metrics count executing and waiting operations, by queue") func gauges() async throws {
        let (metrics, name) = await measured { queue in
            queue.maxConcurrentOperationCount = 1
            let (started, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            queue.addOperation {
                started.signal()
                go.wait()
            }
            queue.addOperation(MeasuredParse(name: "waiting") {})
            await withCheckedContinuation { done in
                Thread.detachNewThread {
                    started.wait()
                    done.resume()
                }
            }
            go.signal()
        }
        let waiting = try metrics.expectMeter("opviz.operations.waiting", [("queue", name)])
        let executing = try metrics.expectMeter("opviz.operations.executing", [("queue", name)])
        // The barrier is still executing when its block has run.
        for _ in 0..<10_000 where executing.lastValue != 0 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(waiting.lastValue == 0 && executing.lastValue == 0)
        #expect(executing.values.max() == 1 && waiting.values.allSatisfy { $0 >= 0 })
        // Itself, the one behind it, and the barrier with which the test waits.
        #expect(waiting.values.contains(1))
    }

    @Test("metrics measure how long operations waited and executed, by kind") func timers() async throws {
        let clock = SteppingClock()
        let (metrics, _) = await measured(clock: clock) { queue in
            queue.isSuspended = true
            let fetch = MeasuredFetch { clock.advance(by: 40) }
            let parse = MeasuredParse { clock.advance(by: 2) }
            parse.addDependency(fetch)
            queue.addOperations([fetch, parse])
            clock.advance(by: 100)
            queue.isSuspended = false
            await parse.finished()
        }
        func values(_ name: String, _ kind: String) -> [Int64] {
            metrics.timers(label: "opviz.operation.\(name)", dimensions: [("kind", kind)]).flatMap(\.values)
        }
        #expect(
            values("queue_wait", "MeasuredFetch") == [100] && values("execution", "MeasuredFetch") == [40])
        #expect(
            values("lifetime", "MeasuredFetch") == [140] && values("dependency_wait", "MeasuredFetch") == [])
        #expect(
            values("dependency_wait", "MeasuredParse") == [140]
                && values("queue_wait", "MeasuredParse") == [0])
        #expect(values("execution", "MeasuredParse") == [2] && values("lifetime", "MeasuredParse") == [142])
    }

    @Test("metrics measure the wait for a dependency that was added after the enqueue") func lateDependency()
        async throws
    {
        let clock = SteppingClock()
        let (metrics, _) = await measured(clock: clock) { queue in
            queue.isSuspended = true
            let fetch = MeasuredFetch { clock.advance(by: 40) }
            let parse = MeasuredParse {}
            queue.addOperations([fetch, parse])
            parse.addDependency(fetch)
            clock.advance(by: 100)
            queue.isSuspended = false
            await parse.finished()
        }
        func values(_ name: String, _ kind: String) -> [Int64] {
            metrics.timers(label: "opviz.operation.\(name)", dimensions: [("kind", kind)]).flatMap(\.values)
        }
        #expect(values("dependency_wait", "MeasuredParse") == [140])
        #expect(values("queue_wait", "MeasuredParse") == [0])
        #expect(values("dependency_wait", "MeasuredFetch") == [])
    }

    @Test("metrics name kinds and queues beyond the limit (other)") func bounds() async throws {
        let (metrics, name) = await measured(maximumKinds: 1, maximumQueues: 0) { queue in
            let operations = [MeasuredFetch(name: "first") {}, MeasuredParse(name: "second") {}]
            queue.addOperations(operations)
            for operation in operations { await operation.finished() }
        }
        let kinds = Set(metrics.counters(label: "opviz.operations.finished").flatMap(\.dimensions).map(\.1))
        #expect(kinds.isDisjoint(with: [name]) && kinds.contains("(other)"))
        #expect(kinds.subtracting(["succeeded", "failed", "cancelled", "(other)"]).count == 1)
        let queues = metrics.meters(label: "opviz.operations.waiting").flatMap(\.dimensions).map(\.1)
        #expect(queues == ["(other)"])
    }
}

extension OperationQueue {
    /// Callable from asynchronous functions.
    fileprivate func addOperations(_ operations: [Operation]) {
        addOperations(operations, waitUntilFinished: false)
    }
}

/// A clock that only the test advances. `@unchecked Sendable` is sound because every access to the time holds
/// the lock.
final class SteppingClock: @unchecked Sendable {
    private let lock = NSLock()
    private var time: UInt64 = 0

    var now: @Sendable () -> UInt64 { { self.lock.withLock { self.time } } }

    func advance(by nanoseconds: UInt64) { lock.withLock { time += nanoseconds } }
}
