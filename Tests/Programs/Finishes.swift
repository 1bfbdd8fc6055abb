// Asynchronous operations that finish on the main thread, notifying their queue or forgetting to. With `poll`
// as the argument, other threads ask them what they are, all the time that this program runs and, for
// certain, before each notification.
import Foundation

/// As people write it.
class Upload: Operation, @unchecked Sendable {
    private let lock = NSLock()
    private var state = (executing: false, finished: false)
    let hasStarted = DispatchSemaphore(value: 0)

    init(_ name: String) {
        super.init()
        self.name = name
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { lock.withLock { state.executing } }
    override var isFinished: Bool { lock.withLock { state.finished } }

    override func start() {
        willChangeValue(for: \.isExecuting)
        lock.withLock { state.executing = true }
        didChangeValue(for: \.isExecuting)
        hasStarted.signal()
    }

    func change() { lock.withLock { state = (false, true) } }
}

final class SealedUpload: Upload, @unchecked Sendable {
    // What another object says: `Foundation` may ask this one, and this one asks the other in its last
    // instruction.
    let inner = Upload("inner")
    override var isFinished: Bool { inner.isFinished }
    override func change() {
        super.change()
        inner.change()
    }
}

func ask(_ operation: Operation) { _ = (operation.isFinished, operation.isReady, operation.isExecuting) }

func ask(_ operation: Operation, fromOtherThread isAsked: Bool) {
    guard isAsked else { return }
    let hasAsked = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        ask(operation)
        hasAsked.signal()
    }
    hasAsked.wait()
}

let isPolling = CommandLine.arguments.contains("poll")
let byKeyPath = Upload("by key path")
let byKey = Upload("by key")
let sealed = SealedUpload("sealed")
let forgetful = Upload("forgetful")
let blocks = (0..<200).map { _ in BlockOperation {} }
let queue = OperationQueue()
let all: [Operation] = [byKeyPath, byKey, sealed, forgetful] + blocks
queue.addOperation(sealed.inner)
queue.addOperations(all, waitUntilFinished: false)
if isPolling {
    for _ in 0..<2 {
        Thread.detachNewThread {
            while true {
                for operation in all { ask(operation) }
                usleep(100)
            }
        }
    }
}
for upload in [sealed.inner, byKeyPath, byKey, sealed, forgetful] { upload.hasStarted.wait() }

for upload in [byKeyPath, byKey, sealed] {
    upload.willChangeValue(for: \.isFinished)
    upload.change()
    ask(upload, fromOtherThread: isPolling)
    if upload === byKey {
        upload.didChangeValue(forKey: "isFinished")
    } else {
        upload.didChangeValue(for: \.isFinished)
    }
}
forgetful.change()
ask(forgetful, fromOtherThread: isPolling)
for block in blocks { block.waitUntilFinished() }
usleep(20_000)
exit(0)
