import Foundation
import Ops
import Testing

/// What a queue must keep to go wherever an `OperationQueue` goes, recorded and not.
@Suite("An instrumented queue behaves as an operation queue does")
struct InstrumentedQueueTests {
    /// A queue whose recorder is on or off, and the file it may write.
    private final class Bench {
        let recorder = Recorder()
        let queue: InstrumentedQueue
        private let path = temporaryPath()

        init(recording: Bool) throws {
            if recording { try recorder.start(writingTo: path) }
            queue = InstrumentedQueue(recorder: recorder)
        }

        deinit {
            try? recorder.stop()
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    @Test("operations contains the same objects, in the order of addition", arguments: [true, false])
    func identity(recording: Bool) throws {
        let bench = try Bench(recording: recording)
        bench.queue.isSuspended = true
        let added: [Operation] = [ForeignOperation(), BlockOperation {}, ClosureOperation()]
        for operation in added { bench.queue.addOperation(operation) }
        #expect(bench.queue.operations.map(ObjectIdentifier.init) == added.map(ObjectIdentifier.init))
        #expect(bench.queue.operationCount == 3)
        bench.queue.isSuspended = false
        bench.queue.drain()
        #expect(soon { bench.queue.operationCount == 0 && bench.queue.operations.isEmpty })
    }

    @Test(
        "at one slot, priorities decide and equals keep their order", arguments: [true, false], [true, false])
    func priority(recording: Bool, together: Bool) throws {
        let bench = try Bench(recording: recording)
        let journal = Journal()
        bench.queue.maxConcurrentOperationCount = 1
        bench.queue.isSuspended = true
        let priorities: [(String, Operation.QueuePriority)] = [
            ("normal 1", .normal), ("low", .low), ("very high", .veryHigh), ("normal 2", .normal),
            ("high", .high),
            ("very low", .veryLow),
        ]
        let operations = priorities.map { name, priority in
            let operation = BlockOperation { journal.note(name) }
            operation.queuePriority = priority
            return operation
        }
        if together {
            bench.queue.addOperations(operations, waitUntilFinished: false)
        } else {
            for operation in operations { bench.queue.addOperation(operation) }
        }
        bench.queue.isSuspended = false
        bench.queue.drain()
        #expect(journal.all == ["very high", "high", "normal 1", "normal 2", "low", "very low"])
    }

    @Test("isExecuting is true inside the block, and false before and after", arguments: [true, false])
    func executing(recording: Bool) throws {
        let bench = try Bench(recording: recording)
        let seen = Mutexed<Bool?>(nil)
        let block = BlockOperation()
        block.addExecutionBlock { [unowned block] in seen.withLock { $0 = block.isExecuting } }
        #expect(!block.isExecuting)
        bench.queue.addOperation(block)
        bench.queue.drain()
        #expect(seen.withLock { $0 } == true)
        #expect(!block.isExecuting && block.isFinished)
    }

    @Test("an operation works by a direct start with no queue")
    func directStart() {
        let journal = Journal()
        let block = BlockOperation { journal.note("block") }
        block.start()
        let ours = ClosureOperation {
            journal.note("ours")
            $0.finish()
        }
        ours.start()
        #expect(journal.all == ["block", "ours"])
        #expect(block.isFinished && ours.isFinished)
    }

    @Test("main is one queue; current is the queue inside an operation", arguments: [true, false])
    func current(recording: Bool) throws {
        #expect(InstrumentedQueue.main === OperationQueue.main)
        #expect(OperationQueue.main === OperationQueue.main)
        let bench = try Bench(recording: recording)
        let queue = bench.queue
        for underlying in [nil, DispatchQueue(label: "underlying"), nil] {
            let isCurrent = Mutexed(false)
            queue.underlyingQueue = underlying
            queue.addOperation { [unowned queue] in
                let current = OperationQueue.current === queue
                isCurrent.withLock { $0 = current }
            }
            queue.drain()
            #expect(isCurrent.withLock { $0 })
        }
    }

    @Test("cancelling one of several operations prevents just its body", arguments: [true, false])
    func cancelOne(recording: Bool) throws {
        let bench = try Bench(recording: recording)
        let journal = Journal()
        bench.queue.isSuspended = true
        bench.queue.maxConcurrentOperationCount = 1
        let operations = ["a", "b", "c"].map { name in BlockOperation { journal.note(name) } }
        bench.queue.addOperations(operations, waitUntilFinished: false)
        operations[1].cancel()
        bench.queue.isSuspended = false
        bench.queue.drain()
        #expect(journal.all == ["a", "c"])
    }

    @Test("cancelAllOperations inside a running operation is safe", arguments: [true, false])
    func cancelAllInside(recording: Bool) throws {
        let bench = try Bench(recording: recording)
        let queue = bench.queue
        let journal = Journal()
        queue.maxConcurrentOperationCount = 1
        queue.isSuspended = true
        queue.addOperation { [unowned queue] in
            journal.note("first")
            queue.cancelAllOperations()
        }
        queue.addOperation { journal.note("second") }
        queue.addOperation(ForeignOperation { journal.note("third") })
        queue.addOperation(ClosureOperation { _ in journal.note("fourth") })
        queue.isSuspended = false
        queue.drain()
        #expect(journal.all == ["first"])
    }

    @Test("a queue suspended before operations are added does not start them", arguments: [true, false])
    func suspension(recording: Bool) throws {
        let bench = try Bench(recording: recording)
        let underlying = DispatchQueue(label: "underlying")
        bench.queue.underlyingQueue = underlying
        bench.queue.isSuspended = true
        let journal = Journal()
        bench.queue.addOperation { journal.note("ran") }
        underlying.sync {}
        #expect(journal.all.isEmpty)
        let queue = bench.queue
        underlying.async { queue.isSuspended = false }
        queue.drain()
        #expect(journal.all == ["ran"])
    }

    @Test("dependencies shows the edges that were added and no others", arguments: [true, false])
    func dependencies(recording: Bool) throws {
        let bench = try Bench(recording: recording)
        bench.queue.isSuspended = true
        let first = ForeignOperation()
        let second = BlockOperation {}
        let third = ClosureOperation()
        third.addDependency(first)
        third.addDependency(second)
        bench.queue.addOperations([first, second, third], waitUntilFinished: false)
        #expect(first.dependencies.isEmpty && second.dependencies.isEmpty)
        #expect(third.dependencies.map(ObjectIdentifier.init) == [first, second].map(ObjectIdentifier.init))
        bench.queue.isSuspended = false
        bench.queue.drain()
    }

    @Test(
        "a cancelled dependency releases its dependent, and its own body never runs",
        arguments: [true, false])
    func cancelledDependency(recording: Bool) throws {
        let bench = try Bench(recording: recording)
        let journal = Journal()
        let dependency = BlockOperation { journal.note("dependency") }
        let dependent = BlockOperation { journal.note("dependent") }
        dependent.addDependency(dependency)
        dependency.cancel()
        bench.queue.addOperations([dependent, dependency], waitUntilFinished: false)
        bench.queue.drain()
        #expect(journal.all == ["dependent"])
    }

    @Test("at one slot, a dependent that is added first does not block", arguments: [true, false])
    func dependentFirst(recording: Bool) throws {
        let bench = try Bench(recording: recording)
        let journal = Journal()
        bench.queue.maxConcurrentOperationCount = 1
        let first = BlockOperation { journal.note("first") }
        let second = BlockOperation { journal.note("second") }
        second.addDependency(first)
        bench.queue.addOperation(second)
        bench.queue.addOperation(first)
        bench.queue.drain()
        #expect(journal.all == ["first", "second"])
    }

    @Test(
        "a queue that is dropped finishes what waits, and is freed with its operations",
        arguments: [true, false])
    func dropped(recording: Bool) throws {
        let bench = try Bench(recording: recording)
        weak var weakQueue: InstrumentedQueue?
        weak var weakOurs: Operation?
        weak var weakForeign: Operation?
        let done = DispatchSemaphore(value: 0)
        do {
            let queue = InstrumentedQueue(recorder: bench.recorder)
            queue.isSuspended = true
            let ours = ClosureOperation()
            let foreign = ForeignOperation { done.signal() }
            foreign.addDependency(ours)
            queue.addOperation(ours)
            queue.addOperation(foreign)
            (weakQueue, weakOurs, weakForeign) = (queue, ours, foreign)
            queue.isSuspended = false
        }
        done.expectSignal()
        #expect(soon { weakQueue == nil && weakOurs == nil && weakForeign == nil })
    }

    @Test("cancelling an operation in no queue leaves it cancelled, not executing, not finished")
    func cancelOutside() {
        for operation in [BlockOperation {}, ClosureOperation()] {
            operation.cancel()
            #expect(operation.isCancelled && !operation.isExecuting && !operation.isFinished)
        }
    }

    @Test("edges hold across queues", arguments: [true, false])
    func acrossQueues(recording: Bool) throws {
        let bench = try Bench(recording: recording)
        let other = InstrumentedQueue(recorder: bench.recorder)
        let journal = Journal()
        bench.queue.isSuspended = true
        let first = BlockOperation { journal.note("first") }
        let second = BlockOperation { journal.note("second") }
        second.addDependency(first)
        other.addOperation(second)
        bench.queue.addOperation(first)
        #expect(journal.all.isEmpty)
        bench.queue.isSuspended = false
        other.drain()
        #expect(journal.all == ["first", "second"])
    }

    @Test("cancelling one of a cycle of three lets the others run in order", arguments: [true, false])
    func cycle(recording: Bool) throws {
        let bench = try Bench(recording: recording)
        let journal = Journal()
        let operations = ["a", "b", "c"].map { name in BlockOperation { journal.note(name) } }
        for (index, operation) in operations.enumerated() {
            operation.addDependency(operations[(index + 2) % 3])
        }
        bench.queue.addOperations(operations, waitUntilFinished: false)
        operations[0].cancel()
        bench.queue.drain()
        #expect(journal.all == ["b", "c"])
        for operation in operations {
            for dependency in operation.dependencies { operation.removeDependency(dependency) }
        }
    }

    @Test("both blocks of a block operation run", arguments: [true, false])
    func executionBlocks(recording: Bool) throws {
        let bench = try Bench(recording: recording)
        let journal = Journal()
        let block = BlockOperation { journal.note("first") }
        block.addExecutionBlock { journal.note("second") }
        bench.queue.addOperation(block)
        bench.queue.drain()
        #expect(journal.all == ["first", "second"])
    }

    @Test("adding an operation twice is fatal")
    func doubleAdd() async {
        await #expect(processExitsWith: .failure) {
            let queue = InstrumentedQueue()
            queue.isSuspended = true
            let operation = BlockOperation {}
            queue.addOperation(operation)
            queue.addOperation(operation)
        }
    }

