import Foundation

// Stands still, as the argument says: a task awaits a continuation that nobody resumes (continuation), a
// task blocks its thread (semaphore), an operation its own (operation), or the program its first (thread).
// With `stubborn`, no signal but SIGKILL ends it.

actor Cache {
    private var waiting: [CheckedContinuation<Int, Never>] = []

    func page(_ number: Int) async -> Int {
        await withCheckedContinuation { waiting.append($0) }
    }
}

@inline(never) func block() { DispatchSemaphore(value: 0).wait() }

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
