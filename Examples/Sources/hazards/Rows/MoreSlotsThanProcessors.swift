import Foundation
import Ops

extension HazardProgram {
    /// Each operation that calculates has a thread of its own, and there are four times as many slots as
    /// processors: each takes four times as long, and nothing is done earlier.
    static let moreSlotsThanProcessors = HazardProgram(
        id: "more-slots-than-processors",
        summary: "more operations calculate at once than there are processors",
        wrong: {
            let processors = ProcessInfo.processInfo.activeProcessorCount
            let queue = InstrumentedQueue()
            queue.name = "pictures"
            queue.maxConcurrentOperationCount = 4 * processors
            for number in 1...4 * processors {
                let operation = OwnThreadOperation()
                operation.name = "picture \(number)"
                operation.addExecutionBlock { picture.run() }
                queue.addOperation(operation)
            }
            _ = queue.isEmpty()
            return .wentWrong("four operations shared a processor")
        },
        right: {
            let processors = ProcessInfo.processInfo.activeProcessorCount
            let queue = InstrumentedQueue()
            queue.name = "pictures"
            queue.maxConcurrentOperationCount = processors
            for number in 1...4 * processors {
                queue.addOperation(SynchronousOperation(name: "picture \(number)") { picture.run() })
            }
            return Verdict(queue.isEmpty(), "every operation had a processor")
        })

    private static let picture = Calculation(seconds: 0.15)
}

/// Runs on a new thread, as many a blog post does it.
private final class OwnThreadOperation: BlockOperation, @unchecked Sendable {
    override var isAsynchronous: Bool { true }

    override func start() { Thread.detachNewThread { super.start() } }
}
