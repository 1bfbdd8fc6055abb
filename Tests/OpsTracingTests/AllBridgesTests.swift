import Foundation
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import Ops
import OpsLogging
import OpsMetrics
import Testing
import Tracing

@testable import OpsTracing

extension TracingTests {
    @Test(
        "ten thousand operations are spans, measured, and on their log lines, each ended once",
        .enabled(if: ProcessInfo.processInfo.environment["OPVIZ_OBSERVE"] != "passive"))
    static func allTogether() async throws {
        let (tracer, metrics, lines) = (InMemoryTracer(), TestMetrics(), InMemoryLogHandler())
        let provider = Logger.MetadataProvider.operations
        let registrations = [
            OperationTracing.start(tracer: tracer), OperationMetrics.start(factory: metrics),
        ]
        let logger = Logger(label: "all") { _ in
            var handler = lines
            handler.metadataProvider = provider
            return handler
        }
        let name = "all \(UUID().uuidString)"
        let queues = (0..<4).map { _ in
            let queue = InstrumentedQueue(recorder: Recorder())
            queue.name = name
            return queue
        }
        await onThreads(8) { thread in
            for number in 0..<1_250 {
                let label = "\(thread).\(number)"
                let operation: Operation =
                    switch number % 3 {
                    case 0: BlockOperation { logger.info("\(label)") }
                    case 1: SynchronousOperation<Void>(name: label) { logger.info("\(label)") }
                    default: TaskOperation<Void>(name: label) { logger.info("\(label)") }
                    }
                operation.name = label
                queues[number % 4].addOperation(operation)
                if number % 7 == 0 { operation.cancel() }
            }
        }
        for queue in queues {
            await withCheckedContinuation { done in queue.addBarrierBlock { done.resume() } }
        }
        for registration in registrations { registration.remove() }

        let spans = tracer.finishedSpans.filter {
            $0.text("opviz.queue.name") == name && $0.operationName != "Barrier"
        }
        #expect(spans.count == 10_000 && Set(spans.map(\.spanID)).count == 10_000)
        #expect(tracer.activeSpans.allSatisfy { $0.attributes.get("opviz.queue.name") != .string(name) })
        let executed = spans.filter { $0.eventNames.contains("executing") }
        for meter in ["executing", "waiting"] {
            let now = try metrics.expectMeter("opviz.operations.\(meter)", [("queue", name)]).lastValue
            #expect(now == 0, "of \(meter)")
        }
        // Only succeeded operations have surely written theirs.
        let succeeded = Set(
            spans.filter { $0.text("opviz.operation.outcome") == "succeeded" }
                .compactMap { $0.text("opviz.operation.name") })
        let own = lines.entries.filter { $0.metadata["opviz.queue.name"] == "\(name)" }
        #expect(own.allSatisfy { $0.metadata["opviz.operation.name"] == "\($0.message)" })
        #expect(Set(own.map { "\($0.message)" }).isSuperset(of: succeeded))
        #expect(own.count == lines.entries.count && own.count <= executed.count)
    }

    private static func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    await withCheckedContinuation { done in
                        Thread.detachNewThread {
                            body(number)
                            done.resume()
                        }
                    }
                }
            }
        }
    }
}
