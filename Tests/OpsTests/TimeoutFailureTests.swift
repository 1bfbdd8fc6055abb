import Foundation
import Inspector
import Ops
import Testing

@Suite("An operation that takes too long is cancelled, and fails with its timeout")
struct TimeoutFailureTests {
    private let clock = ManualClock()

    private func queue(_ recorder: Recorder = Recorder()) -> InstrumentedQueue {
        InstrumentedQueue(recorder: recorder)
    }

    @Test("an operation is cancelled when its timeout has passed, and not before")
    func timesOut() async {
        let never = Happening()
        let operation = TaskOperation { try await never.wait() }
        operation.setTimeout(.seconds(5), clock: clock)
        let queue = queue()
        queue.addOperation(operation)
        #expect(await clock.sleeper() == .seconds(5))
        clock.advance(by: .milliseconds(4_999))
        #expect(await clock.sleeper() == .milliseconds(1))
        #expect(!operation.isCancelled)
        clock.advance(by: .milliseconds(1))
        await queue.drained()
        #expect(operation.isCancelled)
        #expect((operation.failure as? TimeoutFailure)?.limit == .seconds(5))
        #expect(operation.output?.error is TimeoutFailure)
    }

    @Test("an operation that finishes in time does so as without a timeout, and the timer sleeps no longer")
    func inTime() async throws {
        let operation = TaskOperation { 42 }
        operation.setTimeout(.seconds(5), clock: clock)
        let queue = queue()
        queue.addOperation(operation)
        await queue.drained()
        #expect(operation.output?.value == 42)
        #expect(try await eventually { clock.sleeperCount == 0 })
    }

    @Test("a body's answer to the cancellation does not hide the timeout")
    func otherError() async {
        let never = Happening()
        let operation = TaskOperation<Int> {
            try? await never.wait()
            throw Refusal(reason: "interrupted")
        }
        operation.setTimeout(.seconds(5), clock: clock)
        let queue = queue()
        queue.addOperation(operation)
        _ = await clock.sleeper()
        clock.advance(by: .seconds(5))
        await queue.drained()
        #expect(operation.failure is TimeoutFailure)
    }

    @Test("the timeout of a group ends the children")
    func group() async {
        let never = Happening()
        let child = TaskOperation { try await never.wait() }
        let group = GroupOperation(recorder: Recorder())
        group.add(child)
        group.setTimeout(.seconds(5), clock: clock)
        let queue = queue()
        queue.addOperation(group)
        _ = await clock.sleeper()
        clock.advance(by: .seconds(6))
        await queue.drained()
        #expect(group.failure is TimeoutFailure)
        #expect(child.output?.error is CancellationError)
    }

    @Test("the wait for a key counts for the timeout")
    func waitForKey() async throws {
        let (holds, never) = (Happening(), Happening())
        let holder = TaskOperation {
            holds.happen()
            try await never.wait()
        }
        let waiter = TaskOperation { Issue.record("it ran") }
        for operation in [holder, waiter] { operation.exclusionKeys = [ExclusionKey(#function)] }
        waiter.setTimeout(.seconds(5), clock: clock)
        let queue = queue()
        queue.addOperation(holder)
        // It executes before it has the key.
        try await holds.wait()
        queue.addOperation(waiter)
        _ = await clock.sleeper()
        clock.advance(by: .seconds(5))
        await waiter.finished()
        #expect(waiter.failure is TimeoutFailure)
        holder.cancel()
        await queue.drained()
    }

    @Test("a dependent's error names the operation that timed out, and says so")
    func dependent() async {
        let never = Happening()
        let fetch = TaskOperation(name: "fetch") { try await never.wait() }
        fetch.setTimeout(.seconds(5), clock: clock)
        let decode = fetch.then {}
        let queue = queue()
        queue.addOperations([fetch, decode])
        _ = await clock.sleeper()
        clock.advance(by: .seconds(5))
        await queue.drained()
        #expect(decode.failure.map { "\($0)" } == "fetch failed: timed out after 5.0 seconds")
    }

    @Test("the trace has the timeout as a mark and as the outcome")
    func trace() async throws {
        let trace = try await recordedAsynchronously { recorder in
            let never = Happening()
            let fetch = TaskOperation(name: "fetch") { try await never.wait() }
            fetch.setTimeout(.seconds(5), clock: clock)
            let queue = queue(recorder)
            queue.addOperation(fetch)
            _ = await clock.sleeper()
            clock.advance(by: .seconds(5))
            await queue.drained()
        }
        trace.expectWhole()
        #expect(try trace.operation("fetch").outcome == .failed(message: "timed out after 5.0 seconds"))
        #expect(trace.marks.map(\.text) == ["timed out after 5.0 seconds"])
    }
}
