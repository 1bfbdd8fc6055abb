import Foundation
import Inspector
import Ops
import Testing

@Suite("A group operation finishes in every case")
struct GroupOperationTests {
    private struct Failure: Error, Equatable { let number: Int }

    private let recorder = Recorder()

    private func queue() -> InstrumentedQueue { InstrumentedQueue(recorder: recorder) }

    private func group(_ name: String? = nil, slots: Int = -1) -> GroupOperation {
        GroupOperation(name: name, maxConcurrentOperationCount: slots, recorder: recorder)
    }

    @Test("a group's children start when it does, and it finishes after them")
    func order() {
        let journal = Journal()
        let gate = DispatchSemaphore(value: 0)
        let before = ClosureOperation { operation in
            DispatchQueue.global().async {
                gate.wait()
                journal.note("before")
                operation.finish()
            }
        }
        let group = group(slots: 1)
        for number in 0..<3 { group.add(BlockOperation { journal.note("child \(number)") }) }
        group.addDependency(before)
        let after = BlockOperation { journal.note("after") }
        after.addDependency(group)
        let queue = queue()
        queue.addOperations([group, before, after], waitUntilFinished: false)
        #expect(journal.all.isEmpty)
        gate.signal()
        queue.drain()
        #expect(journal.all == ["before", "child 0", "child 1", "child 2", "after"])
    }

    @Test("a group without children finishes")
    func empty() {
        let queue = queue()
        let group = group()
        queue.addOperation(group)
        queue.drain()
        #expect(group.isFinished && group.failure == nil)
    }

    @Test("groups that take every slot of their queue do not block each other")
    func noDeadlock() {
        let queue = queue()
        queue.maxConcurrentOperationCount = 1
        let outer = group()
        let inner = group()
        inner.add(ClosureOperation())
        outer.add(inner)
        queue.addOperation(outer)
        queue.drain()
        #expect(outer.isFinished && inner.isFinished)
    }

    @Test("cancelling a group cancels its children, and it still finishes")
    func cancellation() {
        let started = DispatchSemaphore(value: 0)
        let running = ClosureOperation { operation in
            started.signal()
            DispatchQueue.global().async {
                #expect(soon { operation.isCancelled })
                operation.finish()
            }
        }
        let waiting = ClosureOperation { _ in Issue.record("a cancelled child ran") }
        let group = group(slots: 1)
        group.add(running)
        group.add(waiting)
        let queue = queue()
        queue.addOperation(group)
        started.expectSignal()
        group.cancel()
        queue.drain()
        #expect(group.isFinished && group.isCancelled)
        #expect(running.isCancelled && waiting.isCancelled && waiting.isFinished)
    }

    @Test("a group cancelled before its start runs no child and finishes")
    func cancelledBefore() {
        let queue = queue()
        queue.isSuspended = true
        let group = group()
        group.add(ClosureOperation { _ in Issue.record("a cancelled child ran") })
        queue.addOperation(group)
        group.cancel()
        queue.isSuspended = false
        queue.drain()
        #expect(group.isFinished)
    }

    @Test("the number of a group's children that run at once can be changed while they run")
    func limit() async throws {
        let group = group(slots: 1)
        let (begun, goOn) = (Happening(), Happening())
        group.add(
            TaskOperation {
                begun.happen()
                try await goOn.wait()
            })
        group.add(TaskOperation { goOn.happen() })
        let queue = queue()
        queue.addOperation(group)
        try await begun.wait()
        #expect(group.maxConcurrentOperationCount == 1 && !group.children[1].isExecuting)
        group.maxConcurrentOperationCount = 2
        await queue.drained()
        #expect(group.isFinished && group.failure == nil)
    }

    @Test("a group prepares once when it starts, before its children do, and may add children there")
    func prepares() async throws {
        final class Prepared: GroupOperation, @unchecked Sendable {
            let journal = Journal()

            override func prepare() {
                journal.note(isExecuting && !children[0].isExecuting ? "prepared" : "too late")
                add(BlockOperation { [journal] in journal.note("child") })
            }
        }
        let trace = try await recordedAsynchronously { recorder in
            let group = Prepared(name: "group", maxConcurrentOperationCount: 1, recorder: recorder)
            group.add(BlockOperation { [journal = group.journal] in journal.note("child") })
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperation(group)
            await queue.drained()
            #expect(group.journal.all == ["prepared", "child", "child"])
        }
        let group = try #require(trace.operations.firstIndex { $0.name == "group" })
        #expect(trace.operations.filter { $0.parent == group }.count == 2)
    }

    @Test("a group's quality of service applies to children without one")
    func quality() async {
        let group = GroupOperation(qualityOfService: .utility, recorder: recorder)
        let queue = queue()
        queue.addOperation(group)
        await queue.drained()
        #expect(group.queue.qualityOfService == .utility)
    }

