import Benchmark
import Foundation
import Ops

/// One operation that does nothing, from its enqueue until the queue is empty: recorded, and in a plain
/// queue.
func operations() {
    operations("closure") { queue, count in
        for _ in 0..<count { queue.addOperation {} }
    }
    operations("own class") { queue, count in
        for _ in 0..<count { queue.addOperation(Own()) }
    }
    operations("BlockOperation") { queue, count in
        for _ in 0..<count { queue.addOperation(BlockOperation {}) }
    }
}

private func operations(_ name: String, _ add: @escaping @Sendable (OperationQueue, Int) -> Void) {
    Benchmark("one operation, plain: \(name)") { benchmark in
        run(OperationQueue(), benchmark.scaledIterations.count, add)
    }
    Benchmark("one operation, recorded: \(name)") { benchmark, log in
        run(InstrumentedQueue(recorder: log.recorder), benchmark.scaledIterations.count, add)
    } setup: {
        try TemporaryLog.begin()
    } teardown: {
        TemporaryLog.end()
    }
}

private func run(_ queue: OperationQueue, _ count: Int, _ add: (OperationQueue, Int) -> Void) {
    add(queue, count)
    queue.waitUntilAllOperationsAreFinished()
}

private final class Own: AsynchronousOperation, @unchecked Sendable {
    override func main() { finish() }
}
