import Foundation
import Ops
import Testing

@Suite("Operations move the progress of their queue")
struct OperationProgressTests {
    private func queue(of units: Int64, slots: Int = -1) -> InstrumentedQueue {
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.maxConcurrentOperationCount = slots
        queue.progress.totalUnitCount = units
        return queue
    }

    @Test("each operation is one unit of progress, however it finished, many at once")
    func counts() {
        let queue = queue(of: 400)
        for number in 0..<400 {
            let operation = ClosureOperation { operation in
                if number % 3 == 0 { operation.finish(throwing: Refusal(reason: "no")) }
                operation.finish()
            }
            queue.addOperation(operation)
            if number % 5 == 0 { operation.cancel() }
        }
        queue.drain()
        #expect(soon { queue.progress.completedUnitCount == 400 })
        #expect(queue.progress.fractionCompleted == 1)
    }

    @Test("what an operation reports counts as a part of its unit")
    func parts() {
        let (reported, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let queue = queue(of: 4)
        let operation = ClosureOperation { operation in
            operation.reportProgress(50, of: 100)
            reported.signal()
            goOn.wait()
            operation.finish()
        }
        queue.addOperation(operation)
        reported.expectSignal()
        #expect(operation.progress.fractionCompleted == 0.5)
        #expect(queue.progress.fractionCompleted == 0.125)
        #expect(queue.progress.completedUnitCount == 0)
        goOn.signal()
        queue.drain()
        #expect(soon { queue.progress.completedUnitCount == 1 })
        operation.reportProgress(1, of: 100)
        #expect(operation.progress.fractionCompleted == 1)
        #expect(queue.progress.fractionCompleted == 0.25)
    }

    @Test("operations added before the queue's progress was first used count, and those added together")
    func addedBefore() {
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.isSuspended = true
        queue.addOperation(ClosureOperation())
        queue.addOperations([ClosureOperation(), ClosureOperation()], waitUntilFinished: false)
        queue.progress.totalUnitCount = 3
        queue.isSuspended = false
        queue.drain()
        #expect(soon { queue.progress.completedUnitCount == 3 })
    }

    @Test("only operations whose progress was used count in a plain queue")
    func plainQueue() {
        let queue = OperationQueue()
        queue.progress.totalUnitCount = 2
        let operation = ClosureOperation()
        #expect(operation.progress.fractionCompleted == 0)
        queue.addOperation(operation)
        queue.drain()
        #expect(soon { queue.progress.completedUnitCount == 1 })
    }

    @Test("a queue without a count of units reports nothing")
    func noUnits() {
        let queue = InstrumentedQueue(recorder: Recorder())
        #expect(queue.progress.totalUnitCount == 0)
        let operation = ClosureOperation()
        queue.addOperation(operation)
        queue.drain()
        #expect(queue.progress.completedUnitCount == 0)
        #expect(operation.progress.isFinished)
    }

    @Test("a group has a unit for each child of any class, including those added later")
    func groups() {
        let (reported, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let group = GroupOperation(maxConcurrentOperationCount: 1, recorder: Recorder())
        group.add(ForeignOperation())
        group.add(ClosureOperation())
        group.add(
            ClosureOperation { [unowned group] operation in
                group.add(ClosureOperation())
                reported.signal()
                goOn.wait()
                operation.finish()
            })
        let queue = queue(of: 2)
        queue.addOperation(group)
        reported.expectSignal()
        #expect(soon { group.progress.completedUnitCount == 2 })
        #expect(group.progress.totalUnitCount == 4)
        #expect(queue.progress.fractionCompleted == 0.25)
        goOn.signal()
        queue.drain()
        #expect(soon { queue.progress.completedUnitCount == 1 })
        #expect(group.progress.isFinished)
    }

    @Test("an operation whose parts end before it does is one unit all the same")
    func countedOnce() async {
        let queue = queue(of: 4)
        let retry = RetryOperation<Int>(
            policy: RetryPolicy(maximumAttempts: 3, delay: .constant(.zero), jitter: .none),
            recorder: Recorder()
        ) { number in
            TaskOperation {
                if number < 3 { throw Refusal(reason: "no") }
                return number
            }
        }
        let reporter = ClosureOperation { operation in
            operation.reportProgress(10, of: 10)
            operation.reportProgress(10, of: 20)
            operation.finish()
        }
        queue.addOperation(retry)
        queue.addOperation(reporter)
        await queue.drained()
        #expect(queue.progress.completedUnitCount == 2)
        #expect(!queue.progress.isFinished)
    }
}
