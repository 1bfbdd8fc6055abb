import Foundation
import Inspector
import Ops
import Testing

@Suite("A group finishes, for any action at any moment")
struct GroupEndingTests {
    private let queue = OperationQueue()

    private func group(_ policy: GroupOperation.FailurePolicy = .failFast) -> GroupOperation {
        GroupOperation(name: "group", failurePolicy: policy, recorder: Recorder())
    }

    /// A group that does something while it prepares.
    private final class Preparing: GroupOperation, @unchecked Sendable {
        private let body: @Sendable (Preparing) -> Void

        init(body: @escaping @Sendable (Preparing) -> Void) {
            self.body = body
            super.init(recorder: Recorder())
        }

        override func prepare() { body(self) }
    }

    // MARK: Cancelled, or finished by hand, on the way

    @Test(
        "the children of a group that is ended while it prepares finish without running",
        arguments: [true, false])
    func preparing(isCancelled: Bool) async throws {
        let group = Preparing { group in
            group.add(ClosureOperation { _ in Issue.record("it ran") })
            if isCancelled { group.cancel() } else { group.finish() }
            let late = ClosureOperation { _ in Issue.record("it ran") }
            #expect(group.add(late) == isCancelled)
        }
        queue.addOperation(group)
        await queue.drained()
        #expect(try await eventually { group.children.allSatisfy { $0.isFinished && $0.isCancelled } })
        #expect(group.children.count == (isCancelled ? 2 : 1) && group.isFinished)
    }

    @Test(
        "a group finishes when a child, a grandchild or a child's completion block cancels it",
        arguments: 0..<3)
    func fromWithin(which: Int) async {
        let group = group()
        let child = ClosureOperation { [unowned group] child in
            if which == 0 { group.cancel() }
            group.add(
                ClosureOperation { grandchild in
                    if which == 1 { group.cancel() }
                    grandchild.finish()
                })
            child.finish()
        }
        if which == 2 { child.completionBlock = { [weak group] in group?.cancel() } }
        group.add(child)
        queue.addOperation(group)
        await queue.drained()
        #expect(group.isFinished && group.children.allSatisfy(\.isFinished))
    }

    @Test("a group cannot be changed any more from its own completion")
    func fromCompletion() async throws {
        let box = Mutexed<GroupOperation?>(nil)
        let told = Journal()
        let group = GroupOperation(recorder: Recorder()) { result in
            let group = box.withLock { $0 }
            group?.cancel()
            group?.finish(throwing: Refusal(reason: "too late"))
            told.note("\(group?.isFinished == true) \(result.value != nil) \(group?.failure == nil)")
        }
        box.withLock { $0 = group }
        group.add(ClosureOperation())
        queue.addOperation(group)
        await queue.drained()
        #expect(try await eventually { told.all == ["true true true"] })
        box.withLock { $0 = nil }
    }

    @Test("accepted children finish if a group ends while another thread adds them")
    func whileAdding() async throws {
        for round in 0..<100 {
            let group = group()
            let taken = Mutexed<[Operation]>([])
            let adding = Happening()
            group.add(ClosureOperation())
            queue.addOperation(group)
            Thread.detachNewThread {
                for number in 0..<50 {
                    let child = number % 2 == 0 ? ClosureOperation() : ForeignOperation()
                    if group.add(child) { taken.withLock { $0.append(child) } }
                    if number == round % 50 { group.cancel() }
                }
                adding.happen()
            }
            try await adding.wait()
            await queue.drained()
            let children = taken.withLock { $0 }
            #expect(try await eventually { children.allSatisfy(\.isFinished) })
        }
    }

    @Test("a group finishes while eight threads cancel, add, fail and finish at once")
    func stress() async throws {
        for round in 0..<60 {
            let group = GroupOperation(
                maxConcurrentOperationCount: round % 3 == 0 ? 2 : -1,
                failurePolicy: round % 2 == 0 ? .failFast : .collectAll, recorder: Recorder())
            let inner = self.group(round % 2 == 0 ? .collectAll : .failFast)
            group.add(inner)
            let told = Journal()
            let after = BlockOperation { told.note("after") }
            after.addDependency(group)
            queue.addOperations([group, after])
            let taken = Mutexed<[Operation]>([])
            await onThreads(8) { thread in
                for step in 0..<20 {
                    let target = (thread + step) % 2 == 0 ? group : inner
                    let child: Operation =
                        switch (thread + step + round) % 5 {
                        case 0: ForeignOperation()
                        case 1: TaskOperation { await Task.yield() }
                        case 2: ClosureOperation { $0.finish(throwing: Refusal(reason: "no")) }
                        default: ClosureOperation()
                        }
                    if target.add(child) { taken.withLock { $0.append(child) } }
                    if thread == 0 && step == 9 { group.maxConcurrentOperationCount = 1 + round % 4 }
                    if thread == 1 && step == round % 20 { target.cancel() }
                    if thread == 2 && step == round % 20 && round % 4 == 0 { target.finish() }
                    if thread == 3 && step == 10 { child.cancel() }
                }
            }
            await queue.drained()
            let children = taken.withLock { $0 }
            #expect(try await eventually { children.allSatisfy(\.isFinished) }, "round \(round)")
            #expect(group.isFinished && told.all == ["after"])
        }
    }

