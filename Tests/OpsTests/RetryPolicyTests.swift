import Foundation
import Inspector
import Ops
import Testing

@Suite("A retry policy says how long to wait, and when to give up")
struct RetryPolicyTests {
    private struct Busy: RetryAfter { let retryAfter: Duration? }

    private func policy(_ delay: RetryPolicy.Delay, _ jitter: RetryPolicy.Jitter = .none) -> RetryPolicy {
        RetryPolicy(maximumAttempts: .max, delay: delay, jitter: jitter, random: SplitMix64(seed: 1))
    }

    private func delays(_ policy: RetryPolicy, after attempts: some Sequence<Int>) -> [Duration] {
        attempts.compactMap { policy.delay(after: Refusal(reason: "no"), attempt: $0) }
    }

    @Test("a constant delay is the same each time, and never negative")
    func constant() {
        #expect(
            delays(policy(.constant(.seconds(2))), after: 1...3) == [.seconds(2), .seconds(2), .seconds(2)])
        #expect(delays(policy(.constant(.seconds(-2))), after: 1...1) == [.zero])
    }

    @Test("an exponential delay grows by its factor up to its limit")
    func exponential() {
        let policy = policy(.exponential(first: .milliseconds(100), factor: 3, atMost: .seconds(2)))
        #expect(
            delays(policy, after: 1...5)
                == [.milliseconds(100), .milliseconds(300), .milliseconds(900), .seconds(2), .seconds(2)])
    }

    @Test("an exponential delay handles any number of attempts, and any factor")
    func overflow() {
        let attempts = [1, 2, 1_000, .max - 1]
        for (factor, last) in [(2, 60), (1e300, 60), (.infinity, 60), (0.5, 0), (0, 0), (-1, 0)]
            as [(Double, Int)]
        {
            let delays = delays(policy(.exponential(first: .seconds(1), factor: factor)), after: attempts)
            #expect(delays.first == .seconds(1))
            #expect(delays.count == attempts.count)
            #expect(factor == -1 || delays.last == .seconds(last), "factor \(factor)")
            #expect(delays.allSatisfy { $0 >= .zero && $0 <= .seconds(60) })
        }
        let enormous = RetryPolicy.Delay.exponential(
            first: .seconds(Int64.max), factor: 10, atMost: .seconds(Int64.max))
        #expect(delays(policy(enormous, .full), after: attempts).count == attempts.count)
        #expect(delays(policy(.exponential(first: .zero, factor: 1e300)), after: attempts).last == .zero)
    }

    @Test("full jitter is between nothing and the delay, equal jitter in its upper half")
    func jitter() {
        let limit = Duration.seconds(10)
        for (jitter, least) in [(RetryPolicy.Jitter.full, Duration.zero), (.equal, limit / 2)] {
            let delays = delays(policy(.constant(limit), jitter), after: 1...1_000)
            #expect(delays.allSatisfy { $0 >= least && $0 <= limit })
            #expect(Set(delays).count > 990)
            let range = limit - least
            #expect(delays.contains { $0 < least + range / 20 })
            #expect(delays.contains { $0 > limit - range / 20 })
        }
    }

    @Test("the same random source gives the same delays")
    func deterministic() {
        let delay = RetryPolicy.Delay.exponential(first: .seconds(1))
        #expect(delays(policy(delay, .full), after: 1...20) == delays(policy(delay, .full), after: 1...20))
        let copied = policy(delay, .full)
        let copy = copied
        #expect(delays(copied, after: 1...20) != delays(copy, after: 1...20), "copies share the source")
    }

    @Test("an error may ask for a longer delay, and not for a shorter one")
    func retryAfter() {
        let policy = policy(.constant(.seconds(2)))
        #expect(policy.delay(after: Busy(retryAfter: .seconds(30)), attempt: 1) == .seconds(30))
        #expect(policy.delay(after: Busy(retryAfter: .seconds(1)), attempt: 1) == .seconds(2))
        #expect(policy.delay(after: Busy(retryAfter: nil), attempt: 1) == .seconds(2))
    }

    @Test("the last attempt is final", arguments: [(3, 3), (1, 1), (0, 1), (-5, 1)])
    func attempts(maximum: Int, last: Int) {
        let policy = RetryPolicy(maximumAttempts: maximum, delay: .constant(.zero))
        #expect(delays(policy, after: 1...10).count == last - 1)
    }

    @Test("a policy tries everything again but cancellation and a failed dependency")
    func worthRetrying() async throws {
        let policy = policy(.constant(.seconds(1)))
        let dependency = TaskOperation<Int>(name: "log in") { throw Refusal(reason: "no") }
        let dependent = dependency.then { $0 }
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.addOperations([dependency, dependent])
        await queue.drained()
        #expect(policy.delay(after: Refusal(reason: "no"), attempt: 1) != nil)
        #expect(policy.delay(after: CancellationError(), attempt: 1) == nil)
        #expect(policy.delay(after: try #require(dependent.failure), attempt: 1) == nil)
    }

    @Test("a policy's closure decides by the error and the number of the attempt")
    func shouldRetry() {
        var policy = policy(.constant(.zero))
        policy.shouldRetry = { error, attempt in error is Refusal && attempt != 2 }
        #expect(delays(policy, after: 1...3).count == 2)
        #expect(policy.delay(after: CancellationError(), attempt: 1) == nil)
    }
}
