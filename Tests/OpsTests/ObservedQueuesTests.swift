import Foundation
import Inspector
import Ops
import Synchronization
import Testing

@Suite(
    "A queue that is not an InstrumentedQueue is observed as if it were one",
    .whereClassesAreObserved)
struct ObservedQueuesTests {
    private func expectWhole(_ trace: Trace, sourceLocation: SourceLocation = #_sourceLocation) {
        for operation in trace.operations {
            var transitions = [operation.enqueued, operation.executing, operation.finished]
            // When a barrier became ready is seen a little late.
            if operation.kind != "Barrier" { transitions.append(operation.ready) }
            #expect(transitions.allSatisfy { $0?.isExact == true }, sourceLocation: sourceLocation)
        }
        #expect(trace.losses == [], sourceLocation: sourceLocation)
    }

    @Test("a queue of any class is observed by every way of adding operations, each once")
    func everyWay() throws {
        let trace = try recorded { recorder in
            let queue = OperationQueue()
            queue.name = "plain"
            #expect(recorder.observe(queue))
            queue.isSuspended = true
            queue.addOperation(ForeignOperation("one"))
            queue.addOperations(
                [ForeignOperation("two"), ClosureOperation("three")], waitUntilFinished: false)
            queue.addOperation {}
            queue.addBarrierBlock {}
            queue.addOperation(BlockOperation {})
            queue.isSuspended = false
            queue.drain()
        }
        let closure = closureKind("ObservedQueuesTests.everyWay()")
        #expect(
            trace.operations.map { $0.kind == closure ? closure : $0.displayName } == [
                "one", "two", "three", closure, "Barrier", closure,
            ])
        #expect(trace.queues.map(\.name) == ["plain"])
        #expect(trace.edges.filter { $0.successor == 4 }.map(\.predecessor) == [0, 1, 2, 3])
        #expect(trace.edges.filter { $0.predecessor == 4 }.map(\.successor) == [5])
        #expect(trace.queues[0].suspensions.count == 1)
        expectWhole(trace)
    }

    @Test("a queue of any class is observed with its limits, suspensions, names and cancellations")
    func settings() throws {
        let contents = try recordedEvents { recorder in
            let queue = OperationQueue()
            recorder.observe(queue)
            queue.maxConcurrentOperationCount = 3
            queue.isSuspended.toggle()
            queue.name = "renamed"
            queue.addOperation(ForeignOperation())
            queue.cancelAllOperations()
            queue.isSuspended = false
            queue.waitUntilAllOperationsAreFinished()
        }
        let words = contents.events.compactMap { event -> String? in
            switch event.body {
            case .limitChanged(_, let limit): "limit \(limit)"
            case .suspended: "suspended"
            case .resumed: "resumed"
            case .queueRenamed(_, let name): name
            case .allCancelled: "all cancelled"
            case .waitBegan(.queue, _): "wait"
            default: nil
            }
        }
        #expect(words == ["limit 3", "suspended", "renamed", "all cancelled", "resumed", "wait"])
        #expect(Trace(contents).operations.map(\.outcome) == [.cancelled])
    }

    @Test("a subclass that overrides how operations are added is observed, each operation once")
    func subclass() throws {
        let trace = try recorded { recorder in
            let queue = CountingQueue()
            #expect(recorder.observe(queue))
            queue.addOperation(ForeignOperation("one"))
            queue.addOperations(
                [ForeignOperation("two"), ForeignOperation("three")], waitUntilFinished: false)
            queue.drain()
            #expect(queue.count == 3)
        }
        #expect(trace.operations.map(\.name) == ["one", "two", "three"])
        expectWhole(trace)
    }

    @Test("a queue of any class is observed with the operations already in it, as intervals")
    func alreadyThere() throws {
        let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.addOperation(
            ForeignOperation("running") {
                begun.signal()
                goOn.wait()
            })
        queue.addOperation(ForeignOperation("waiting"))
        begun.expectSignal()
        let trace = try recorded { recorder in
            recorder.observe(queue)
            goOn.signal()
            queue.drain()
        }
        let (running, waiting) = (try trace.operation("running"), try trace.operation("waiting"))
        #expect(running.enqueued?.isExact == false && running.executing?.isExact == false)
        #expect(waiting.enqueued?.isExact == false && waiting.executing?.isExact == true)
        #expect(running.finished?.isExact == true && waiting.finished?.isExact == true)
    }

    @Test("operations that continue after their start are observed until the queue hears of the finish")
    func goesOn() throws {
        let queue = OperationQueue()
        let operation = GoesOn()
        queue.addOperation(operation)
        operation.began.expectSignal()
        #expect(soon { !operation.isExecuting })
        let trace = try recorded { recorder in
            recorder.observe(queue)
            // Reading `isFinished` does not finish it.
            #expect(!operation.isFinished)
            operation.finish()
            queue.drain()
        }
        #expect(trace.operations.count == 1)
        let seen = try #require(trace.operations.first)
        #expect(seen.executing?.isExact == false)
        #expect(seen.finished?.isExact == true)
    }

    @Test("an observed queue is freed, with its operations")
    func lifetimes() throws {
        final class Sentinel: Sendable {}
        weak var queue: OperationQueue?
        weak var captured: Sentinel?
        _ = try recorded { recorder in
            let made = OperationQueue()
            let sentinel = Sentinel()
            recorder.observe(made)
            made.addOperation { _ = sentinel }
            made.drain()
            (queue, captured) = (made, sentinel)
        }
        #expect(soon { queue == nil && captured == nil })
    }

    @Test("every queue can be observed: existing and later ones, and an InstrumentedQueue once")
    func everyQueue() throws {
        let program = Process()
        program.executableURL = CrashTests.products.appending(path: "RecordingVictim")
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        program.arguments = ["every-queue", path]
        try program.run()
        program.waitUntilExit()
        #expect(program.terminationStatus == 0)
        let trace = try TraceReader(path: path).read()
        #expect(trace.operations.map(\.displayName).sorted() == ["instrumented", "later", "main", "there"])
        #expect(Set(trace.queues.map(\.name)).isSuperset(of: ["there", "later", "instrumented"]))
        expectWhole(trace)
    }
}

/// A queue of the program's own.
/// Foundation's `start` leaves it when its body is over, and it finishes later.
private final class GoesOn: Operation, @unchecked Sendable {
    let began = DispatchSemaphore(value: 0)
    private let isOver = Atomic(false)

    override func main() { began.signal() }
    override var isFinished: Bool { isOver.load(ordering: .acquiring) }

    func finish() {
        willChangeValue(forKey: "isFinished")
        isOver.store(true, ordering: .releasing)
        didChangeValue(forKey: "isFinished")
    }
}

class CountingQueue: OperationQueue, @unchecked Sendable {
    private let added = Mutexed(0)
    override func addOperation(_ operation: Operation) {
        added.withLock { $0 += 1 }
        super.addOperation(operation)
    }
    @available(*, noasync)
    override func addOperations(_ operations: [Operation], waitUntilFinished wait: Bool) {
        for operation in operations { addOperation(operation) }
    }
    var count: Int { added.withLock { $0 } }
}