    @Test("a barrier waits for what is queued, and what comes later waits for it", arguments: [true, false])
    func barrier(recording: Bool) throws {
        let bench = try Bench(recording: recording)
        let journal = Journal()
        bench.queue.isSuspended = true
        bench.queue.addOperation { journal.note("before") }
        bench.queue.addOperation(ForeignOperation { journal.note("before") })
        bench.queue.addBarrierBlock { journal.note("barrier") }
        bench.queue.addOperation { journal.note("after") }
        bench.queue.addOperation(
            ClosureOperation {
                journal.note("after")
                $0.finish()
            })
        #expect(bench.queue.operationCount == 4)
        bench.queue.isSuspended = false
        bench.queue.drain()
        #expect(journal.all == ["before", "before", "barrier", "after", "after"])
    }

    @Test("progress counts only when a total was set", arguments: [true, false])
    func progress(recording: Bool) throws {
        let bench = try Bench(recording: recording)
        // Foundation crashes now and then where two operations of a queue end at once and it counts them.
        bench.queue.maxConcurrentOperationCount = 1
        bench.queue.addOperation {}
        bench.queue.drain()
        #expect(bench.queue.progress.completedUnitCount == 0)
        bench.queue.progress.totalUnitCount = 2
        bench.queue.addOperation {}
        bench.queue.addOperation(ForeignOperation())
        bench.queue.drain()
        #expect(bench.queue.progress.completedUnitCount == 2)
    }

