import Foundation
import Inspector
import Ops
import Testing

@Suite("A task awaits an operation without blocking a thread")
struct FinishedOperationTests {
    @Test("a task awaits operations of any class, before and after its end")
    func awaits() async {
        let operations = [ForeignOperation(), BlockOperation {}, ClosureOperation()]
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.isSuspended = true
        queue.addOperations(operations)
        async let all: Void = {
            for operation in operations { await operation.finished() }
        }()
        queue.isSuspended = false
        await all
        for operation in operations {
            #expect(operation.isFinished)
            await operation.finished()
        }
    }

    @Test("a task takes an awaited operation's value, or its error")
    func value() async throws {
        let queue = InstrumentedQueue(recorder: Recorder())
        let answer = TaskOperation { 42 }
        let refused = TaskOperation<Int> { throw Refusal(reason: "no") }
        let cancelled = TaskOperation { 42 }
        cancelled.cancel()
        queue.addOperations([answer, refused, cancelled])
        #expect(try await answer.value == 42)
        await #expect(throws: Refusal(reason: "no")) { try await refused.value }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }

    @Test("a task that awaits leaves nothing in the queue, in the trace, or in memory")
    func leavesNothing() async throws {
        weak var weakOperation: Operation?
        let trace = try await recordedAsynchronously { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let operation = TaskOperation(name: "only") {}
            weakOperation = operation
            queue.addOperation(operation)
            await operation.finished()
            await queue.drained()
        }
        #expect(trace.operations.map(\.name) == ["only"])
        #expect(try await eventually { weakOperation == nil })
    }
}
