import Foundation
import Ops

/// A program that executes commands, one per line of standard input, and answers each with `done`. Operations
/// that it adds execute until a command finishes them. It records to `OPVIZ_TRACE`.
///
///     add QUEUE NAME [PREDECESSOR ...]   an operation in the queue NAME, made at its first use
///     regardless QUEUE NAME [PREDECESSOR ...]   the same, of one that runs also after one that failed
///     retry QUEUE NAME                   an operation whose first attempt fails, and whose second does not
///     await NAME                         answered when the operation executes
///     finish NAME | fail NAME            ends an operation that executes, or will end it when it does
///     drain QUEUE                        answered when all in the queue have finished
///     limit QUEUE COUNT | suspend QUEUE | resume QUEUE
///     deadlock QUEUE                     an operation that waits, in a queue of one slot, for another in it
///     load RATE                          empty operations a second from now on; 0: as many as it can
enum Service {
    static func run() {
        let rooms = Rooms()
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            rooms.take(words)
            FileHandle.standardOutput.write(Data("done\n".utf8))
        }
    }

    private final class Job: AsynchronousOperation, @unchecked Sendable {
        private let lock = NSCondition()
        private var hasBegun = false
        private var ending: Result<Void, Refusal>?

        override func main() {
            lock.lock()
            hasBegun = true
            let ending = ending
            lock.broadcast()
            lock.unlock()
            if let ending { end(ending) }
        }

        func waitUntilBegun() {
            lock.lock()
            while !hasBegun { lock.wait() }
            lock.unlock()
        }

        func endWhenBegun(_ result: Result<Void, Refusal>) {
            lock.lock()
            let hasBegun = hasBegun
            ending = result
            lock.unlock()
            if hasBegun { end(result) }
        }

        private func end(_ result: Result<Void, Refusal>) {
            switch result {
            case .success: finish()
            case .failure(let error): finish(throwing: error)
            }
        }
    }

    private struct Refusal: Error, CustomStringConvertible { let description = "told to fail" }

    /// The queues and operations by their names. One thread takes the lines.
    private final class Rooms {
        private var queues: [String: InstrumentedQueue] = [:]
        private var jobs: [String: Job] = [:]

        func take(_ words: [String]) {
            switch words.first {
            case "add", "regardless":
                let job = Job()
                job.runsRegardless = words[0] == "regardless"
                job.name = words[2]
                for predecessor in words[3...] {
                    if let predecessor = jobs[predecessor] { job.addDependency(predecessor) }
                }
                jobs[words[2]] = job
                queue(words[1]).addOperation(job)
            case "retry":
                let policy = RetryPolicy(maximumAttempts: 2, delay: .exponential(first: .milliseconds(1)))
                let retry = RetryOperation(name: words[2], policy: policy) { number in
                    TaskOperation(name: "attempt \(number)") { if number == 1 { throw Refusal() } }
                }
                queue(words[1]).addOperation(retry)
            case "await": jobs[words[1]]?.waitUntilBegun()
            case "finish": jobs[words[1]]?.endWhenBegun(.success(()))
            case "fail": jobs[words[1]]?.endWhenBegun(.failure(Refusal()))
            case "drain": queue(words[1]).waitUntilAllOperationsAreFinished()
            case "limit": queue(words[1]).maxConcurrentOperationCount = Int(words[2]) ?? 1
            case "suspend": queue(words[1]).isSuspended = true
            case "resume": queue(words[1]).isSuspended = false
            case "deadlock": deadlock(queue(words[1]))
            case "occupy": occupy(queue(words[1]), words[2])
            case "load": load(Double(words[1]) ?? 0)
            default: exit(1)
            }
        }

        private func queue(_ name: String) -> InstrumentedQueue {
            if let known = queues[name] { return known }
            let queue = InstrumentedQueue()
            queue.name = name
            queues[name] = queue
            return queue
        }

        /// Until the program ends.
        private func occupy(_ queue: InstrumentedQueue, _ how: String) {
            let begun = DispatchSemaphore(value: 0)
            let operation = SynchronousOperation(name: how) {
                begun.signal()
                while true { if how == "sleeps" { sleep(100) } }
            }
            queue.addOperation(operation)
            begun.wait()
        }

        private func deadlock(_ queue: InstrumentedQueue) {
            queue.maxConcurrentOperationCount = 1
            let inner = SynchronousOperation(name: "inner") {}
            let outer = SynchronousOperation(name: "outer") { [unowned queue] in
                queue.addOperations([inner], waitUntilFinished: true)
            }
            queue.addOperation(outer)
        }

        /// From a thread of its own; a hundred at a time, so that the pauses are long enough to be kept to.
        private func load(_ rate: Double) {
            let queue = queue("load")
            queue.maxConcurrentOperationCount = 2
            Thread.detachNewThread {
                let start = DispatchTime.now().uptimeNanoseconds
                var added = 0.0
                while true {
                    queue.addOperations((0..<100).map { _ in BlockOperation {} }, waitUntilFinished: true)
                    added += 100
                    let due = rate > 0 ? start + UInt64(added / rate * 1e9) : 0
                    let now = DispatchTime.now().uptimeNanoseconds
                    if due > now { usleep(UInt32((due - now) / 1000)) }
                }
            }
        }
    }
}
