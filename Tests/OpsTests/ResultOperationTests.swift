import Foundation
import Inspector
import Ops
import Testing

@Suite("An operation with an output is followed by one that takes it, in one call")
struct ResultOperationTests {
    private let fetch = TaskOperation(name: "fetch") { "1 2 3" }

    private func run(_ operations: [Operation]) async {
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.addOperations(operations)
        await queue.drained()
    }

    @Test("then makes the dependency and passes the output")
    func then() async {
        let split = fetch.then { text in text.split(separator: " ").compactMap { Int($0) } }
        #expect(split.dependencies == [fetch])
        let sum = split.then(name: "sum", qualityOfService: .utility) { $0.reduce(0, +) }
        #expect(sum.name == "sum" && sum.qualityOfService == .utility)
        await run([sum, split, fetch])
        #expect(split.output?.value == [1, 2, 3] && sum.output?.value == 6)
    }

    @Test("several operations can take the output of one")
    func several() async {
        let lengths = (0..<10).map { number in fetch.then { $0.count + number } }
        await run(lengths + [fetch])
        #expect(lengths.map { $0.output?.value } == (5..<15).map { $0 })
    }

    @Test("then does not run after a failure, thenRegardless does, and so says what became of it")
    func regardless() async {
        let refused = TaskOperation<String>(name: "fetch") { throw Refusal(reason: "no route") }
        let count = refused.then { text in
            Issue.record("it ran")
            return text.count
        }
        let report = count.thenRegardless { result in result.error.map { "\($0)" } }
        await run([report, count, refused])
        #expect(count.failure is DependencyFailure)
        #expect(report.output?.value == "fetch failed: no route")
    }

    @Test("the output of an operation whose class is not known has a type all the same")
    func existential() async {
        let some: any ResultOperation<String> = fetch
        let count = some.then { $0.count }
        await run([count, some])
        #expect(count.output?.value == 5)
    }

    @Test("several outputs of different types are taken together")
    func together() async {
        let count = TaskOperation(name: "count") { 3 }
        let flag = SynchronousOperation(name: "flag") { true }
        let all = fetch.then(with: count, flag, name: "all") { text, count, flag in
            flag ? "\(text): \(count)" : ""
        }
        #expect(all.dependencies == [fetch, count, flag])
        await run([all, flag, fetch, count])
        #expect(all.output?.value == "1 2 3: 3" && all.name == "all")
    }

    @Test("one failed operation among several keeps the body from running, and is named")
    func oneOfSeveralFailed() async {
        let count = TaskOperation<Int>(name: "count") { throw Refusal(reason: "no") }
        let all = fetch.then(with: count) { _, _ in Issue.record("it ran") }
        await run([all, fetch, count])
        #expect(all.failure.map { "\($0)" } == "count failed: no")
    }

    @Test("thenSynchronously runs on a thread of the queue, and not after a failure")
    func synchronously() async {
        let queue = InstrumentedQueue(recorder: Recorder())
        let isInQueue = fetch.thenSynchronously(name: "place", kind: "Place") { _ in
            OperationQueue.current === queue
        }
        let refused = TaskOperation<String> { throw Refusal(reason: "no") }
        let skipped = refused.thenSynchronously { _ in Issue.record("it ran") }
        queue.addOperations([isInQueue, fetch, refused, skipped])
        await queue.drained()
        #expect(isInQueue.output?.value == true && isInQueue.kind == "Place")
        #expect(skipped.failure is DependencyFailure)
    }

    @Test("get gives the output, or an error that names the operation")
    func get() async throws {
        let refused = TaskOperation<Int>(name: "count") { throw Refusal(reason: "no") }
        #expect(throws: DependencyFailure.self) { try fetch.get() }
        await run([fetch, refused])
        #expect(try fetch.get() == "1 2 3")
        let error = #expect(throws: DependencyFailure.self) { try refused.get() }
        #expect(error.map { "\($0)" } == "count failed: no")
    }
}
