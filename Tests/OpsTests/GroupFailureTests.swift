import Foundation
import Inspector
import Ops
import Testing

@Suite("A failing group names its child")
struct GroupFailureTests {
    private let queue = InstrumentedQueue(recorder: Recorder())

    private func group(_ policy: GroupOperation.FailurePolicy = .failFast, slots: Int = -1) -> GroupOperation
    {
        GroupOperation(
            name: "group", maxConcurrentOperationCount: slots, failurePolicy: policy, recorder: Recorder())
    }

    private func failing(_ name: String?, _ reason: String = "no") -> ClosureOperation {
        ClosureOperation(name) { $0.finish(throwing: Refusal(reason: reason)) }
    }

    /// Runs `group`, and gives what it failed with.
    private func failure(of group: GroupOperation) async throws -> GroupFailure {
        queue.addOperation(group)
        await queue.drained()
        return try #require(group.failure as? GroupFailure)
    }

    // MARK: Fail fast

    @Test("the first child that fails cancels the others, and the group's failure names it")
    func failFast() async throws {
        let group = group(slots: 1)
        let others = (1...3).map { _ in ClosureOperation { _ in Issue.record("it ran") } }
        group.add(ClosureOperation())
        group.add(failing("parse", "no such column"))
        for other in others { group.add(other) }
        let failure = try await failure(of: group)
        #expect(
            "\(failure)" == "parse failed: no such column" && failure.localizedDescription == "\(failure)")
        #expect(failure.failures.map(\.name) == ["parse"] && failure.childCount == 5)
        #expect(failure.failures.first?.error as? Refusal == Refusal(reason: "no such column"))
        #expect(others.allSatisfy { $0.isCancelled && $0.isFinished } && !group.isCancelled)
    }

    @Test("a failing group cancels its children before their dependents may begin")
    func beforeDependents() async throws {
        for _ in 0..<200 {
            let group = group()
            let parse = failing("parse")
            group.add(parse)
            let handlers = (0..<3).map { _ in ClosureOperation { _ in Issue.record("it ran") } }
            for handler in handlers {
                handler.runsRegardless = true
                handler.addDependency(parse)
                group.add(handler)
            }
            #expect("\(try await failure(of: group))" == "parse failed: no")
        }
    }

    @Test("a failing group cancels a child that runs, too")
    func running() async throws {
        let (begun, never) = (Happening(), Happening())
        let group = group()
        group.add(
            TaskOperation {
                begun.happen()
                try await never.wait()
            })
        group.add(
            TaskOperation<Void>(name: "parse") {
                try await begun.wait()
                throw Refusal(reason: "no")
            })
        #expect("\(try await failure(of: group))" == "parse failed: no")
    }

    @Test("a child that is added after a failure is cancelled, and finishes")
    func addedAfterwards() async throws {
        let group = group()
        let late = [
            ClosureOperation { _ in Issue.record("it ran") }, ForeignOperation { Issue.record("it ran") },
        ]
        let (begun, handOn) = (Happening(), Happening())
        group.add(
            TaskOperation {
                begun.happen()
                try? await handOn.wait()
                for child in late { #expect(group.add(child)) }
            })
        let parse = TaskOperation<Void>(name: "parse") {
            try await begun.wait()
            throw Refusal(reason: "no")
        }
        parse.completionBlock = { handOn.happen() }
        group.add(parse)
        let failure = try await failure(of: group)
        #expect("\(failure)" == "parse failed: no" && failure.failures.count == 1)
        #expect(late.allSatisfy { $0.isCancelled && $0.isFinished })
    }

    @Test("a child of any class that is cancelled by itself makes its group fail", arguments: [true, false])
    func cancelledChild(isForeign: Bool) async throws {
        let group = group()
        let child = isForeign ? ForeignOperation("parse") : ClosureOperation("parse")
        let dependent = ClosureOperation("store") { _ in Issue.record("it ran") }
        dependent.addDependency(child)
        group.add(dependent)
        group.add(child)
        child.cancel()
        let failure = try await failure(of: group)
        #expect("\(failure)" == "parse was cancelled" && failure.failures[0].error is CancellationError)
    }

    // MARK: Collect all

    @Test("a group that collects all runs all, and names failed ones in the order of addition, up to a limit")
    func collectAll() async throws {
        let group = group(.collectAll)
        let count = 20
        for number in 0..<count {
            group.add(number % 2 == 0 ? failing("\(number)") : ClosureOperation("\(number)"))
        }
        let failure = try await failure(of: group)
        #expect(
            "\(failure)"
                == "10 of 20 failed: 0 failed: no; 2 failed: no; 4 failed: no; 6 failed: no; 8 failed: no; …")
        #expect(failure.failures.map(\.name) == stride(from: 0, to: count, by: 2).map { "\($0)" })
    }

    @Test("a page-long error description is cut off if there are several errors")
    func long() async throws {
        let group = group(.collectAll)
        for name in ["a", "b"] { group.add(failing(name, String(repeating: "x", count: 100_000))) }
        let failure = try await failure(of: group)
        #expect("\(failure)".count < 500 && "\(failure)".hasSuffix("…"))
    }

    @Test("a child that failed because of another one comes last, and does not count")
    func consequences() async throws {
        let group = group(.collectAll)
        let parse = failing("parse", "no such column")
        let store = ClosureOperation("store")
        let report = ClosureOperation("report")
        store.addDependency(parse)
        report.addDependency(store)
        for child in [report, store, parse] { group.add(child) }
        let failure = try await failure(of: group)
        #expect("\(failure)" == "parse failed: no such column")
        #expect(failure.failures.map(\.name) == ["parse", "report", "store"])
    }

    @Test("a child that failed because of something outside is named, also where names are given twice")
    func outside() async throws {
        let login = failing("log in")
        let group = group(.collectAll)
        for _ in 0..<2 {
            let child = ClosureOperation("log in")
            child.addDependency(login)
            group.add(child)
        }
        queue.addOperation(login)
        #expect(
            "\(try await failure(of: group))"
                == "2 of 2 failed: log in failed: log in failed: no; log in failed: log in failed: no")
    }

    @Test("a child without a name is called by its kind")
    func kind() async throws {
        let group = group()
        group.add(failing(nil))
        #expect("\(try await failure(of: group))" == "ClosureOperation failed: no")
    }

    @Test("a foreign child's cancellation is known when it has finished")
    func foreign() async throws {
        let group = group(.collectAll)
        let child = ForeignOperation("parse")
        group.add(child)
        group.add(ForeignOperation())
        child.cancel()
        #expect("\(try await failure(of: group))" == "parse was cancelled")
    }

    // MARK: Nested, cancelled

    @Test("a failure three groups deep names the way to it", arguments: [true, false])
    func nested(isFast: Bool) async throws {
        let policy: GroupOperation.FailurePolicy = isFast ? .failFast : .collectAll
        let leaf = failing("leaf")
        var group = group(policy)
        group.add(leaf)
        for name in ["inner", "middle"] {
            group.name = name
            let outer = GroupOperation(name: "outer", failurePolicy: policy, recorder: Recorder())
            outer.add(group)
            outer.add(ClosureOperation("beside \(name)"))
            group = outer
        }
        #expect("\(try await failure(of: group))" == "middle failed: inner failed: leaf failed: no")
    }

    @Test("a cancelled group counts as cancelled, even if its children failed")
    func cancelled() async throws {
        let trace = try await recordedAsynchronously { recorder in
            let group = GroupOperation(name: "group", recorder: recorder)
            group.add(
                ClosureOperation("parse") { [unowned group] child in
                    group.cancel()
                    child.finish(throwing: Refusal(reason: "no"))
                })
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperation(group)
            await queue.drained()
            #expect(group.failure == nil)
        }
        #expect(try trace.operation("group").outcome == .cancelled)
        #expect(try trace.operation("parse").outcome == .failed(message: "no"))
    }

    @Test("the trace has the reason of a group's failure")
    func trace() async throws {
        let trace = try await recordedAsynchronously { recorder in
            let group = GroupOperation(name: "group", recorder: recorder)
            group.add(failing("parse"))
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperation(group)
            await queue.drained()
        }
        trace.expectWhole()
        #expect(try trace.operation("group").outcome == .failed(message: "parse failed: no"))
    }
}