    @Test("a group passes the result to its completion when it has finished, and then releases it")
    func completion() async throws {
        final class Token: Sendable {}
        for ending in ["succeeds", "fails", "is cancelled", "is cancelled before", "is finished before"] {
            weak var weakToken: Token?
            let results = Mutexed<[Result<Void, any Error>]>([])
            let group: GroupOperation
            do {
                let token = Token()
                weakToken = token
                group = GroupOperation(recorder: recorder) { result in
                    withExtendedLifetime(token) { results.withLock { $0.append(result) } }
                }
            }
            group.add(
                ClosureOperation("child") { [unowned group] child in
                    if ending == "is cancelled" { group.cancel() }
                    if ending == "fails" {
                        child.finish(throwing: Failure(number: 1))
                    } else {
                        child.finish()
                    }
                })
            if ending == "is cancelled before" { group.cancel() }
            if ending == "is finished before" { group.finish() }
            let queue = queue()
            queue.addOperation(group)
            await queue.drained()
            #expect(try await eventually { weakToken == nil })
            let result = try #require(results.withLock { $0.first })
            #expect(results.withLock { $0.count } == 1)
            switch ending {
            case "fails": #expect(result.error is GroupFailure)
            case "succeeds", "is finished before": #expect(result.value != nil)
            default: #expect(result.error is CancellationError)
            }
        }
    }

    @Test("a group's children may add children, and it waits for them too")
    func growing() {
        let journal = Journal()
        let group = group(slots: 1)
        group.add(
            ClosureOperation { [unowned group] operation in
                group.add(
                    ClosureOperation { [unowned group] operation in
                        group.add(BlockOperation { journal.note("grandchild") })
                        journal.note("second")
                        operation.finish()
                    })
                journal.note("first")
                operation.finish()
            })
        let queue = queue()
        queue.addOperation(group)
        queue.drain()
        #expect(journal.all == ["first", "second", "grandchild"])
        #expect(group.isFinished)
        #expect(!group.add(ClosureOperation()))
    }

    @Test("a group is freed with its children and its queue")
    func freed() {
        weak var weakGroup: GroupOperation?
        weak var weakQueue: OperationQueue?
        weak var weakChild: Operation?
        let queue = queue()
        do {
            let group = group()
            let child = ClosureOperation()
            group.add(child)
            (weakGroup, weakQueue, weakChild) = (group, group.queue, child)
            queue.addOperation(group)
        }
        queue.drain()
        #expect(soon { weakGroup == nil && weakQueue == nil && weakChild == nil })
    }

    @Test("a group finishes, and nothing is freed too early, when everything in its queue is cancelled")
    func cancelsItsQueue() {
        for _ in 0..<20 {
            let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let group = GroupOperation(recorder: Recorder())
            group.add(
                ForeignOperation {
                    begun.signal()
                    goOn.wait()
                })
            group.add(ForeignOperation())
            let queue = OperationQueue()
            queue.addOperation(group)
            begun.expectSignal()
            let children = Set(group.children.map(ObjectIdentifier.init))
            #expect(group.queue.operations.allSatisfy { children.contains(ObjectIdentifier($0)) })
            group.queue.cancelAllOperations()
            goOn.signal()
            queue.drain()
            #expect(group.isFinished)
        }
    }

    @Test(
        "a group ended before its start lets its children finish, and takes no more",
        arguments: [true, false])
    func endedBeforeItsStart(isCancelled: Bool) {
        let queue = OperationQueue()
        queue.isSuspended = true
        let ran = Journal()
        let group = GroupOperation(recorder: Recorder())
        let child = ForeignOperation { ran.note("child") }
        group.add(child)
        let outside = ForeignOperation { ran.note("outside") }
        outside.addDependency(child)
        queue.addOperations([group, outside], waitUntilFinished: false)
        if isCancelled { group.cancel() } else { group.finish() }
        queue.isSuspended = false
        queue.drain()
        #expect(child.isFinished && child.isCancelled)
        #expect(ran.all == ["outside"])
        #expect(!group.add(ForeignOperation()))
    }

    @Test("a group finished by hand while its children run takes no more of them")
    func finishedByHand() {
        let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let group = GroupOperation(recorder: Recorder())
        let child = ForeignOperation {
            begun.signal()
            goOn.wait()
        }
        group.add(child)
        let queue = OperationQueue()
        queue.addOperation(group)
        begun.expectSignal()
        group.finish()
        queue.drain()
        #expect(group.isFinished && child.isCancelled)
        #expect(!group.add(ForeignOperation()))
        goOn.signal()
        group.queue.drain()
    }
}
