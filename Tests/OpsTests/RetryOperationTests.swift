import Foundation
import Inspector
import Ops
import Testing

@Suite("A retry operation tries until it succeeds or its policy ends it")
struct RetryOperationTests {
    private let clock = ManualClock(jumps: true)
    private let queue = InstrumentedQueue(recorder: Recorder())

    private func policy(attempts: Int = 5) -> RetryPolicy {
        RetryPolicy(maximumAttempts: attempts, delay: .exponential(first: .seconds(1)), jitter: .none)
    }

    /// An operation that fails until the attempt of that number.
    private func retry(
        untilAttempt success: Int, policy: RetryPolicy? = nil, recorder: Recorder = Recorder()
    ) -> RetryOperation<Int> {
        RetryOperation(
            name: "retry", policy: policy ?? self.policy(), clock: clock, recorder: recorder
        ) { number in
            TaskOperation {
                guard number >= success else { throw Refusal(reason: "no \(number)") }
                return number
            }
        }
    }

    private func run(_ operations: Operation...) async {
        queue.addOperations(operations)
        await queue.drained()
    }

    @Test("a retry's output is that of the first attempt that succeeds, after the policy's delays")
    func succeeds() async {
        let retry = retry(untilAttempt: 4)
        let next = retry.then { $0 * 10 }
        await run(next, retry)
        #expect(retry.output?.value == 4 && retry.failure == nil && next.output?.value == 40)
        #expect(clock.sleeps == [.seconds(1), .seconds(2), .seconds(4)])
    }

    @Test("a retry has no delay and no second attempt if the first succeeds")
    func succeedsAtOnce() async {
        let retry = retry(untilAttempt: 1)
        await run(retry)
        #expect(retry.output?.value == 1 && clock.sleeps == [] && retry.children.count == 1)
    }

    @Test("a retry fails with the error of the last attempt if none succeeds")
    func fails() async {
        let retry = retry(untilAttempt: .max, policy: policy(attempts: 3))
        await run(retry)
        #expect(retry.failure as? Refusal == Refusal(reason: "no 3"))
        #expect(retry.output?.error as? Refusal == Refusal(reason: "no 3"))
        #expect(clock.sleeps == [.seconds(1), .seconds(2)])
    }

    @Test("a retry fails with an error that its policy does not try again")
    func notWorthRetrying() async {
        var policy = policy()
        policy.shouldRetry = { error, _ in (error as? Refusal)?.reason != "no 2" }
        let retry = retry(untilAttempt: .max, policy: policy)
        await run(retry)
        #expect(retry.failure as? Refusal == Refusal(reason: "no 2"))
    }

    @Test("the same random source gives the same delays in every run")
    func deterministic() async {
        struct Half: RandomNumberGenerator {
            mutating func next() -> UInt64 { 1 << 63 }
        }
        let policy = RetryPolicy(maximumAttempts: 4, delay: .constant(.seconds(2)), random: Half())
        await run(retry(untilAttempt: .max, policy: policy))
        let once = clock.sleeps
        await run(retry(untilAttempt: .max, policy: policy))
        #expect(once.count == 3 && clock.sleeps == once + once)
    }

    @Test("a retry can make thousands of attempts without a delay between them")
    func many() async {
        let policy = RetryPolicy(maximumAttempts: .max, delay: .constant(.zero), jitter: .none)
        let retry = retry(untilAttempt: 3_000, policy: policy)
        await run(retry)
        #expect(retry.output?.value == 3_000 && retry.children.count == 3_000 && clock.sleeps == [])
    }

