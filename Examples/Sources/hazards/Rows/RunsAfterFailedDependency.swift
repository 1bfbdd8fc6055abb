import Foundation
import Ops

extension HazardProgram {
    /// Foundation lets dependents go when what they depend on has finished, however it did: a dependent that
    /// does not ask works on nothing.
    static let runsAfterFailedDependency = HazardProgram(
        id: "runs-after-failed-dependency",
        summary: "a dependent runs although its dependency was cancelled: it works on nothing",
        wrong: {
            let (queue, saved) = (suspendedQueue(), Shared("what was there before"))
            let (download, text) = (HandWrittenDownload(), Shared<String?>(nil))
            download.onText = { text.value = $0 }
            let save = BlockOperation { saved.value = text.value ?? "" }
            save.name = "save"
            save.addDependency(download)
            queue.addOperations([download, save], waitUntilFinished: false)
            return cancel(download, in: queue, saved)
        },
        right: {
            let (queue, saved) = (suspendedQueue(), Shared("what was there before"))
            let download = TaskOperation(name: "download") { await Network().get("page") }
            let save = download.then(name: "save") { saved.value = $0 }
            queue.addOperations([download, save], waitUntilFinished: false)
            return cancel(download, in: queue, saved)
        })

    private static func suspendedQueue() -> InstrumentedQueue {
        let queue = InstrumentedQueue()
        queue.name = "pages"
        queue.isSuspended = true
        return queue
    }

    private static func cancel(
        _ download: Operation, in queue: OperationQueue, _ saved: Shared<String>
    ) -> Verdict {
        download.cancel()
        queue.isSuspended = false
        guard queue.isEmpty() else { return .wentWrong("never finished: save") }
        return Verdict(
            !saved.value.isEmpty,
            saved.value.isEmpty ? "saved nothing over what was there" : "kept what was there")
    }
}

private final class HandWrittenDownload: AsyncOperation, @unchecked Sendable {
    /// Set before it is added, and not changed after.
    var onText: (@Sendable (String) -> Void)?

    init() { super.init("download") }

    override func main() {
        Network().get("page") { text in
            self.onText?(text)
            self.finish()
        }
    }
}
