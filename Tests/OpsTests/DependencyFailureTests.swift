import Foundation
import Ops
import Testing

@Suite("The failure of a dependency says which operation it was, and why")
struct DependencyFailureTests {
    /// The error of an operation that depends on `dependency`.
    private func failure(after dependency: Operation) async throws -> DependencyFailure {
        let dependent = TaskOperation {}
        dependent.addDependency(dependency)
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.addOperations([dependent, dependency])
        await queue.drained()
        return try #require(dependent.failure as? DependencyFailure)
    }

    @Test(
        "a failed dependency is named by its name or, without one, by its kind",
        arguments: ["log in", "", nil])
    func named(name: String?) async throws {
        let login = TaskOperation<Void>(name: name, kind: "Login") { throw Refusal(reason: "wrong password") }
        let failure = try await failure(after: login)
        #expect(failure.dependency == (name == "log in" ? "log in" : "Login"))
        #expect(failure.localizedDescription == "\(failure.dependency) failed: wrong password")
    }

    @Test("a dependency's cancellation has a separate code, and no underlying error")
    func cancelled() async throws {
        let group = GroupOperation(name: "page", recorder: Recorder())
        group.cancel()
        let failure = try await failure(after: group)
        #expect(failure.code == .cancelled && failure.underlyingError == nil)
        #expect("\(failure)" == "page was cancelled")
    }

    @Test("a body that gave up by itself has the code of a cancellation")
    func gaveUp() async throws {
        let failure = try await failure(
            after: TaskOperation<Void>(name: "poll") { throw CancellationError() })
        #expect(failure.code == .cancelled)
    }

    @Test("a failure names the last and the first of many that failed in turn, and counts those between")
    func longChain() async throws {
        var steps = [TaskOperation<Void>(name: "step 0") { throw Refusal(reason: "wrong password") }]
        for number in 1..<40 {
            let step = TaskOperation<Void>(name: "step \(number)") {}
            step.addDependency(steps[number - 1])
            steps.append(step)
        }
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.addOperations(steps)
        await queue.drained()
        let last = (31..<39).reversed().map { "step \($0) failed: " }.joined()
        let failure = try #require(steps[39].failure as? DependencyFailure)
        #expect("\(failure)" == last + "30 more failed: step 0 failed: wrong password")
        let others = steps[1...16].map { "\($0.failure as Any)" }
        #expect(others.allSatisfy { !$0.contains("more") && $0.contains("step 0 failed: wrong password") })
        var innermost: any Error = failure
        while let next = (innermost as? DependencyFailure)?.underlyingError { innermost = next }
        #expect((innermost as? Refusal)?.reason == "wrong password")
    }
}