    @Test("the trace has each attempt and each delay as a child, with its outcome")
    func trace() async throws {
        let trace = try await recordedAsynchronously { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let retry = RetryOperation(
                name: "retry", policy: policy(), clock: clock, recorder: recorder
            ) { number in
                TaskOperation(name: number == 3 ? "the last" : nil) {
                    guard number == 3 else { throw Refusal(reason: "no") }
                }
            }
            queue.addOperation(retry)
            await queue.drained()
        }
        trace.expectWhole()
        let retry = try #require(trace.operations.firstIndex { $0.name == "retry" })
        #expect(trace.operations[retry].outcome == .succeeded)
        let children = trace.operations.filter { $0.parent == retry }
        #expect(
            children.map(\.name) == [
                "attempt 1", "before attempt 2", "attempt 2", "before attempt 3", "the last",
            ])
        let failed = Outcome.failed(message: "no")
        #expect(children.map(\.outcome) == [failed, .succeeded, failed, .succeeded, .succeeded])
        #expect(children.map(\.kind)[1] == "DelayOperation")
        for (child, next) in zip(children, children.dropFirst()) {
            #expect(trace.predecessors(of: next.name ?? "") == [child.name])
        }
    }

    @Test("an attempt may be of any class, a group among them, and each of another one")
    func attempts() async {
        let retry = RetryOperation<[Int]>(policy: policy(), clock: clock, recorder: Recorder()) { number in
            if number == 1 { return TaskOperation { throw Refusal(reason: "no") } }
            if number == 2 { return SynchronousOperation { throw Refusal(reason: "no") } }
            return GatherOperation(0..<3, recorder: Recorder()) { number in TaskOperation { number } }
        }
        await run(retry)
        #expect(retry.output?.value == [0, 1, 2])
    }

    // MARK: Cancellation

    @Test("a retry cancelled before its start makes no attempt")
    func cancelledBefore() async {
        let retry = RetryOperation(policy: policy(), recorder: Recorder()) { _ in
            Issue.record("it was made")
            return TaskOperation { 1 }
        }
        retry.cancel()
        await run(retry)
        #expect(retry.output?.error is CancellationError && retry.children.isEmpty)
    }

    @Test("a retry cancelled during an attempt cancels that and makes no other")
    func cancelledDuringAttempt() async throws {
        let (begun, never) = (Happening(), Happening())
        let retry = RetryOperation(policy: policy(), clock: clock, recorder: Recorder()) { _ in
            TaskOperation {
                begun.happen()
                try await never.wait()
            }
        }
        queue.addOperation(retry)
        try await begun.wait()
        retry.cancel()
        await queue.drained()
        #expect(retry.output?.error is CancellationError && retry.children.count == 1)
    }

    @Test("a retry cancelled during a delay ends that and makes no other attempt", arguments: [true, false])
    func cancelledDuringDelay(isDelayItself: Bool) async throws {
        let clock = ManualClock()
        let retry = RetryOperation(policy: policy(), clock: clock, recorder: Recorder()) { _ in
            TaskOperation<Int> { throw Refusal(reason: "no") }
        }
        queue.addOperation(retry)
        #expect(try await eventually { clock.sleeperCount == 1 })
        if isDelayItself { retry.children[1].cancel() } else { retry.cancel() }
        await queue.drained()
        #expect(retry.children.count == 2 && retry.children.allSatisfy(\.isFinished))
        let error = retry.output?.error
        #expect(isDelayItself ? error is Refusal : error is CancellationError)
    }

    @Test("an attempt that is cancelled by itself ends the retry")
    func cancelledAttempt() async {
        let retry = RetryOperation(policy: policy(), clock: clock, recorder: Recorder()) { _ in
            TaskOperation<Int> { throw CancellationError() }
        }
        await run(retry)
        #expect(retry.output?.error is CancellationError && retry.children.count == 1)
    }

    @Test("a retry finished by hand during a delay fails for want of an output, and makes no other attempt")
    func finishedByHand() async throws {
        let clock = ManualClock()
        let retry = RetryOperation(policy: policy(), clock: clock, recorder: Recorder()) { _ in
            TaskOperation<Int> { throw Refusal(reason: "no") }
        }
        queue.addOperation(retry)
        #expect(try await eventually { clock.sleeperCount == 1 })
        retry.finish()
        await queue.drained()
        #expect(retry.output?.error.map { "\($0)" } == "it was finished without an output")
        await retry.queue.drained()
        #expect(retry.children.count == 2)
    }

    @Test("a retry cancelled at any moment from another thread finishes")
    func cancelledAnytime() async {
        for _ in 0..<300 {
            let policy = RetryPolicy(maximumAttempts: 4, delay: .constant(.seconds(1)), jitter: .none)
            let retry = retry(untilAttempt: 4, policy: policy)
            Thread.detachNewThread { retry.cancel() }
            await run(retry)
            #expect(retry.isFinished && retry.children.allSatisfy(\.isFinished))
        }
    }

    // MARK: Memory

    @Test("a retry is freed with its attempts, and its closure when it has finished")
    func freed() async throws {
        final class Token: Sendable {}
        weak var weakToken: Token?
        weak var weakRetry: Operation?
        weak var weakAttempt: Operation?
        let told = Mutexed<Int?>(nil)
        do {
            let token = Token()
            let retry = RetryOperation(
                policy: policy(), clock: clock, recorder: Recorder(),
                completion: { result in
                    withExtendedLifetime(token) { told.withLock { $0 = result.value } }
                },
                attempt: { number in
                    TaskOperation {
                        guard number == 2 else { throw Refusal(reason: "no") }
                        return withExtendedLifetime(token) { number }
                    }
                })
            (weakToken, weakRetry) = (token, retry)
            await run(retry)
            #expect(try await eventually { told.withLock { $0 } == 2 })
            weakAttempt = retry.children[0]
        }
        #expect(try await eventually { weakToken == nil })
        #expect(try await eventually { weakRetry == nil && weakAttempt == nil })
    }
}
