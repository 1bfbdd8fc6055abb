import Foundation
import Inspector
import Ops
import Testing

@Suite("A task operation that is cancelled, or finished by hand, ends once and in every case")
struct TaskOperationCancellationTests {
    private enum Stage: CaseIterable { case beforeEnqueue, waiting, running, finished }

    @Test(
        "a task operation cancelled at any stage finishes, and its body runs only if it had begun",
        arguments: Stage.allCases)
    private func cancelled(stage: Stage) async throws {
        let trace = try await recordedAsynchronously { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let (begun, never, journal) = (Happening(), Happening(), Journal())
            let operation = TaskOperation(name: "cancelled") {
                journal.note("began")
                begun.happen()
                if stage == .running { try await never.wait() }
                return 42
            }
            if stage == .beforeEnqueue { operation.cancel() }
            queue.isSuspended = true
            queue.addOperation(operation)
            if stage == .waiting { operation.cancel() }
            #expect(operation.output == nil)
            queue.isSuspended = false
            if stage == .running {
                try await begun.wait()
                operation.cancel()
            }
            await queue.drained()
            if stage == .finished { operation.cancel() }
            let ran = stage == .running || stage == .finished
            #expect(journal.all == (ran ? ["began"] : []))
            #expect(operation.isFinished)
            if stage == .finished {
                #expect(operation.output?.value == 42)
            } else {
                #expect(operation.output?.error is CancellationError)
            }
        }
        trace.expectWhole()
        #expect(try trace.operation("cancelled").outcome == (stage == .finished ? .succeeded : .cancelled))
    }

    @Test("the output of a task operation's body after a cancellation is dropped")
    func cancelledUnheard() async throws {
        let (begun, goOn) = (DispatchSemaphore(value: 0), Happening())
        let operation = TaskOperation {
            begun.signal()
            // A task of its own: the cancellation does not reach it.
            try await Task.detached { try await goOn.wait() }.value
            return 42
        }
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.addOperation(operation)
        #expect(try await eventually { begun.wait(timeout: .now()) == .success })
        operation.cancel()
        #expect(!operation.isFinished && operation.output == nil)
        goOn.happen()
        await queue.drained()
        #expect(operation.output?.error is CancellationError)
    }

    @Test("a task operation cancelled by another thread at any moment finishes once, with one output")
    func cancellationRace() async throws {
        let completions = Journal()
        let queue = InstrumentedQueue(recorder: Recorder())
        let operations = (0..<1_000).map { _ in TaskOperation { 42 } }
        for operation in operations {
            operation.completionBlock = { completions.note("completed") }
            queue.addOperation(operation)
            DispatchQueue.global().async { operation.cancel() }
        }
        await queue.drained()
        for operation in operations {
            let output = operation.output
            #expect(output?.value == 42 || output?.error is CancellationError)
            #expect(output?.value == nil || operation.failure == nil)
        }
        #expect(try await eventually { completions.all.count == operations.count })
    }

    @Test("a task operation finished by hand cancels its task, fails, and never has an output")
    func finishedByHand() async throws {
        let (begun, over, never) = (Happening(), Happening(), Happening())
        let operation = TaskOperation {
            begun.happen()
            try? await never.wait()
            over.happen()
            return 42
        }
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.addOperation(operation)
        try await begun.wait()
        operation.finish()
        #expect(operation.isFinished && operation.output?.value == nil && operation.failure != nil)
        try await over.wait()
        #expect(operation.output?.value == nil)
        await queue.drained()
    }

    @Test("a task operation finished by hand at any moment has the output or a failure, the same ever after")
    func finishRace() async {
        let queue = InstrumentedQueue(recorder: Recorder())
        let operations = (0..<1_000).map { _ in TaskOperation { 42 } }
        for operation in operations {
            queue.addOperation(operation)
            DispatchQueue.global().async { operation.finish() }
        }
        await queue.drained()
        let first = operations.map { $0.output?.value }
        for operation in operations { #expect((operation.failure == nil) == (operation.output?.value == 42)) }
        #expect(operations.map { $0.output?.value } == first)
    }
}
