import Dispatch
import Foundation

/// Asynchronous: finishes when somebody says so.
final class Fetch: Operation, @unchecked Sendable {
    private let body: @Sendable (Fetch) -> Void
    private var isDone = false

    init(_ name: String, _ body: @escaping @Sendable (Fetch) -> Void) {
        self.body = body
        super.init()
        self.name = name
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { true }
    override var isFinished: Bool { isDone }
    override func start() { body(self) }

    func finish() {
        willChangeValue(forKey: "isFinished")
        isDone = true
        didChangeValue(forKey: "isFinished")
    }
}

final class Connection: @unchecked Sendable {
    var handler: (() -> Void)?
}

/// Leaves words with addresses of free blocks in them, as the allocator keeps them in a list, and then lets
/// others have those blocks: each address is that of the last word of the block before.
func leaveWords() {
    let blocks = (0..<20_000).map { _ in (before: malloc(56), listed: malloc(24), between: malloc(24)) }
    for block in blocks { free(block.listed) }
    sortFreed()
    shared.with { shared in shared.words = blocks.map { _ in malloc(8)! } }
    for block in blocks { free(block.before) }
    sortFreed()
}

/// Queues with operations that nobody can finish any more, and others that somebody could.
func fillQueues(_ count: Int) {
    let kinds: [String: @Sendable (Fetch) -> Void] = [
        "lost-forgotten": { _ in },
        // As long as its queue has it, it is there.
        "kept-weak": { operation in
            let connection = Connection()
            connection.handler = { [weak operation] in operation?.finish() }
            shared.with { $0.connections.append(connection) }
        },
        "lost-connection": { operation in
            let connection = Connection()
            connection.handler = { operation.finish() }
        },
        "lost-weak": { operation in
            let connection = Connection()
            connection.handler = { [weak operation] in operation?.finish() }
        },
        "kept-connection": { operation in
            let connection = Connection()
            connection.handler = { operation.finish() }
            shared.with { $0.connections.append(connection) }
        },
        "kept-waiting": { operation in
            // It can run, as soon as somebody resumes its queue.
            let queue = OperationQueue()
            queue.isSuspended = true
            queue.addOperation { operation.finish() }
            shared.with { $0.queues.append(queue) }
        },
        "kept-timer": { operation in
            DispatchQueue.global().asyncAfter(deadline: .now() + 3600) { operation.finish() }
        },
        "kept-task": { operation in
            Task {
                try? await Task.sleep(nanoseconds: 3_600_000_000_000)
                operation.finish()
            }
        },
    ]
    let fetches = OperationQueue()
    fetches.name = "fetches"
    fetches.maxConcurrentOperationCount = kinds.count * count
    for (kind, body) in kinds {
        for _ in 0..<count { fetches.addOperation(Fetch(kind, body)) }
    }
    let limited = OperationQueue()
    limited.name = "limited"
    limited.maxConcurrentOperationCount = 1
    let blocked = BlockOperation { DispatchSemaphore(value: 0).wait() }
    blocked.name = "blocked"
    let dependent = BlockOperation {}
    dependent.name = "dependent with a name of more than fifteen bytes"
    dependent.addDependency(blocked)
    let never = BlockOperation {}
    never.name = "never"
    let waiting = BlockOperation {}
    waiting.addDependency(never)
    waiting.cancel()
    limited.addOperations([blocked, dependent], waitUntilFinished: false)
    let suspended = OperationQueue()
    suspended.isSuspended = true
    suspended.addOperation(waiting)
    let waited = OperationQueue()
    waited.name = "waited"
    // More than fit into a block that somebody has just freed, and whose address is still in a register.
    for _ in 0..<40 { waited.addOperation(Fetch("lost-waited", { _ in })) }
    shared.with { $0.queues += [fetches, limited, suspended, waited] }
    // It has the addresses of all, and can only wait.
    Thread.detachNewThread { waited.waitUntilAllOperationsAreFinished() }
    fillOthers()
}

/// It knows its operations itself.
final class RegistryQueue: OperationQueue, @unchecked Sendable {
    var active: [String: Fetch] = [:]
}

private func queue(_ name: String, _ queue: OperationQueue = OperationQueue()) -> OperationQueue {
    queue.name = name
    shared.with { $0.queues.append(queue) }
    return queue
}

/// Where it is not obvious whether somebody can finish an operation.
private func fillOthers() {
    let later = queue("later")
    let finished = Fetch("finished later") { _ in }
    let before = BlockOperation { DispatchSemaphore(value: 0).wait() }
    let finisher = BlockOperation { finished.finish() }
    finisher.addDependency(before)
    later.addOperations([finished, before, finisher], waitUntilFinished: false)

    let circular = queue("circular")
    let awaited = Fetch("awaited by its finisher") { _ in }
    let reader = BlockOperation { awaited.finish() }
    reader.addDependency(awaited)
    circular.addOperations([awaited, reader], waitUntilFinished: false)

    let registry = RegistryQueue()
    _ = queue("registry", registry)
    let known = Fetch("known to its queue") { _ in }
    registry.active["known"] = known
    registry.addOperation(known)

    let underlying = queue("underlying")
    let serial = DispatchQueue(label: "underlying")
    serial.suspend()
    underlying.underlyingQueue = serial
    underlying.addOperation {}

    addAnnounced()

    let nested = queue("nested")
    let outer = BlockOperation {
        let inner = Fetch("waited for inside") { _ in }
        nested.addOperation(inner)
        inner.waitUntilFinished()
    }
    outer.name = "waits inside"
    nested.addOperation(outer)
}

/// Apart, so that no word of it is left on the stack.
@inline(never)
private func addAnnounced() {
    let announced = queue("announced")
    let serial = DispatchQueue(label: "announced")
    serial.suspend()
    announced.underlyingQueue = serial
    let fetch = Fetch("announced early") { $0.finish() }
    announced.addOperation(fetch)
    // Foundation takes it for one that has started.
    fetch.didChangeValue(forKey: "isExecuting")
    shared.with { $0.suspended.append(serial) }
}
