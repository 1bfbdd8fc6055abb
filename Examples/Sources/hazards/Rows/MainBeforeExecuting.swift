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

    /// Whether all threads that began to wait before the operation started get beyond it. Of many, the last
    /// to wake wakes late, also on a fast machine.
    private static func waitReturns(for operation: Operation, within seconds: Double) -> Bool {
        let queue = InstrumentedQueue()
        queue.name = "lookups"
        queue.isSuspended = true
        queue.addOperation(operation)
        let waiters = (1...waiterCount).map { _ in (waiting: Gate(), returned: Gate()) }
        for (waiting, returned) in waiters {
            Thread.detachNewThread {
                waiting.open()
                operation.waitUntilFinished()
                returned.open()
            }
        }
        for waiter in waiters { waiter.waiting.pass() }
        // Nothing reports that the threads have begun to wait; after a moment, it is likely.
        usleep(10_000)
        queue.isSuspended = false
        return queue.isEmpty() && waiters.allSatisfy { $0.returned.pass(within: seconds) }
    }

    private static let waiterCount = 12
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
