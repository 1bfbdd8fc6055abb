import Foundation
import Logging
import Metrics
import Ops
import OpsLogging
import OpsMetrics
import OpsTracing
import Tracing

// The code of Documentation/Bridges.md and UseOtherTools.md: it has to compile. Nobody calls it.

func turnOn(metrics: any MetricsFactory, tracer: any Tracer) {
    LoggingSystem.bootstrap(StreamLogHandler.standardError, metadataProvider: .operations)
    MetricsSystem.bootstrap(metrics)
    InstrumentationSystem.bootstrap(tracer)
    OperationMetrics.start()
    OperationTracing.start()
}

func turnOn() {
    LoggingSystem.bootstrap(StreamLogHandler.standardError, metadataProvider: .operations)
    OperationTracing.start()
    OperationMetrics.start()
}

func traceInBody(queue: OperationQueue, store: @escaping @Sendable () async throws -> Void) {
    queue.addOperation(
        TaskOperation(name: "import") {
            try await withSpan("store") { _ in try await store() }  // a child of the operation's span
        })
}

func provideMore(requests: Logger.MetadataProvider) -> Logger.MetadataProvider? {
    let provider = Logger.MetadataProvider.multiplex([.operations, requests])
    return provider
}

/// Says which operations failed.
final class Failures: OperationObserver {
    func enqueued(
        _ operation: WatchedOperation, parent: WatchedOperation?, predecessors: [WatchedOperation]
    ) -> Account? {
        operation.details.map { Account(kind: $0.kind) }
    }

    final class Account: OperationAccount {
        let kind: String
        init(kind: String) { self.kind = kind }

        func finished(_ outcome: Outcome, error: (any Error)?) {
            if case .failed(let message) = outcome { print("\(kind) failed: \(message)") }
        }
    }
}

func observe() {
    OperationObservers.install(Failures())
}
