import Foundation
import Synchronization

/// Programs that hang.
enum Stuck {
    /// Three operations that each depend on the next.
    static func circle(_ kept: Kept) {
        let steps = ["decode 1", "resize 1", "upload 1"].map { Work($0) { nap(0.01) } }
        for (index, step) in steps.enumerated() { step.addDependency(steps[(index + 1) % steps.count]) }
        kept.queue("images", limit: 2).addOperations(steps, waitUntilFinished: false)
    }

    /// The operation in the only slot waits for one that it added to its own queue.
    static func semaphore(_ kept: Kept) {
        let queue = kept.queue("db", limit: 1)
        queue.addOperation(
            Work("query 1") {
                let done = DispatchSemaphore(value: 0)
                queue.addOperation(Work("query 2") { done.signal() })
                done.wait()
            })
        queue.addOperation(Work("query 3") { nap(0.01) })
    }

    /// An operation depends on one that no queue ever gets.
    static func neverAdded(_ kept: Kept) {
        let queue = kept.queue("images", limit: 2)
        let login = kept.operation(Work("login") {})
        for number in 1...4 {
            let decode = Work("decode \(number)") { nap(0.01) }
            if number == 4 { decode.addDependency(login) }
            queue.addOperation(decode)
        }
    }

    /// The last of twelve asynchronous operations never calls its `finish()`.
    static func forgottenFinish(_ kept: Kept) {
        let queue = kept.queue("uploads", limit: 2)
        for number in 1...12 { queue.addOperation(Upload("upload \(number)", finishes: number != 12)) }
    }

    /// Nobody resumes the queue, and an operation of another queue depends on one of its operations.
    static func suspended(_ kept: Kept) {
        let queue = kept.queue("uploads", limit: 2)
        queue.isSuspended = true
        let uploads = (1...3).map { Work("upload \($0)") { nap(0.01) } }
        let index = Work("index") { nap(0.01) }
        index.addDependency(uploads[2])
        queue.addOperations(uploads, waitUntilFinished: false)
        kept.queue("search", limit: 1).addOperation(index)
    }

    /// Seven operations ask again and again for a value that the eighth would set: they leave it no thread.
    static func polling(_ kept: Kept) {
        let queue = kept.queue("polls", limit: 8)
        let isReleased = Released()
        for number in 1...7 {
            queue.addOperation(Work("poll \(number)") { while !isReleased.value.load(ordering: .relaxed) {} })
        }
        queue.addOperation(Work("release 1") { isReleased.value.store(true, ordering: .relaxed) })
    }

    private final class Released: Sendable {
        let value = Atomic(false)
    }
}
