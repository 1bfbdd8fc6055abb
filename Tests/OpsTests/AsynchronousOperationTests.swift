import Foundation
import Ops
import Testing

/// Each test is a row of the table of patterns that go wrong by hand; here they cannot.
@Suite("An asynchronous operation is safe from the mistakes that people make by hand")
struct AsynchronousOperationTests {
    private struct Failure: Error {}

    private func serialQueue() -> InstrumentedQueue {
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.maxConcurrentOperationCount = 1
        return queue
    }

    @Test("an operation cancelled while pending does not finish before its start, and completes once")
    func cancelBeforeStart() {
        let queue = serialQueue()
        queue.isSuspended = true
        let completions = Journal()
        let operation = ClosureOperation { _ in Issue.record("the body of a cancelled operation ran") }
        operation.completionBlock = { completions.note("completed") }
        queue.addOperation(operation)
        operation.cancel()
        #expect(operation.isCancelled && !operation.isFinished)
        queue.isSuspended = false
        queue.drain()
        #expect(operation.isFinished)
        #expect(soon { completions.all == ["completed"] })
    }

    @Test("an operation cancelled before its start still finishes and frees its slot")
    func cancelledFreesSlot() {
        let queue = serialQueue()
        queue.isSuspended = true
        let journal = Journal()
        let cancelled = ClosureOperation { _ in Issue.record("the body of a cancelled operation ran") }
        queue.addOperation(cancelled)
        queue.addOperation { journal.note("next") }
        cancelled.cancel()
        queue.isSuspended = false
        queue.drain()
        #expect(journal.all == ["next"])
    }

    @Test("an operation whose body finishes at once is finished, not executing")
    func finishInsideBody() {
        let queue = serialQueue()
        let operation = ClosureOperation { $0.finish() }
        queue.addOperation(operation)
        queue.drain()
        #expect(operation.isFinished && !operation.isExecuting)
    }

    @Test("a finish before the start takes effect at the start, without the body")
    func finishBeforeStart() {
        let queue = serialQueue()
        queue.isSuspended = true
        let operation = ClosureOperation { _ in Issue.record("the body of a finished operation ran") }
        queue.addOperation(operation)
        operation.finish(throwing: Failure())
        #expect(!operation.isFinished && operation.failure == nil)
        queue.isSuspended = false
        queue.drain()
        #expect(operation.isFinished && operation.failure is Failure)
    }

    @Test("calls of finish from many threads at once complete the operation once, with the first outcome")
    func finishManyTimes() {
        let queue = serialQueue()
        for _ in 0..<50 {
            let completions = Journal()
            let started = DispatchSemaphore(value: 0)
            let operation = ClosureOperation { _ in started.signal() }
            operation.completionBlock = { completions.note("completed") }
            let dependent = BlockOperation { completions.note("dependent") }
            dependent.addDependency(operation)
            queue.addOperation(operation)
            queue.addOperation(dependent)
            started.expectSignal()
            DispatchQueue.concurrentPerform(iterations: 8) { _ in operation.finish() }
            queue.drain()
            #expect(soon { Set(completions.all) == ["completed", "dependent"] }, "\(completions.all)")
            #expect(completions.all.count == 2)
        }
    }

    @Test("the first finish decides the outcome")
    func firstFinishDecides() {
        let operation = ClosureOperation {
            $0.finish()
            $0.finish(throwing: Failure())
        }
        operation.start()
        #expect(operation.isFinished && operation.failure == nil)
    }

    @Test("an operation cancelled while executing continues until it finishes itself")
    func cancelWhileExecuting() {
        let queue = serialQueue()
        let started = DispatchSemaphore(value: 0)
        let operation = ClosureOperation { _ in started.signal() }
        queue.addOperation(operation)
        started.expectSignal()
        operation.cancel()
        #expect(operation.isCancelled && operation.isExecuting && !operation.isFinished)
        operation.finish()
        queue.drain()
        #expect(operation.isFinished)
    }

    @Test("work that continues after the body delays its dependents")
    func asynchronousWork() {
        let queue = serialQueue()
        let journal = Journal()
        let started = DispatchSemaphore(value: 0)
        let operation = ClosureOperation { _ in started.signal() }
        let dependent = BlockOperation { journal.note("dependent") }
        dependent.addDependency(operation)
        queue.addOperation(operation)
        queue.addOperation(dependent)
        started.expectSignal()
        #expect(journal.all.isEmpty && !dependent.isReady)
        operation.finish()
        queue.drain()
        #expect(journal.all == ["dependent"])
    }

