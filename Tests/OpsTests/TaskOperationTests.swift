import Foundation
import Inspector
import Ops
import Testing

@Suite("A task operation runs an asynchronous body")
struct TaskOperationTests {
    private func run(_ operations: Operation...) async {
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.addOperations(operations)
        await queue.drained()
    }

    // MARK: Outcome

    @Test("a task operation's output is nil until the body returns it")
    func succeeds() async {
        let operation = TaskOperation { 42 }
        #expect(operation.output == nil)
        await run(operation)
        #expect(operation.output?.value == 42 && operation.failure == nil)
    }

    @Test("an error fails a task operation, a cancellation error cancels it, and both are in the trace")
    func fails() async throws {
        let trace = try await recordedAsynchronously { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let refused = TaskOperation<Int>(name: "refused") { throw Refusal(reason: "no") }
            let gaveUp = TaskOperation<Int>(name: "gave up") { throw CancellationError() }
            queue.addOperations([refused, gaveUp, TaskOperation(name: "done") {}])
            await queue.drained()
            #expect(refused.output?.error as? Refusal == Refusal(reason: "no"))
            #expect(gaveUp.output?.error is CancellationError)
        }
        trace.expectWhole()
        #expect(try trace.operation("refused").outcome == .failed(message: "no"))
        #expect(try trace.operation("gave up").outcome == .cancelled)
        #expect(try trace.operation("done").outcome == .succeeded)
    }

    @Test("a subclass overrides the body; its kind is the name of its class, or what was given")
    func subclass() async throws {
        final class Answer: TaskOperation<Int>, @unchecked Sendable {
            override func run() async throws -> Int { 42 }
        }
        let trace = try await recordedAsynchronously { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let answer = Answer(name: "answer")
            queue.addOperations([answer, TaskOperation(name: "other", kind: "Question") {}])
            await queue.drained()
            #expect(answer.output?.value == 42)
        }
        #expect(try trace.operation("answer").kind == "Answer")
        #expect(try trace.operation("other").kind == "Question")
    }

    @Test("a task operation holds its slot until the body has returned")
    func slot() async {
        let journal = Journal()
        let goOn = Happening()
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.maxConcurrentOperationCount = 1
        queue.addOperation(
            TaskOperation {
                try await goOn.wait()
                journal.note("first")
            })
        queue.addOperation(TaskOperation { journal.note("second") })
        #expect(journal.all.isEmpty)
        goOn.happen()
        await queue.drained()
        #expect(journal.all == ["first", "second"])
    }

    // MARK: Dependencies

    private func refused(_ name: String) -> ClosureOperation {
        ClosureOperation(name) { $0.finish(throwing: Refusal(reason: "no")) }
    }

    @Test("a failed dependency makes a task operation fail without its body, with an error that names it")
    func failedDependency() async throws {
        let first = ClosureOperation("log in")
        let second = refused("reauthorize")
        let operation = TaskOperation { Issue.record("it ran") }
        operation.addDependency(first)
        operation.addDependency(second)
        await run(first, second, operation)
        let failure = try #require(operation.failure as? DependencyFailure)
        #expect(failure.dependency == "reauthorize" && failure.code == .failed)
        #expect("\(failure)" == "reauthorize failed: no")
    }

    @Test("a cancelled dependency of any class makes a task operation fail without its body")
    func cancelledDependency() async {
        let cancelled = [ClosureOperation("own"), ForeignOperation("foreign"), BlockOperation {}]
        cancelled[2].name = "block"
        for dependency in cancelled {
            let operation = TaskOperation { Issue.record("it ran") }
            operation.addDependency(dependency)
            dependency.cancel()
            await run(dependency, operation)
            #expect(operation.failure.map { "\($0)" } == "\(dependency.name ?? "") was cancelled")
        }
    }

    @Test("a dependency that is cancelled after it has succeeded does not count")
    func cancelledTooLate() async {
        let dependency = ClosureOperation()
        let operation = TaskOperation { 42 }
        operation.addDependency(dependency)
        await run(dependency)
        dependency.cancel()
        await run(operation)
        #expect(operation.output?.value == 42)
    }

    @Test("a task operation that runs regardless runs its body after any outcome of its dependencies")
    func regardless() async {
        let (failed, cancelled) = (refused("failed"), ClosureOperation("cancelled"))
        let operation = TaskOperation(runsRegardless: true) { 42 }
        operation.addDependency(failed)
        operation.addDependency(cancelled)
        cancelled.cancel()
        await run(failed, cancelled, operation)
        #expect(operation.output?.value == 42)
    }

    @Test("the trace shows that an operation ran regardless of a failure, if there was one")
    func regardlessInTrace() async throws {
        let trace = try await recordedAsynchronously { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            for dependency in [refused("fetch"), ClosureOperation("check")] {
                let operation = TaskOperation(name: "after \(dependency.name ?? "")", runsRegardless: true) {}
                operation.addDependency(dependency)
                queue.addOperation(dependency)
                queue.addOperation(operation)
            }
            await queue.drained()
        }
        #expect(trace.marks.count == 1)
        let mark = try #require(trace.marks.first)
        #expect(mark.text.hasPrefix("runs regardless: fetch failed: "))
        #expect(mark.operation.map { trace.operations[$0].name } == "after fetch")
    }

    // MARK: Priority, trace, memory

