import Foundation
import Ops
import Testing

/// Operations and queues of classes that do not use this project.
@Suite(
    "An observer hears of operations of any class",
    .whereClassesAreObserved)
struct InterposedEventsTests {
    private static let whole = ["enqueued", "ready", "executing", "body", "succeeded"]

    @Test(
        "an observer hears of operations of classes that override main or nothing, and of BlockOperation",
        arguments: [false, true])
    func transitions(isRecorded: Bool) throws {
        try ObserverJournal.observing { journal in
            let recorder = Recorder()
            if isRecorded { try recorder.start(writingTo: temporaryPath()) }
            let queue = journal.queue(recorder: recorder)
            let block = BlockOperation {}
            block.name = "block"
            queue.addOperations([ForeignOperation("main"), block, Operation()], waitUntilFinished: true)
            try recorder.stop()
            for name in ["main", "block", "Operation"] { #expect(journal[name] == Self.whole) }
        }
    }

    @Test("the calling code's operation is known in its main, and in what its task does")
    func current() async {
        await ObserverJournal.observingAsynchronously { journal in
            let queue = journal.queue()
            let seen = Journal()
            let task = Mutexed<Task<Void, Never>?>(nil)
            let operation = ForeignOperation("main") {
                seen.note(WatchedOperation.current?.details?.name ?? "none")
                let made = Task {
                    await Task.yield()
                    seen.note(WatchedOperation.current?.details?.name ?? "none")
                }
                task.withLock { $0 = made }
            }
            queue.addOperation(operation)
            await operation.finished()
            await task.withLock { $0 }?.value
            #expect(seen.all == ["main", "main"])
        }
    }

    @Test("an observer hears once of an operation whose start works on, however often it starts and finishes")
    func ownStart() {
        final class HandWritten: Operation, @unchecked Sendable {
            private let phase = Mutexed(0)
            override var isAsynchronous: Bool { true }
            override var isExecuting: Bool { phase.withLock { $0 == 1 } }
            override var isFinished: Bool { phase.withLock { $0 == 2 } }
            override func start() {
                phase.withLock { $0 = 1 }
                main()
            }
            override func main() {}
            func finish() {
                phase.withLock { $0 = 2 }
                didChangeValue(for: \.isFinished)
            }
        }
        ObserverJournal.observing { journal in
            let queue = journal.queue()
            let operation = HandWritten()
            operation.name = "hand-written"
            queue.addOperation(operation)
            #expect(soon { journal["hand-written"].last == "body ended" })
            operation.start()
            operation.finish()
            queue.drain()
            _ = operation.isFinished
            #expect(journal["hand-written"].count { $0 == "executing" } == 1)
            #expect(journal["hand-written"].count { $0 == "succeeded" } == 1)
            #expect(journal["hand-written"].last == "succeeded")
        }
    }

    @Test("an observer hears of cancellations, before the start and while the operation executes")
    func cancellations() {
        ObserverJournal.observing { journal in
            let queue = journal.queue()
            queue.isSuspended = true
            let before = ForeignOperation("before")
            queue.addOperation(before)
            before.cancel()
            let during = BlockOperation()
            during.name = "during"
            during.addExecutionBlock { [unowned during] in during.cancel() }
            queue.addOperation(during)
            queue.isSuspended = false
            queue.drain()
            #expect(journal["before"] == ["enqueued", "ready", "cancelled", "was cancelled"])
            #expect(journal["during"].suffix(2) == ["cancelled", "was cancelled"])
        }
    }

    @Test("an observer hears of edges, also added after the enqueue, and of readiness only after them")
    func edges() {
        ObserverJournal.observing { journal in
            let queue = journal.queue()
            queue.isSuspended = true
            let operations = ["first", "second", "last"].map { ForeignOperation($0) }
            operations[2].addDependency(operations[0])
            queue.addOperations(operations, waitUntilFinished: false)
            operations[2].addDependency(operations[1])
            queue.isSuspended = false
            queue.drain()
            #expect(
                journal["last"] == [
                    "enqueued after first", "after second", "ready", "executing", "body", "succeeded",
                ])
        }
    }

