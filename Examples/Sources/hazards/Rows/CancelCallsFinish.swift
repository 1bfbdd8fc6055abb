import Foundation
import Ops

extension HazardProgram {
    /// An operation that finishes in `cancel()` finishes before its queue has started it: Foundation on Linux
    /// keeps a pointer to it among those that wait, and follows it when it has been freed.
    static let cancelCallsFinish = HazardProgram(
        id: "cancel-calls-finish",
        summary: "cancel() calls finish(): finished before it was started, then a crash",
        wrong: {
            // Freed memory may look as it did before. Not ten times.
            for _ in 1...10 where !finishesEarly() {
                return .didItsJob("not seen: uploads finished in their turn")
            }
            return .wentWrong("finished before they were started: uploads 2 to 20; and no crash")
        },
        right: {
            let (queue, gate) = (uploadQueue(), Gate())
            let uploads = (1...3).map { Upload("upload \($0)", through: Network(gate: gate)) }
            queue.addOperations(uploads, waitUntilFinished: false)
            uploads[1].cancel()
            let isEarly = uploads[1].isFinished
            gate.open()
            let isDone = queue.isEmpty()
            return Verdict(!isEarly && isDone, "upload 2 was cancelled, and finished in its turn")
        })

    private static func uploadQueue() -> InstrumentedQueue {
        let queue = InstrumentedQueue()
        queue.name = "uploads"
        queue.maxConcurrentOperationCount = 1
        return queue
    }

    private static func finishesEarly() -> Bool {
        let queue = uploadQueue()
        let (gate, started) = (Gate(), Gate())
        queue.addOperation(HandWrittenUpload("upload 1", through: Network(gate: gate), started: started))
        started.pass()
        let isEarly = addAndCancel(uploads: 2...20, to: queue)
        // These take the places of the others in memory, and the queue still believes to find those there.
        for number in 21...40 { queue.addOperation(HandWrittenUpload("upload \(number)")) }
        // It looks for the next one now.
        gate.open()
        // The queue is not asked whether it is empty: it may hold its lock for ever, if it lives.
        Thread.sleep(forTimeInterval: quietTime)
        return isEarly
    }

    /// Whether they finish while the queue has no slot for them. They are then freed, because only the queue
    /// refers to them.
    private static func addAndCancel(uploads numbers: ClosedRange<Int>, to queue: OperationQueue) -> Bool {
        let completed = Shared(0)
        for number in numbers {
            let upload = HandWrittenUpload("upload \(number)")
            upload.completionBlock = { completed.update { $0 += 1 } }
            queue.addOperation(upload)
            upload.cancel()
        }
        return soon { completed.value == numbers.count }
    }
}

private final class HandWrittenUpload: AsyncOperation, @unchecked Sendable {
    private let network: Network
    private let started: Gate?

    init(_ name: String, through network: Network = Network(), started: Gate? = nil) {
        self.network = network
        self.started = started
        super.init(name)
    }

    override func main() {
        started?.open()
        network.get("page") { _ in self.finish() }
    }

    override func cancel() {
        super.cancel()
        finish()
    }
}

private final class Upload: AsynchronousOperation, @unchecked Sendable {
    private let network: Network

    init(_ name: String, through network: Network) {
        self.network = network
        super.init()
        self.name = name
    }

    override func main() { network.get("page") { _ in self.finish() } }
}