    @Test("an operation is never executing and finished at once, nor neither after its start")
    func stateIsConsistent() {
        let queue = InstrumentedQueue(recorder: Recorder())
        for _ in 0..<200 {
            let started = DispatchSemaphore(value: 0)
            let operation = ClosureOperation { _ in started.signal() }
            queue.addOperation(operation)
            started.expectSignal()
            DispatchQueue.global().async { operation.finish() }
            while true {
                let finishedBefore = operation.isFinished
                let executing = operation.isExecuting
                let finishedAfter = operation.isFinished
                if finishedBefore { #expect(!executing) }
                if !executing { #expect(finishedAfter) }
                if finishedAfter { break }
            }
        }
        queue.drain()
    }

    @Test("a dependency and the completion block are let go at the end, and with them a cycle")
    func nothingIsKept() {
        weak var weakFirst: Operation?
        weak var weakSecond: Operation?
        let queue = serialQueue()
        do {
            let first = ClosureOperation()
            let second = ClosureOperation()
            second.addDependency(first)
            first.completionBlock = { withExtendedLifetime(second) {} }
            second.completionBlock = { withExtendedLifetime(second) {} }
            (weakFirst, weakSecond) = (first, second)
            queue.addOperation(first)
            queue.addOperation(second)
        }
        queue.drain()
        #expect(soon { weakFirst == nil && weakSecond == nil })
    }

    @Test("an operation dropped while its dependency is unfinished leaves nothing dangling")
    func droppedDependent() {
        let dependency = ClosureOperation()
        for _ in 0..<100 {
            let dependent = ClosureOperation()
            dependent.addDependency(dependency)
        }
        dependency.start()
        #expect(dependency.isFinished)
    }

    @Test("a started operation is always ready: readiness cannot be overridden")
    func readiness() {
        let dependency = ClosureOperation()
        let operation = ClosureOperation()
        operation.addDependency(dependency)
        #expect(!operation.isReady)
        dependency.start()
        #expect(operation.isReady)
        #expect(operation.isAsynchronous)
    }

    @Test("starting an operation twice is fatal")
    func doubleStart() async {
        await #expect(processExitsWith: .failure) {
            let operation = ClosureOperation { _ in }
            operation.start()
            operation.start()
        }
    }

    /// Several times: which thread comes first is not the same each time.
    @Test("starting an operation from two threads at once is fatal, and its body runs once", arguments: 0..<5)
    func simultaneousStart(round: Int) async {
        await #expect(processExitsWith: .failure) {
            /// Lets two threads into `start()` together: it asks whether it was cancelled.
            final class Met: AsynchronousOperation, @unchecked Sendable {
                private let counts = Mutexed((asked: 0, bodies: 0))
                override var isCancelled: Bool {
                    counts.withLock { $0.asked += 1 }
                    while counts.withLock({ $0.asked }) < 2 { sched_yield() }
                    return false
                }
                override func main() {
                    let isSecond = counts.withLock { counts in
                        counts.bodies += 1
                        return counts.bodies == 2
                    }
                    // As if nothing had gone wrong: the test fails.
                    if isSecond { exit(0) }
                }
            }
            for _ in 0..<100 {
                let operation = Met()
                let done = DispatchSemaphore(value: 0)
                for _ in 0..<2 {
                    Thread.detachNewThread {
                        operation.start()
                        done.signal()
                    }
                }
                for _ in 0..<2 { done.wait() }
            }
            exit(0)
        }
    }

    @Test("starting an operation again after the end does nothing")
    func startAfterFinish() {
        let journal = Journal()
        let operation = ClosureOperation {
            journal.note("ran")
            $0.finish()
        }
        operation.start()
        operation.start()
        #expect(journal.all == ["ran"])
    }

    /// One whose body is all that it does.
    private final class Body: AsynchronousOperation, @unchecked Sendable {
        private let work: @Sendable (Body) -> Void

        init(work: @escaping @Sendable (Body) -> Void) {
            self.work = work
            super.init()
        }

        override var isAsynchronous: Bool { false }

        override func main() { work(self) }
    }

    @Test("an operation in synchronous mode finishes by itself at the end of its body, and not before")
    func synchronousMode() {
        let isExecuting = Mutexed(false)
        let operation = Body { body in isExecuting.withLock { $0 = body.isExecuting && !body.isFinished } }
        let failed = Body { $0.finish(throwing: Failure()) }
        let queue = serialQueue()
        queue.addOperations([operation, failed], waitUntilFinished: false)
        queue.drain()
        #expect(isExecuting.withLock { $0 } && operation.isFinished && operation.failure == nil)
        #expect(failed.failure is Failure)
    }

    @Test(
        "an operation's body does not run after a failed or cancelled dependency, unless it runs regardless")
    func failedDependency() {
        let failed = ClosureOperation("fetch") { $0.finish(throwing: Refusal(reason: "no")) }
        let cancelled = ForeignOperation("check")
        cancelled.cancel()
        let queue = serialQueue()
        for dependency in [failed, cancelled] {
            let skipped = ClosureOperation { _ in Issue.record("it ran") }
            let ran = ClosureOperation()
            ran.runsRegardless = true
            for operation in [skipped, ran] { operation.addDependency(dependency) }
            queue.addOperations([skipped, ran, dependency], waitUntilFinished: false)
            queue.drain()
            #expect((skipped.failure as? DependencyFailure)?.dependency == dependency.name)
            #expect(ran.isFinished && ran.failure == nil)
        }
    }
}
