import Foundation
import Ops

extension HazardProgram {
    /// `finish()` that looks whether the operation executes does nothing for one that was cancelled before
    /// its start: it never finishes, keeps its slot, and a serial queue stops for good.
    static let finishOnlyIfExecuting = HazardProgram(
        id: "finish-only-if-executing",
        summary: "finish() acts only while executing: cancelled before its start, it never finishes",
        wrong: {
            let queue = serialQueue()
            run([HandWrittenUpload("upload 1"), HandWrittenUpload("upload 2")], on: queue)
            let isStuck = !queue.isEmpty(within: quietTime)
            return Verdict(!isStuck, isStuck ? "never finished: upload 1" : "not seen: both finished")
        },
        right: {
            let queue = serialQueue()
            run([Upload("upload 1"), Upload("upload 2")], on: queue)
            return Verdict(queue.isEmpty(), "upload 1 was cancelled, upload 2 was done")
        })

    private static func serialQueue() -> InstrumentedQueue {
        let queue = InstrumentedQueue()
        queue.name = "uploads"
        queue.maxConcurrentOperationCount = 1
        return queue
    }

    /// Adds them, and cancels the first before it can start.
    private static func run(_ uploads: [Operation], on queue: OperationQueue) {
        queue.isSuspended = true
        queue.addOperations(uploads, waitUntilFinished: false)
        uploads[0].cancel()
        queue.isSuspended = false
    }
}

private final class HandWrittenUpload: AsyncOperation, @unchecked Sendable {
    override func main() { Network().get("page") { _ in self.finish() } }

    override func finish() {
        guard isExecuting else { return }
        super.finish()
    }
}

private final class Upload: AsynchronousOperation, @unchecked Sendable {
    init(_ name: String) {
        super.init()
        self.name = name
    }

    override func main() { Network().get("page") { _ in self.finish() } }
}
