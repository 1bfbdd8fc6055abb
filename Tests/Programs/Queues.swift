import Foundation

// Uses queues in all the ways there are, and prints what came of it.

class CountingQueue: OperationQueue, @unchecked Sendable {
    private(set) var added = 0

    override func addOperation(_ operation: Operation) {
        added += 1
        super.addOperation(operation)
    }

    override func addOperations(_ operations: [Operation], waitUntilFinished wait: Bool) {
        added += operations.count
        super.addOperations(operations, waitUntilFinished: wait)
    }
}

final class GenericQueue<Element>: CountingQueue, @unchecked Sendable {
    var element: Element?
}

/// Adds in another way than it is asked to.
final class RedirectingQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ operation: Operation) {
        super.addOperations([operation], waitUntilFinished: false)
    }
}

/// Adds another operation and edge, rejects some operations, and ignores cancelling all and suspending.
class StrictQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ operation: Operation) {
        if operation.name == "turned away" { return }
        let condition = block("condition")
        operation.addDependency(condition)
        super.addOperation(condition)
        super.addOperation(operation)
    }

    override func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) {}

    override func cancelAllOperations() {}

    override var maxConcurrentOperationCount: Int {
        get { super.maxConcurrentOperationCount }
        set { super.maxConcurrentOperationCount = min(newValue, 2) }
    }

    override var isSuspended: Bool {
        get { super.isSuspended }
        set {}
    }
}

final class Step: Operation, @unchecked Sendable {
    override func main() {}
}

/// Writes down what is asked of it.
final class Asked: Operation, @unchecked Sendable {
    private let lock = NSLock()
    private var calls: [String] = []

    private func note(_ call: String) { lock.withLock { calls.append(call) } }
    var noted: [String] { lock.withLock { calls } }

    override func main() { note("main") }
    override var isReady: Bool {
        note("isReady")
        return super.isReady
    }
    override var isExecuting: Bool {
        note("isExecuting")
        return super.isExecuting
    }
    override var isFinished: Bool {
        note("isFinished")
        return super.isFinished
    }
    override var isCancelled: Bool {
        note("isCancelled")
        return super.isCancelled
    }
    override var dependencies: [Operation] {
        note("dependencies")
        return super.dependencies
    }
    override var queuePriority: QueuePriority {
        get {
            note("queuePriority")
            return super.queuePriority
        }
        set { super.queuePriority = newValue }
    }
    override var name: String? {
        get {
            note("name")
            return super.name
        }
        set { super.name = newValue }
    }
}

func block(_ name: String, _ body: @escaping @Sendable () -> Void = {}) -> BlockOperation {
    let operation = BlockOperation(block: body)
    operation.name = name
    return operation
}

func named<Queue: OperationQueue>(_ name: String, _ queue: Queue) -> Queue {
    queue.name = name
    return queue
}

func useSubclasses() {
    let counting = named("counting", CountingQueue())
    let (first, second) = (block("first"), block("second"))
    second.addDependency(first)
    counting.addOperation(first)
    counting.addOperation(second)
    counting.waitUntilAllOperationsAreFinished()
    let texts = named("generic over texts", GenericQueue<String>())
    texts.addOperations([block("text 1"), block("text 2")], waitUntilFinished: true)
    let numbers = named("generic over numbers", GenericQueue<Int>())
    numbers.addOperation(block("number"))
    numbers.waitUntilAllOperationsAreFinished()
    let redirecting = named("redirecting", RedirectingQueue())
    let step = Step()
    step.name = "redirected"
    redirecting.addOperation(step)
    redirecting.waitUntilAllOperationsAreFinished()
    print("subclasses", counting.added, texts.added, numbers.added, step.isFinished)
}

func useStrictQueue() {
    let queue = named("strict", StrictQueue())
    queue.maxConcurrentOperationCount = 8
    queue.addOperation(block("let in"))
    queue.addOperation(block("turned away"))
    queue.addBarrierBlock { print("must not run") }
    queue.isSuspended = true
    queue.cancelAllOperations()
    queue.waitUntilAllOperationsAreFinished()
    print("strict", queue.maxConcurrentOperationCount, queue.isSuspended)
}

func useBarriers() {
    let queue = named("barriers", OperationQueue())
    let ran = DispatchSemaphore(value: 0)
    queue.addBarrierBlock { ran.signal() }
    ran.wait()
    queue.waitUntilAllOperationsAreFinished()
    queue.addOperations([block("before 1"), block("before 2")], waitUntilFinished: false)
    queue.addBarrierBlock { ran.signal() }
    queue.addOperation(block("after"))
    queue.waitUntilAllOperationsAreFinished()
    ran.wait()
    print("barriers ran")
}

func useSuspension() {
    let queue = named("toggled", OperationQueue())
    queue.isSuspended.toggle()
    let held = block("held")
    queue.addOperation(held)
    print("suspended", queue.isSuspended, held.isFinished)
    queue.isSuspended.toggle()
    queue.waitUntilAllOperationsAreFinished()
    print("resumed", queue.isSuspended, held.isFinished)
}

func useCancelling() {
    let queue = named("cancelled", OperationQueue())
    queue.isSuspended = true
    let operations = (1...3).map { block("cancelled \($0)") { print("must not run") } }
    queue.addOperations(operations, waitUntilFinished: false)
    queue.cancelAllOperations()
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    print("cancelled", operations.map(\.isCancelled), operations.map(\.isFinished))
}

func useLimits() {
    let queue = named("limited", OperationQueue())
    queue.maxConcurrentOperationCount = 1
    queue.addOperations((1...5).map { block("limited \($0)") }, waitUntilFinished: true)
    queue.maxConcurrentOperationCount = 4
    queue.addOperations([block("less limited")], waitUntilFinished: true)
    print("limit", queue.maxConcurrentOperationCount)
}

/// Everything on one thread after the other, so that the order of the calls is known.
func useOverrides() {
    let serial = DispatchQueue(label: "serial")
    let queue = named("asked", OperationQueue())
    queue.underlyingQueue = serial
    queue.isSuspended = true
    let (first, second, cancelled) = (Asked(), Asked(), Asked())
    for (operation, name) in [(first, "asked 1"), (second, "asked 2"), (cancelled, "asked 3")] {
        operation.name = name
    }
    second.addDependency(first)
    cancelled.cancel()
    queue.addOperations([first, second, cancelled], waitUntilFinished: false)
    queue.isSuspended = false
    while queue.operationCount > 0 { usleep(1_000) }
    serial.sync {}
    for operation in [first, second, cancelled] { print("asked", operation.noted.joined(separator: " ")) }
}

/// A closure without a name: the trace should say where it comes from.
func useClosures() {
    let queue = named("closures", OperationQueue())
    queue.addOperation { [queue] in queue.addOperation(block("added by a closure")) }
    queue.waitUntilAllOperationsAreFinished()
    print("closures ran")
}

func useMainQueue() {
    let operation = block("on the main queue")
    OperationQueue.main.addOperation(operation)
    while !operation.isFinished { RunLoop.main.run(until: Date() + 0.01) }
    print("main", operation.isFinished)
}

useSubclasses()
useStrictQueue()
useBarriers()
useSuspension()
useCancelling()
useLimits()
useOverrides()
useClosures()
useMainQueue()
