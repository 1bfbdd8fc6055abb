import Foundation

// Stands still, as the argument says: a task awaits a continuation that nobody resumes (continuation), a
// task blocks its thread (semaphore), an operation its own (operation), or the program its first (thread); or
// an asynchronous operation has forgotten its callback (fetch). With `stubborn`, only SIGKILL ends it.

actor Cache {
    private var waiting: [CheckedContinuation<Int, Never>] = []

    func page(_ number: Int) async -> Int {
        await withCheckedContinuation { waiting.append($0) }
    }
}

@inline(never) func block() { DispatchSemaphore(value: 0).wait() }

/// Finishes when somebody says so, which nobody does.
final class Fetch: Operation, @unchecked Sendable {
    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { true }
    override var isFinished: Bool { false }
    override func start() {}
}

@inline(never) func add(to queue: OperationQueue) { queue.addOperation(Fetch()) }

/// Overwrites what was left on the stack, as a program that goes on does.
@inline(never) func work(_ depth: Int) -> Int { depth == 0 ? 0 : work(depth - 1) &+ [depth].count }

func fetch() {
    let queue = OperationQueue()
    add(to: queue)
    _ = work(100)
    queue.waitUntilAllOperationsAreFinished()
}

@main
enum Stuck {
    static func main() async {
        let arguments = CommandLine.arguments
        if arguments.contains("stubborn") { signal(SIGTERM, SIG_IGN) }
        if arguments.contains("thread") { block() }
        if arguments.contains("operation") {
            let queue = OperationQueue()
            let operation = BlockOperation { block() }
            operation.name = "upload"
            queue.addOperation(operation)
        }
        if arguments.contains("fetch") { fetch() }
        let cache = Cache()
        let isBlocking = arguments.contains("semaphore")
        await withTaskGroup(of: Void.self) { group in
            group.addTask(name: "load") {
                if isBlocking { block() }
                _ = await cache.page(1)
            }
            group.addTask(name: "other") {}
        }
    }
}
