import Foundation
import Inspector
import Ops
import Testing

@Suite("A gather operation gives what its children gave, in their order")
struct GatherOperationTests {
    private let queue = InstrumentedQueue(recorder: Recorder())

    private func run(_ operations: Operation...) async {
        queue.addOperations(operations)
        await queue.drained()
    }

    @Test(
        "a gather operation gives all outputs in order with any limit, and in any order of finishing",
        arguments: [1, 4, -1])
    func order(limit: Int) async {
        let gather = GatherOperation(
            0..<400, maxConcurrentOperationCount: limit, recorder: Recorder()
        ) { number in
            TaskOperation {
                for _ in 0..<number % 7 { await Task.yield() }
                return number
            }
        }
        #expect(gather.output == nil && gather.results.isEmpty)
        await run(gather)
        #expect(gather.output?.value == Array(0..<400))
        #expect(gather.results.compactMap(\.value) == Array(0..<400))
    }

    @Test("a gather operation takes children of any class with an output, and waits for the others")
    func mixed() async {
        let journal = Journal()
        let gather = GatherOperation<Int>(recorder: Recorder())
        gather.add(TaskOperation { 1 })
        let inner = GatherOperation([3], recorder: Recorder()) { number in TaskOperation { number } }
        let transform = inner.then { $0[0] }
        let block = BlockOperation {
            journal.note("block")
            transform.cancel()
        }
        // Cancelled earlier, the child could end the group before the block had started.
        inner.addDependency(block)
        gather.add(block)
        gather.add(TaskOperation { "text" })
        gather.add(SynchronousOperation { 2 })
        gather.add(inner)
        gather.add(transform)
        gather.add(RetryOperation(recorder: Recorder()) { _ in TaskOperation { 4 } })
        await run(gather)
        #expect(gather.output?.error.map { "\($0)" } == "TransformOperation<Array<Int>, Int> was cancelled")
        #expect(gather.results.count == 4 && journal.all == ["block"])
    }

    @Test("a gather operation without children gives an empty list, and succeeds")
    func empty() async {
        let gather = GatherOperation<Int>(recorder: Recorder())
        await run(gather)
        #expect(gather.output?.value == [])
    }

    @Test("children of a gather operation may add children, and a dependent takes all outputs")
    func growing() async {
        let gather = GatherOperation<Int>(maxConcurrentOperationCount: 1, recorder: Recorder())
        gather.add(
            TaskOperation { [unowned gather] in
                gather.add(TaskOperation { 2 })
                return 1
            })
        let sum = gather.then { $0.reduce(0, +) }
        await run(sum, gather)
        #expect(sum.output?.value == 3)
    }

    @Test("a gather operation fails if a child fails, and no other child continues by itself")
    func failFast() async {
        let gather = GatherOperation(
            0..<10, maxConcurrentOperationCount: 1, recorder: Recorder()
        ) { number in
            TaskOperation(name: "\(number)") {
                guard number < 3 else { throw Refusal(reason: "no") }
                return number
            }
        }
        await run(gather)
        #expect(gather.output?.error.map { "\($0)" } == "3 failed: no")
        #expect(gather.failure is GroupFailure)
        #expect(gather.results.compactMap(\.value) == [0, 1, 2])
        #expect(gather.results[4...].allSatisfy { $0.error is CancellationError })
    }

    @Test("a gather operation gives each result, if all are collected")
    func collectAll() async {
        let gather = GatherOperation(0..<6, failurePolicy: .collectAll, recorder: Recorder()) { number in
            TaskOperation(name: "\(number)") {
                guard number % 2 == 0 else { throw Refusal(reason: "odd") }
                return number
            }
        }
        await run(gather)
        #expect(gather.results.map { $0.value ?? -1 } == [0, -1, 2, -1, 4, -1])
        #expect(
            gather.output?.error.map { "\($0)" }
                == "3 of 6 failed: 1 failed: odd; 3 failed: odd; 5 failed: odd")
    }

    @Test("a gather operation cancelled at any moment has only a cancellation error, and finishes")
    func cancelled() async throws {
        for children in [0, 1, 20] {
            let (begun, never) = (Happening(), Happening())
            let gather = GatherOperation(0...children, recorder: Recorder()) { number in
                TaskOperation {
                    if number == children {
                        begun.happen()
                        try await never.wait()
                    }
                    return number
                }
            }
            queue.addOperation(gather)
            try await begun.wait()
            gather.cancel()
            await queue.drained()
            #expect(gather.output?.error is CancellationError && gather.results.count == children + 1)
        }
        let early = GatherOperation(0..<3, recorder: Recorder()) { number in TaskOperation { number } }
        early.cancel()
        await run(early)
        #expect(early.output?.error is CancellationError)
        #expect(early.results.allSatisfy { $0.error is CancellationError })
    }

    @Test("a gather operation finished by hand before it has all outputs fails")
    func finishedByHand() async throws {
        let never = Happening()
        let begun = Happening()
        let gather = GatherOperation(0..<2, recorder: Recorder()) { number in
            TaskOperation {
                if number == 1 {
                    begun.happen()
                    try await never.wait()
                }
                return number
            }
        }
        queue.addOperation(gather)
        try await begun.wait()
        gather.finish()
        await queue.drained()
        #expect(gather.output?.error.map { "\($0)" } == "it was finished without an output")
    }

    @Test("a gather operation's completion gets the elements, and it is freed with its children")
    func completion() async throws {
        weak var weakGather: Operation?
        weak var weakChild: Operation?
        let told = Mutexed<[Int]?>(nil)
        do {
            let gather = GatherOperation(
                0..<3, recorder: Recorder(), completion: { result in told.withLock { $0 = result.value } },
                make: { number in TaskOperation { number } })
            (weakGather, weakChild) = (gather, gather.children[0])
            queue.addOperation(gather)
        }
        #expect(try await eventually { told.withLock { $0 } == [0, 1, 2] })
        #expect(try await eventually { weakGather == nil && weakChild == nil })
    }

    @Test("a gather operation's closure that cannot make a child throws out of the initializer")
    func throwing() {
        #expect(throws: Refusal.self) {
            try GatherOperation(0..<3, recorder: Recorder()) { (number: Int) throws -> TaskOperation<Int> in
                throw Refusal(reason: "no")
            }
        }
    }

    @Test("the trace has the children in the gather operation, on a queue with its name and its limit")
    func trace() async throws {
        let trace = try await recordedAsynchronously { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let gather = GatherOperation(
                0..<3, name: "pages", maxConcurrentOperationCount: 2, recorder: recorder
            ) { number in TaskOperation(name: "page \(number)") { number } }
            queue.addOperation(gather)
            await queue.drained()
        }
        trace.expectWhole()
        let gather = try #require(trace.operations.firstIndex { $0.name == "pages" })
        let children = trace.operations.filter { $0.parent == gather }
        #expect(children.compactMap(\.name) == ["page 0", "page 1", "page 2"])
        #expect(trace.operations[gather].kind == "GatherOperation<Int>")
        let queue = try #require(children[0].queue)
        #expect(trace.queues[queue].name == "pages" && trace.queues[queue].limits.map(\.limit) == [2])
    }
}