    @Test("an observer hears of operations of a plain queue that a recorder observes, even if it is off")
    func plainQueue() {
        ObserverJournal.observing { journal in
            let queue = OperationQueue()
            queue.name = journal.queueName
            queue.addOperation(ForeignOperation("unseen"))
            queue.drain()
            #expect(Recorder().observe(queue))
            queue.isSuspended = true
            queue.addOperation(ForeignOperation("operation"))
            queue.addBarrierBlock {}
            queue.addOperation {}
            queue.isSuspended = false
            queue.drain()
            #expect(journal["operation"] == Self.whole)
            #expect(journal["Barrier"] == ["enqueued after operation", "executing", "body", "succeeded"])
            #expect(journal["BlockOperation"].first == "enqueued after Barrier")
            #expect(journal["BlockOperation"].last == "succeeded")
            #expect(!journal.names.contains("unseen"))
        }
    }

    @Test("an observer hears once of an operation whose queue overrides one way of adding with another")
    func overridingQueue() {
        class Overriding: OperationQueue, @unchecked Sendable {
            override func addOperation(_ operation: Operation) {
                addOperations([operation], waitUntilFinished: false)
            }
        }
        ObserverJournal.observing { journal in
            let queue: OperationQueue = Overriding()
            queue.name = journal.queueName
            #expect(Recorder().observe(queue))
            queue.addOperation(ForeignOperation("once"))
            queue.drain()
            #expect(journal["once"] == Self.whole)
        }
    }

    @Test("an observer hears of one predecessor that eight threads name at once, as one operation")
    func sightedAtOnce() {
        final class Predecessors: OperationObserver {
            let queueName = "sighted at once \(UUID().uuidString)"
            let named = Mutexed<[WatchedOperation]>([])
            func enqueued(
                _ operation: WatchedOperation, parent: WatchedOperation?, predecessors: [WatchedOperation]
            ) -> ObserverJournal.Account? {
                guard operation.details?.queueName == queueName else { return nil }
                named.withLock { $0 += predecessors }
                return nil
            }
        }
        let observer = Predecessors()
        let registration = OperationObservers.install(observer)
        defer { registration.remove() }
        for round in 0..<50 {
            let queue = InstrumentedQueue(recorder: Recorder())
            queue.name = observer.queueName
            let first = ForeignOperation("first \(round)")
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                let dependent = ForeignOperation("dependent")
                dependent.addDependency(first)
                queue.addOperation(dependent)
            }
            queue.addOperation(first)
            queue.drain()
            let named = observer.named.withLock { named in
                defer { named = [] }
                return named
            }
            #expect(named.count == 8 && Set(named.map { ObjectIdentifier($0) }).count == 1)
            #expect(named.first?.details?.name == "first \(round)")
        }
    }

    @Test("an observer hears one begin and one end of each of ten thousand operations, in order")
    func manyThreads() {
        ObserverJournal.observing { journal in
            let queues = (0..<4).map { _ in journal.queue() }
            DispatchQueue.concurrentPerform(iterations: 8) { thread in
                for number in 0..<1_250 {
                    let name = "\(thread).\(number)"
                    let operation: Operation =
                        switch number % 3 {
                        case 0: ForeignOperation(name)
                        case 1: ClosureOperation(name)
                        default: BlockOperation {}
                        }
                    operation.name = name
                    queues[number % 4].addOperation(operation)
                    if number % 7 == 0 { operation.cancel() }
                }
            }
            for queue in queues { queue.drain() }
            #expect(journal.names.count == 10_000)
            for name in journal.names {
                let told = journal[name]
                #expect(told.first == "enqueued" && Set(told).count == told.count)
                // A cancellation that another thread tells of at the same moment may come after.
                #expect(told.suffix(2).count { ["succeeded", "was cancelled"].contains($0) } == 1)
            }
        }
    }
}

@Suite(
    "An observer hears of the ends of operations whose classes cannot be observed",
    .whereClassesAreNotObserved)
struct PassiveOperationWatchTests {
    @Test("an observer hears only of the observed ends of operations")
    func ends() {
        ObserverJournal.observing { journal in
            let queue = journal.queue()
            queue.isSuspended = true
            let operations = ["first", "second", "cancelled"].map { ForeignOperation($0) }
            operations[1].addDependency(operations[0])
            queue.addOperations(operations, waitUntilFinished: false)
            operations[2].cancel()
            queue.isSuspended = false
            queue.drain()
            #expect(soon { journal["first"] == ["enqueued", "succeeded"] })
            #expect(soon { journal["second"] == ["enqueued after first", "succeeded"] })
            #expect(soon { journal["cancelled"] == ["enqueued", "cancelled", "was cancelled"] })
        }
    }
}
