import Foundation

/// Programs with one planted fault each, of plain Foundation operations: `faults NAME`.
///
/// Record one with `opviz record -o t.json -- .build/debug/faults NAME`, and ask the commands about it. Each
/// ends on its own after 2 s, whether or not it is stuck.
@main
struct Faults {
    private static let programs: [(name: String, run: @Sendable (_ keep: Kept) -> Void)] = [
        ("circle", { circle($0) }), ("semaphore", { semaphore($0) }), ("follow-up", { followUp($0) }),
        ("never-added", { neverAdded($0) }), ("forgotten-finish", { forgottenFinish($0) }),
        ("suspended", { suspended($0) }),
    ]

    static func main() {
        let name = CommandLine.arguments.dropFirst().first
        guard let program = programs.first(where: { $0.name == name }) else {
            FileHandle.standardError.write(
                Data("usage: faults \(programs.map(\.name).joined(separator: "|"))\n".utf8))
            exit(64)
        }
        let kept = Kept()
        program.run(kept)
        Thread.sleep(forTimeInterval: 2)
        withExtendedLifetime(kept) { exit(0) }
    }

    /// Three operations that each depend on the next.
    private static func circle(_ kept: Kept) {
        let steps = ["decode 1", "resize 1", "upload 1"].map { Work($0) { nap(0.01) } }
        for (index, step) in steps.enumerated() { step.addDependency(steps[(index + 1) % steps.count]) }
        kept.queue("images", limit: 2).addOperations(steps, waitUntilFinished: false)
    }

    /// The operation in the only slot waits for one that it added to its own queue.
    private static func semaphore(_ kept: Kept) {
        let queue = kept.queue("db", limit: 1)
        queue.addOperation(
            Work("query 1") {
                let done = DispatchSemaphore(value: 0)
                queue.addOperation(Work("query 2") { done.signal() })
                done.wait()
            })
        queue.addOperation(Work("query 3") { nap(0.01) })
    }

    /// Each operation adds the next to its own serial queue and goes on. None waits for another.
    private static func followUp(_ kept: Kept) {
        let queue = kept.queue("journal", limit: 1)
        queue.addOperation(
            Work("flush 1") {
                queue.addOperation(Work("write 1") { nap(0.01) })
                nap(5)
            })
    }

    /// An operation depends on one that no queue ever gets.
    private static func neverAdded(_ kept: Kept) {
        let queue = kept.queue("images", limit: 2)
        let login = kept.operation(Work("login") {})
        for number in 1...4 {
            let decode = Work("decode \(number)") { nap(0.01) }
            if number == 4 { decode.addDependency(login) }
            queue.addOperation(decode)
        }
    }

    /// The last of twelve asynchronous operations never calls its `finish()`.
    private static func forgottenFinish(_ kept: Kept) {
        let queue = kept.queue("uploads", limit: 2)
        for number in 1...12 { queue.addOperation(Upload("upload \(number)", finishes: number != 12)) }
    }

    /// Nobody resumes the queue.
    private static func suspended(_ kept: Kept) {
        let queue = kept.queue("uploads", limit: 2)
        queue.isSuspended = true
        for number in 1...3 { queue.addOperation(Work("upload \(number)") { nap(0.01) }) }
    }

    private static func nap(_ seconds: Double) { Thread.sleep(forTimeInterval: seconds) }
}

/// What has to live as long as the program.
final class Kept: @unchecked Sendable {
    private var objects: [AnyObject] = []

    func queue(_ name: String, limit: Int) -> OperationQueue {
        let queue = OperationQueue()
        queue.name = name
        queue.maxConcurrentOperationCount = limit
        objects.append(queue)
        return queue
    }

    func operation(_ operation: Operation) -> Operation {
        objects.append(operation)
        return operation
    }
}
