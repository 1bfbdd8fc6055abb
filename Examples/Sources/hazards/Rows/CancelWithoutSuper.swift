import Foundation
import Ops

extension HazardProgram {
    /// An overridden `cancel()` that does not call `super.cancel()` leaves `isCancelled` false: the operation
    /// is started as if nothing had been, and its body runs.
    static let cancelWithoutSuper = HazardProgram(
        id: "cancel-without-super",
        summary: "cancel() without super.cancel(): isCancelled stays false, and the body runs on",
        wrong: {
            let sent = Shared(0)
            return run(HandWrittenUpload(sent: sent), sent)
        },
        right: {
            let sent = Shared(0)
            return run(Upload(sent: sent), sent)
        })

    private static func run(_ upload: Operation, _ sent: Shared<Int>) -> Verdict {
        let queue = InstrumentedQueue()
        queue.name = "uploads"
        upload.name = "upload"
        queue.isSuspended = true
        queue.addOperation(upload)
        queue.cancelAllOperations()
        queue.isSuspended = false
        guard queue.isEmpty() else { return .wentWrong("never finished: upload") }
        let count = sent.value
        return Verdict(count == 0, "cancelled, and \(count) of 3 parts were sent")
    }
}

/// What sends the parts; both operations stop it when they are cancelled.
private final class Request: Sendable {
    private let isStopped = Shared(false)

    func send(_ sent: Shared<Int>) { if !isStopped.value { sent.update { $0 += 1 } } }
    func stop() { isStopped.value = true }
}

private final class HandWrittenUpload: AsyncOperation, @unchecked Sendable {
    private let sent: Shared<Int>
    private var request: Request?

    init(sent: Shared<Int>) {
        self.sent = sent
        super.init("upload")
    }

    override func main() {
        let request = Request()
        self.request = request
        for _ in 1...3 where !isCancelled { request.send(sent) }
        finish()
    }

    override func cancel() { request?.stop() }
}

private final class Upload: AsynchronousOperation, @unchecked Sendable {
    private let sent: Shared<Int>
    private let request = Request()

    init(sent: Shared<Int>) { self.sent = sent }

    override func main() {
        for _ in 1...3 where !isCancelled { request.send(sent) }
        finish()
    }

    override func cancel() {
        super.cancel()
        request.stop()
    }
}
