import Foundation
import Inspector
import Ops
import Testing

@Suite("A condition decides whether an operation's body runs")
struct ConditionTests {
    private func run(_ operations: Operation...) async {
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.addOperations(operations)
        await queue.drained()
    }

    @Test("an operation's body runs if all conditions hold, evaluated in order")
    func holds() async {
        let journal = Journal()
        let operation = SynchronousOperation { journal.note("body") }
        for number in 1...3 {
            operation.addCondition(
                Condition("\(number)") {
                    journal.note("\(number)")
                    return true
                })
        }
        await run(operation)
        #expect(journal.all == ["1", "2", "3", "body"])
        #expect(operation.failure == nil)
    }

    @Test("the first condition that does not hold fails the operation with its name, and ends the evaluation")
    func refuses() async throws {
        let operation = TaskOperation { Issue.record("it ran") }
        operation.addCondition(Condition("signed in") { false })
        operation.addCondition(
            Condition("online") {
                Issue.record("it was evaluated")
                return true
            })
        await run(operation)
        let failure = try #require(operation.failure as? ConditionFailure)
        #expect(failure.condition == "signed in" && failure.underlyingError == nil)
        #expect("\(failure)" == "the condition signed in does not hold")
    }

    @Test("an error in a condition makes the operation fail, also in a negated one")
    func throwing() async throws {
        for condition in [Condition("online") { throw Refusal(reason: "no driver") }] {
            for condition in [condition, condition.negated] {
                let operation = TaskOperation { Issue.record("it ran") }
                operation.addCondition(condition)
                await run(operation)
                let failure = try #require(operation.failure as? ConditionFailure)
                #expect(failure.condition == condition.name)
                #expect(failure.localizedDescription.hasSuffix("could not be evaluated: no driver"))
            }
        }
    }

    @Test("a negated condition holds if the original does not")
    func negated() async {
        let operation = TaskOperation { 42 }
        operation.addCondition(Condition("offline") { false }.negated)
        await run(operation)
        #expect(operation.output?.value == 42)
    }

    @Test("conditions are evaluated only after all dependencies have succeeded")
    func afterDependencies() async {
        let journal = Journal()
        let first = TaskOperation { journal.note("first") }
        let second = TaskOperation<Int> { throw Refusal(reason: "no") }
        let dependent = TaskOperation {}
        dependent.addCondition(
            Condition("late") {
                journal.note("evaluated")
                return true
            })
        dependent.addDependency(first)
        let skipped = TaskOperation {}
        skipped.addCondition(
            Condition("never") {
                Issue.record("it was evaluated")
                return true
            })
        skipped.addDependency(second)
        await run(skipped, dependent, second, first)
        #expect(journal.all == ["first", "evaluated"])
        #expect(skipped.failure is DependencyFailure)
    }

    @Test("a condition is evaluated with the keys in hand, and sees what changed under the same key")
    func withKeys() async {
        let isSignedIn = Mutexed(false)
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.maxConcurrentOperationCount = 1
        let signIn = SynchronousOperation { isSignedIn.withLock { $0 = true } }
        let fetch = SynchronousOperation { 42 }
        fetch.addCondition(Condition("signed in") { isSignedIn.withLock { $0 } })
        for operation in [signIn, fetch] as [AsynchronousOperation] {
            operation.exclusionKeys = [ExclusionKey(#function)]
        }
        queue.addOperations([signIn, fetch])
        await queue.drained()
        #expect(fetch.output?.value == 42)
    }

    @Test("an operation cancelled while a condition is evaluated finishes as cancelled, without its body")
    func cancelled() async throws {
        let (begun, never) = (Happening(), Happening())
        let operation = TaskOperation { Issue.record("it ran") }
        operation.addCondition(
            Condition("slow") {
                begun.happen()
                try await never.wait()
                return true
            })
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.addOperation(operation)
        try await begun.wait()
        operation.cancel()
        await queue.drained()
        #expect(operation.output?.error is CancellationError)
    }

    @Test("an operation finished by hand while a condition is evaluated does not run its body")
    func finishedByHand() async throws {
        let (begun, never) = (Happening(), Happening())
        let operation = ClosureOperation { _ in Issue.record("it ran") }
        operation.addCondition(
            Condition("slow") {
                begun.happen()
                try? await never.wait()
                return true
            })
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.addOperation(operation)
        try await begun.wait()
        operation.finish()
        await queue.drained()
        #expect(operation.isFinished && operation.failure == nil)
    }

    @Test("the trace has a condition's error, and the moment at which the body began")
    func trace() async throws {
        let trace = try await recordedAsynchronously { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let refused = TaskOperation(name: "refused") {}
            refused.addCondition(Condition("online") { false })
            let ran = TaskOperation(name: "ran") {}
            ran.addCondition(Condition("online") { true })
            queue.addOperations([refused, ran])
            await queue.drained()
        }
        trace.expectWhole()
        let refused = try trace.operation("refused")
        #expect(refused.outcome == .failed(message: "the condition online does not hold"))
        #expect(refused.bodyBegan == nil)
        #expect(try trace.operation("ran").bodyBegan != nil)
    }

    @Test("a condition's references are released when the operation has finished")
    func freed() async throws {
        final class Token: Sendable {}
        weak var weakToken: Token?
        let operation = TaskOperation {}
        do {
            let token = Token()
            weakToken = token
            operation.addCondition(Condition("token") { withExtendedLifetime(token) { true } })
        }
        await run(operation)
        #expect(try await eventually { weakToken == nil })
    }
}
