import Foundation
import Ops
import Testing

@Suite("A synchronous operation runs its body on the queue's thread")
struct SynchronousOperationTests {
    private let queue = InstrumentedQueue(recorder: Recorder())

    @Test("the output is what the body returns, and the failure what it throws")
    func outcome() {
        let operation = SynchronousOperation { 42 }
        let failed = SynchronousOperation<Int> { throw Refusal(reason: "no") }
        #expect(operation.output == nil && !operation.isAsynchronous)
        queue.addOperations([operation, failed])
        queue.drain()
        #expect(operation.output?.value == 42)
        #expect(failed.output?.error as? Refusal == Refusal(reason: "no"))
    }

    @Test("a synchronous operation executes while its body runs, in its queue, on a thread that may block")
    func thread() {
        let isRight = Mutexed(false)
        let gate = DispatchSemaphore(value: 0)
        let operation = SynchronousOperation { [queue] in
            isRight.withLock { $0 = OperationQueue.current === queue }
            gate.wait()
        }
        queue.addOperation(operation)
        #expect(soon { operation.isExecuting })
        gate.signal()
        queue.drain()
        #expect(isRight.withLock { $0 } && operation.isFinished)
    }

    @Test("a subclass overrides the body, and stops when it was cancelled")
    func cancelled() {
        final class Unpacking: SynchronousOperation<Int>, @unchecked Sendable {
            let begun = DispatchSemaphore(value: 0)

            override func run() throws -> Int {
                begun.signal()
                while true { try checkCancellation() }
            }
        }
        let operation = Unpacking(name: "unpack")
        queue.addOperation(operation)
        operation.begun.expectSignal()
        operation.cancel()
        queue.drain()
        #expect(operation.output?.error is CancellationError)
    }

    @Test("the output of a cancelled operation's body is dropped")
    func dropped() {
        let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let operation = SynchronousOperation {
            begun.signal()
            goOn.wait()
            return 42
        }
        queue.addOperation(operation)
        begun.expectSignal()
        operation.cancel()
        goOn.signal()
        queue.drain()
        #expect(operation.output?.error is CancellationError)
    }

    @Test("a synchronous operation and its body's references are freed")
    func freed() {
        final class Token: Sendable {}
        weak var weakToken: Token?
        let operation: SynchronousOperation<Int>
        do {
            let token = Token()
            weakToken = token
            operation = SynchronousOperation { withExtendedLifetime(token) { 42 } }
        }
        queue.addOperation(operation)
        queue.drain()
        #expect(soon { weakToken == nil })
        #expect(operation.output?.value == 42)
    }
}