    @Test(
        "the task's priority follows the operation's quality of service",
        arguments: [
            (QualityOfService.userInteractive, TaskPriority.high), (.userInitiated, .high),
            (.default, .medium), (.utility, .utility), (.background, .background),
        ])
    func priority(qualityOfService: QualityOfService, expected: TaskPriority) async {
        let operation = TaskOperation(qualityOfService: qualityOfService) { Task.basePriority }
        await run(operation)
        #expect(operation.output?.value == expected)
    }

    @Test("operations that a task operation enqueues are its children, in its task and in tasks of that")
    func parents() async throws {
        let trace = try await recordedAsynchronously { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperation(
                TaskOperation(name: "parent") {
                    queue.addOperation(ClosureOperation("at once"))
                    await Task.yield()
                    queue.addOperation(ClosureOperation("after a suspension"))
                    async let other: Void = queue.addOperation(TaskOperation(name: "in a child task") {})
                    await other
                    await Task { queue.addOperation(ClosureOperation("in another task")) }.value
                    _ = await Task.detached { queue.addOperation(ClosureOperation("detached")) }.value
                })
            await queue.drained()
        }
        trace.expectWhole()
        let parent = trace.operations.firstIndex { $0.name == "parent" }
        for name in ["at once", "after a suspension", "in a child task", "in another task"] {
            #expect(try trace.operation(name).parent == parent)
        }
        #expect(try trace.operation("detached").parent == nil)
        #expect(trace.operations.count == 6)
    }

    @Test(
        "a wait is the operation's in its body, on a thread and in its task, not in a task that this starts")
    func waits() async throws {
        let trace = try await recordedAsynchronously { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let waiting = ["body", "started by a thread", "task", "started by a task", "not recorded"].map {
                let queue = InstrumentedQueue(recorder: recorder)
                queue.name = $0
                queue.addOperation {}
                return queue
            }
            @Sendable func wait(_ number: Int) { waiting[number].waitUntilAllOperationsAreFinished() }
            let task = Locked(Task<Void, Never> {})
            queue.addOperation(
                ClosureOperation("thread") {
                    wait(0)
                    task.withLock { $0 = Task { wait(1) } }
                    $0.finish()
                })
            await queue.drained()
            await task.withLock { $0 }.value
            queue.addOperation(
                TaskOperation(name: "task") {
                    await Task.yield()
                    wait(2)
                    await Task { wait(3) }.value
                    // It is started by hand: nobody knows about it.
                    let other = TaskOperation { wait(4) }
                    await withCheckedContinuation { continuation in
                        other.completionBlock = { continuation.resume() }
                        other.start()
                    }
                })
            await queue.drained()
        }
        let waits = trace.blockingWaits.compactMap { wait -> String? in
            guard case .queue(let queue) = wait.target, !trace.queues[queue].name.isEmpty else { return nil }
            let operation = wait.operation.map { trace.operations[$0].displayName } ?? "no operation"
            return "\(operation): \(trace.queues[queue].name)"
        }
        #expect(
            waits == [
                "thread: body", "no operation: started by a thread", "task: task",
                "no operation: started by a task", "no operation: not recorded",
            ])
    }

    @Test(
        "the trace has every transition of thousands of task operations, at one slot and at many",
        arguments: [1, -1])
    func wholeTrace(slots: Int) async throws {
        let trace = try await recordedAsynchronously { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.maxConcurrentOperationCount = slots
            for _ in 0..<20 {
                for number in 0..<100 { queue.addOperation(TaskOperation { number }) }
                await queue.drained()
            }
        }
        #expect(trace.operations.count == 2_000)
        trace.expectWhole()
    }

    private final class Token: Sendable {}

    @Test(
        "a task operation and its body's references are freed once it has finished or was cancelled",
        arguments: [true, false])
    func freed(isCancelled: Bool) async throws {
        weak var weakOperation: Operation?
        weak var weakToken: Token?
        let queue = InstrumentedQueue(recorder: Recorder())
        do {
            let token = Token()
            let operation = TaskOperation { withExtendedLifetime(token) {} }
            (weakOperation, weakToken) = (operation, token)
            if isCancelled { operation.cancel() }
            queue.addOperation(operation)
        }
        await queue.drained()
        #expect(try await eventually { weakOperation == nil && weakToken == nil })
    }

    @Test("a task operation kept after its end keeps its output, and not what its body held")
    func bodyReleased() async throws {
        weak var weakToken: Token?
        let operation: TaskOperation<Int>
        do {
            let token = Token()
            weakToken = token
            operation = TaskOperation { withExtendedLifetime(token) { 42 } }
        }
        await run(operation)
        #expect(try await eventually { weakToken == nil })
        #expect(operation.output?.value == 42)
    }

    @Test("a task operation in a group is cancelled with it, and makes it fail")
    func inGroup() async throws {
        let (begun, never) = (Happening(), Happening())
        let running = TaskOperation {
            begun.happen()
            try await never.wait()
        }
        let cancelled = GroupOperation(recorder: Recorder())
        cancelled.add(running)
        let failed = GroupOperation(recorder: Recorder())
        failed.add(TaskOperation(name: "ask") { throw Refusal(reason: "no") })
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.addOperations([cancelled, failed])
        try await begun.wait()
        cancelled.cancel()
        await queue.drained()
        #expect(running.output?.error is CancellationError)
        #expect(failed.failure.map { "\($0)" } == "ask failed: no")
    }
}