    // MARK: Dependencies

    @Test("a child that waits for what never finishes lets the group be cancelled", arguments: [true, false])
    func dependencyOutside(isForeign: Bool) async throws {
        weak var weakChild: Operation?
        let never = ForeignOperation()
        do {
            let group = group()
            let child: Operation =
                isForeign
                ? ForeignOperation { Issue.record("it ran") }
                : ClosureOperation { _ in Issue.record("it ran") }
            weakChild = child
            child.addDependency(never)
            group.add(child)
            let begun = Happening()
            group.add(BlockOperation { begun.happen() })
            queue.addOperation(group)
            try await begun.wait()
            #expect(!group.isFinished)
            group.cancel()
            await queue.drained()
            #expect(group.isFinished && child.isFinished)
        }
        // Foundation would read the child now, were it still a dependent.
        #expect(try await eventually { weakChild == nil })
        queue.addOperation(never)
        await queue.drained()
    }

    @Test("a group finished by hand and released lives until its children have finished")
    func letGo() async throws {
        weak var weakGroup: Operation?
        let (begun, goOn) = (Happening(), DispatchSemaphore(value: 0))
        do {
            let group = group()
            let running = ForeignOperation {
                begun.happen()
                goOn.wait()
            }
            // Cancelled, it finishes before what it depends on, and Foundation reads it when that finishes.
            let dependent = ForeignOperation()
            dependent.addDependency(running)
            group.add(running)
            group.add(dependent)
            queue.addOperation(group)
            try await begun.wait()
            group.finish()
            await queue.drained()
            weakGroup = group
        }
        #expect(weakGroup != nil)
        goOn.signal()
        #expect(try await eventually { weakGroup == nil })
    }

    @Test("a group finishes whose children wait for children added later, at one slot")
    func backwards() async {
        let journal = Journal()
        let group = GroupOperation(maxConcurrentOperationCount: 1, recorder: Recorder())
        let children = (0..<100).map { number in
            ClosureOperation {
                journal.note("\(number)")
                $0.finish()
            }
        }
        for (child, next) in zip(children, children.dropFirst()) { child.addDependency(next) }
        for child in children { group.add(child) }
        queue.addOperation(group)
        await queue.drained()
        #expect(journal.all == (0..<100).reversed().map { "\($0)" })
    }

    @Test("all groups of three levels finish as cancelled if the outer one is cancelled")
    func nested() async throws {
        let trace = try await recordedAsynchronously { recorder in
            let (begun, never) = (Happening(), Happening())
            var group = GroupOperation(name: "0", recorder: recorder)
            group.add(
                TaskOperation(name: "leaf") {
                    begun.happen()
                    try await never.wait()
                })
            for depth in 1...3 {
                let outer = GroupOperation(name: "\(depth)", recorder: recorder)
                outer.add(group)
                group = outer
            }
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperation(group)
            try await begun.wait()
            group.cancel()
            await queue.drained()
        }
        #expect(trace.operations.count == 5)
        #expect(trace.operations.allSatisfy { $0.outcome == .cancelled && $0.finished != nil })
    }

    // MARK: Trace

    @Test("a group cancelled before its start has its children in the trace, but they did not run")
    func traceOfCancelled() async throws {
        let trace = try await recordedAsynchronously { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let ended = Happening()
            let group = GroupOperation(name: "group", recorder: recorder) { _ in ended.happen() }
            for number in 0..<3 { group.add(ClosureOperation("child \(number)")) }
            group.cancel()
            queue.addOperation(group)
            // Its queue receives the children after it has finished, and before its completion.
            try await ended.wait()
            await group.queue.drained()
        }
        let group = try #require(trace.operations.firstIndex { $0.name == "group" })
        let children = trace.operations.filter { $0.parent == group }
        #expect(children.count == 3)
        #expect(children.allSatisfy { $0.outcome == .cancelled && $0.executing == nil })
    }

    // MARK: Misuse

    @Test("adding a child twice, a group to itself, a started child, or no slots ends the program")
    func misuse() async throws {
        let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let group = GroupOperation()
            let child = BlockOperation {}
            group.add(child)
            group.add(child)
        }
        #expect(sentence(twice).contains("an operation was added to a group twice"))
        let itself = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let group = GroupOperation()
            group.add(group)
        }
        #expect(sentence(itself).contains("a group was added to itself"))
        let started = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let child = BlockOperation {}
            child.start()
            GroupOperation().add(child)
        }
        let stopped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            GroupOperation().maxConcurrentOperationCount = 0
        }
        #expect(sentence(stopped).contains("a group whose children may not run never finishes"))
        #expect(sentence(started).contains("an operation that has been started was added to a group"))
    }

    private func sentence(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
}

/// Runs `body` on `count` threads at once, none of which is one of Swift's threads for tasks.
private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    let group = DispatchGroup()
    for number in 0..<count {
        group.enter()
        Thread.detachNewThread {
            body(number)
            group.leave()
        }
    }
    await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
}