    @Test(
        "quality of service orders operations without a priority if there are slots",
        arguments: [true, false])
    func qualityOfService(recording: Bool) throws {
        let bench = try Bench(recording: recording)
        let journal = Journal()
        bench.queue.maxConcurrentOperationCount = 2
        // The queue keeps no reference of its own.
        let underlying = DispatchQueue(label: "one at a time")
        defer { withExtendedLifetime(underlying) {} }
        bench.queue.underlyingQueue = underlying
        bench.queue.isSuspended = true
        let levels: [(String, QualityOfService)] = [
            ("background", .background), ("utility", .utility), ("initiated", .userInitiated),
            ("interactive", .userInteractive),
        ]
        for (name, level) in levels {
            let operation = BlockOperation { journal.note(name) }
            operation.qualityOfService = level
            bench.queue.addOperation(operation)
        }
        bench.queue.isSuspended = false
        bench.queue.drain()
        // Two are let go at once, the two highest; which of them comes first is the thread pool's affair.
        #expect(Set(journal.all.prefix(2)) == ["interactive", "initiated"])
    }

    @Test("a closure's operation has the quality of service of its queue", arguments: [true, false])
    func closureQuality(recording: Bool) throws {
        let bench = try Bench(recording: recording)
        bench.queue.qualityOfService = .utility
        bench.queue.isSuspended = true
        bench.queue.addOperation {}
        #expect(bench.queue.operations.first?.qualityOfService == .utility)
        #expect(bench.queue.operations.first is BlockOperation)
        bench.queue.isSuspended = false
        bench.queue.drain()
    }

    @Test("addOperations can wait until they are finished", arguments: [true, false])
    func waiting(recording: Bool) throws {
        let bench = try Bench(recording: recording)
        let operations = [ForeignOperation(), BlockOperation {}, ClosureOperation()]
        bench.queue.addOperations(operations, waitUntilFinished: true)
        #expect(operations.allSatisfy { $0.isFinished })
    }
}
