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

    @Test("by its name, and where it has none or an empty one, by its kind", arguments: ["log in", "", nil])
    func named(name: String?) async throws {
        let login = TaskOperation<Void>(name: name, kind: "Login") { throw Refusal(reason: "wrong password") }
        let failure = try await failure(after: login)
        #expect(failure.dependency == (name == "log in" ? "log in" : "Login"))
        #expect(failure.localizedDescription == "\(failure.dependency) failed: wrong password")
    }

    @Test("a cancellation has a code of its own, and no underlying error")
    func cancelled() async throws {
        let group = GroupOperation(name: "page", recorder: Recorder())
        group.cancel()
        let failure = try await failure(after: group)
        #expect(failure.code == .cancelled && failure.underlyingError == nil)
        #expect("\(failure)" == "page was cancelled")
    }

    @Test("so has a body that gave up by itself")
    func gaveUp() async throws {
        let failure = try await failure(
            after: TaskOperation<Void>(name: "poll") { throw CancellationError() })
        #expect(failure.code == .cancelled)
    }
}
