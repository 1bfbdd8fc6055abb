import Foundation
import Ops

/// Operations, Swift tasks and the main thread wait for each other. Prints the snapshot that says so:
/// `RecordingVictim circle MODE LOG`.
enum Circles {
    /// It finishes only after its task has.
    private final class Outer: AsynchronousOperation, @unchecked Sendable {
        private let inner: Operation

        init(waitingFor inner: Operation) {
            self.inner = inner
            super.init()
            name = "outer"
        }

        override func main() {
            // It inherits that it belongs to the operation.
            Task(name: "helper") { [self] in
                await Task(name: "waiter") { [inner] in wait(for: inner) }.value
                finish()
            }
        }
    }

    static func run(_ mode: String, writingTo path: String) throws {
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        if ["created", "elsewhere", "main-actor"].contains(mode), !recorder.observeTasks() { exit(1) }
        let queue = InstrumentedQueue(recorder: recorder)
        queue.name = "pages"
        queue.maxConcurrentOperationCount = 1
        guard recorder.observeAllQueues() else { exit(1) }
        Thread.detachNewThread { show(queue, isHealthy: mode == "executing") }
        switch mode {
        case "created":
            let inner = BlockOperation {}
            inner.name = "inner"
            queue.addOperations([Outer(waitingFor: inner), inner], waitUntilFinished: false)
        case "elsewhere":
            let other = InstrumentedQueue(recorder: recorder)
            let inner = BlockOperation {}
            inner.name = "inner"
            let creator = Outer(waitingFor: inner)
            inner.addDependency(creator)
            // Before the thread waits for it: waits for operations in no queue are not recorded.
            other.addOperation(inner)
            queue.addOperation(creator)
        default:
            let update = BlockOperation {}
            update.name = "update"
            let save = BlockOperation {}
            save.name = "save"
            save.addDependency(update)
            queue.addOperation(save)
            switch mode {
            case "blocked-main":
                OperationQueue.main.addOperation(update)
                queue.waitUntilAllOperationsAreFinished()
            case "main-operation":
                let sync = BlockOperation { wait(for: save) }
                sync.name = "sync"
                OperationQueue.main.addOperations([sync, update], waitUntilFinished: false)
                RunLoop.main.run(until: Date() + 300)
            case "executing":
                let other = InstrumentedQueue(recorder: recorder)
                OperationQueue.main.addOperation(update)
                let upload = BlockOperation { sleep(100) }
                upload.name = "upload"
                other.addOperation(upload)
                upload.waitUntilFinished()
            default: break
            }
            Task(name: "refresh") { @MainActor in
                OperationQueue.main.addOperation(update)
                wait(for: save)
            }
        }
        RunLoop.main.run(until: Date() + 300)
        exit(1)
    }

    /// - Parameter isHealthy: whether nothing is to be found, in half a second.
    private static func show(_ queue: InstrumentedQueue, isHealthy: Bool) {
        // A test that would hang fails instead.
        alarm(60)
        var text = ""
        let end = Date() + 0.5
        // The waits begin a moment later.
        while !text.contains("a deadlock if") && !text.contains("deadlock: ") {
            usleep(20_000)
            text = "\(queue.snapshot())"
            if isHealthy, Date() > end { break }
        }
        print(text)
        exit(0)
    }

    private static func wait(for operation: Operation) { operation.waitUntilFinished() }
}
