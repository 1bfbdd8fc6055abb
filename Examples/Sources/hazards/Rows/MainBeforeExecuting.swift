import Foundation
import Ops

extension HazardProgram {
    /// A `start()` that calls `main()` and then sets executing overwrites the finished state of a body that
    /// completes at once. The operation executes forever, and a thread that waits for it hangs.
    static let mainBeforeExecuting = HazardProgram(
        id: "main-before-executing",
        summary: "start() calls main(), then sets executing: a body that completes at once is overwritten",
        wrong: {
            // The waiter may wake before the state is overwritten: until it did not.
            for round in 1...50
            where !waitReturns(for: HandWrittenLookup("lookup \(round)"), within: quietTime) {
                return .wentWrong("finished, and then executing for ever: lookup \(round); its waiter hangs")
            }
            return .didItsJob("not seen: every waiter went on")
        },
        right: {
            for round in 1...5 where !waitReturns(for: Lookup("lookup \(round)"), within: longEnough) {
                return .wentWrong("its waiter hangs: lookup \(round)")
            }
            return .didItsJob("every waiter went on")
        })

    /// Whether a thread that began to wait before the operation started gets beyond it.
    private static func waitReturns(for operation: Operation, within seconds: Double) -> Bool {
        let queue = InstrumentedQueue()
        queue.name = "lookups"
        queue.isSuspended = true
        queue.addOperation(operation)
        let (waiting, returned) = (Gate(), Gate())
        Thread.detachNewThread {
            waiting.open()
            operation.waitUntilFinished()
            returned.open()
        }
        waiting.pass()
        // Nothing reports that the thread has begun to wait; after a moment, it is likely.
        usleep(10_000)
        queue.isSuspended = false
        return queue.isEmpty() && returned.pass(within: seconds)
    }
}

private final class HandWrittenLookup: AsyncOperation, @unchecked Sendable {
    override func start() {
        if isCancelled {
            finish()
            return
        }
        main()
        state = .executing
    }

    /// It is in the cache: nothing to wait for.
    override func main() { finish() }
}

private final class Lookup: AsynchronousOperation, @unchecked Sendable {
    init(_ name: String) {
        super.init()
        self.name = name
    }

    override func main() { finish() }
}
