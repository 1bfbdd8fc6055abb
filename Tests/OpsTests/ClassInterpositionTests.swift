import Foundation
import Inspector
import Ops
import Testing

/// Operations of classes that do not use this project, written as people write them.
@Suite(
    "Operations of any class are exact",
    .whereClassesAreObserved)
struct ClassInterpositionTests {
    /// Runs operations on a queue, and gives those of the trace, in the order of their enqueues.
    private func run(_ operations: Operation..., limit: Int = -1) throws -> TracedOperations {
        try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.maxConcurrentOperationCount = limit
            for operation in operations { queue.addOperation(operation) }
            queue.drain()
        }.operations
    }

    private func expectWhole(
        _ operation: TracedOperation, outcome: Outcome = .succeeded,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let transitions = [operation.enqueued, operation.ready, operation.executing, operation.finished]
        #expect(transitions.allSatisfy { $0?.isExact == true }, sourceLocation: sourceLocation)
        let times = transitions.compactMap { $0?.notAfter }
        #expect(times == times.sorted(), sourceLocation: sourceLocation)
        #expect(operation.outcome == outcome, sourceLocation: sourceLocation)
    }

    @Test("the execution of an operation whose class overrides main is its body, also if the class is final")
    func main() throws {
        final class Sealed: Operation, @unchecked Sendable { override func main() { usleep(2_000) } }
        for operation in try run(ForeignOperation { usleep(2_000) }, Sealed()) {
            expectWhole(operation)
            let (executing, finished) = (
                operation.executing?.notAfter ?? .max, operation.finished?.notAfter ?? 0
            )
            #expect(finished - executing >= 2_000_000)
            #expect(operation.bodyBegan == nil && operation.bodyEnded == nil)
        }
    }

    @Test("an operation of a class with its own start has the begin and the end of its body")
    func bodyOfStart() throws {
        final class Starting: Operation, @unchecked Sendable {
            override func start() { super.start() }
            override func main() { usleep(2_000) }
        }
        let operation = try #require(try run(Starting()).first)
        expectWhole(operation)
        let began = try #require(operation.bodyBegan).notAfter
        let ended = try #require(operation.bodyEnded).notAfter
        #expect(ended - began >= 2_000_000)
        #expect(began >= operation.executing?.notAfter ?? .max)
    }

    @Test("an operation is exact whose start returns on one thread while main begins on another")
    func startWhileMain() throws {
        /// Hands itself to a thread that polls, so that both threads go on within nanoseconds.
        final class Handed: Operation, @unchecked Sendable {
            let next: Mutexed<Handed?>
            init(_ next: Mutexed<Handed?>) { self.next = next }
            override func start() { next.withLock { $0 = self } }
            func begin() { super.start() }
        }
        let (next, isOver) = (Mutexed<Handed?>(nil), Mutexed(false))
        Thread.detachNewThread {
            while !isOver.withLock({ $0 }) {
                next.withLock { next in
                    defer { next = nil }
                    return next
                }?.begin()
            }
        }
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.maxConcurrentOperationCount = 1
            for _ in 0..<20_000 { queue.addOperation(Handed(next)) }
            queue.drain()
        }
        isOver.withLock { $0 = true }
        #expect(trace.losses == [])
        let wrong = trace.operations.filter {
            guard let began = $0.bodyBegan?.notAfter, let ended = $0.bodyEnded?.notAfter else { return true }
            return began > ended
        }
        #expect(wrong.map(\.displayName) == [])
    }

    /// Goes on when its body has returned, until `finish` is called.
    private final class Denying: Operation, @unchecked Sendable {
        private let mayFinish = Locked(false)
        private let body: @Sendable (Operation) -> Void

        init(_ body: @escaping @Sendable (Operation) -> Void = { _ in }) { self.body = body }

        override var isFinished: Bool { super.isFinished && mayFinish.withLock { $0 } }
        override func main() { body(self) }

        func finish() {
            willChangeValue(forKey: "isFinished")
            mayFinish.withLock { $0 = true }
            didChangeValue(forKey: "isFinished")
        }
    }

    /// Runs it, and finishes it later.
    private func run(_ denying: Denying) throws -> TracedOperation {
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperation(denying)
            while denying.isExecuting || !denying.isReady { usleep(100) }
            usleep(20_000)
            denying.finish()
            queue.drain()
        }
        #expect(trace.losses == [])
        return try #require(trace.operations.first)
    }

    @Test("the end of the body is in the log for a class that denies its finish when its body has returned")
    func bodyOfDenial() throws {
        let operation = try run(Denying())
        #expect(operation.bodyBegan == nil)
        let ended = try #require(operation.bodyEnded).notAfter
        #expect(ended < operation.finished?.notAfter ?? 0)
    }

    @Test("a body ends when it returns, also if it notifies of a finish that the class denies")
    func bodyOfEarlyNotification() throws {
        let operation = try run(
            Denying {
                $0.didChangeValue(forKey: "isFinished")
                usleep(2_000)
            })
        let ended = try #require(operation.bodyEnded).notAfter
        #expect(ended - (operation.executing?.notAfter ?? 0) >= 2_000_000)
    }

    @Test(
        "no body ends in an operation whose class denies its finish, and that is cancelled before it starts")
    func bodyOfCancelledDenial() throws {
        let denying = Denying()
        denying.cancel()
        let operation = try run(denying)
        #expect(operation.executing == nil && operation.bodyEnded == nil)
        #expect(operation.outcome == .cancelled)
    }

    @Test("BlockOperations, also with several blocks, and operations of a bare Operation are exact")
    func blocks() throws {
        let block = BlockOperation { usleep(100) }
        block.addExecutionBlock { usleep(100) }
        for operation in try run(block, Operation()) { expectWhole(operation) }
    }

    @Test("operations of generic classes are exact, also if metadata is made after the superclass changed")
    func generic() throws {
        class Generic<Value>: Operation, @unchecked Sendable {
            override func main() { usleep(100) }
        }
        final class Derived<Value>: Generic<Value>, @unchecked Sendable {
            override func main() {
                super.main()
                usleep(100)
            }
        }
        for operation in try run(Generic<Int>(), Generic<String>()) { expectWhole(operation) }
        for operation in try run(Derived<Int>(), Derived<[Double]>(), Generic<Set<Int>>()) {
            expectWhole(operation)
        }
    }

    @Test("an operation of a class that calls super.start has one start")
    func superStart() throws {
        class Custom: Operation, @unchecked Sendable {
            override func start() { super.start() }
            override func main() { usleep(100) }
        }
        final class Derived: Custom, @unchecked Sendable { override func start() { super.start() } }
        let contents = try recordedEvents { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperation(Custom())
            queue.addOperation(Derived())
            queue.drain()
        }
        for operation in Trace(contents).operations { expectWhole(operation) }
        let starts = contents.events.filter { if case .executing = $0.body { true } else { false } }
        #expect(starts.count == 2)
        #expect(contents.losses == [] && Trace(contents).losses == [])
    }

    @Test("a start that dispatches itself to another thread is one start, with the later finish")
    func redispatchedStart() throws {
        for operation in try run(ByHand(onOtherThread: true)) { expectWhole(operation) }
    }

    @Test("an operation of an asynchronous class written by hand executes until its work is done")
    func asynchronous() throws {
        for operation in try run(ByHand(), ByHand(), limit: 1) {
            expectWhole(operation)
            let executing = try #require(operation.executing).notAfter
            #expect(try #require(operation.finished).notAfter - executing >= 2_000_000)
        }
    }

    @Test("an operation of a class that overrides isReady is exact")
    func customReadiness() throws {
        final class Gated: Operation, @unchecked Sendable {
            private let gate = Mutexed(false)
            override var isReady: Bool { super.isReady && gate.withLock { $0 } }
            func open() {
                willChangeValue(for: \.isReady)
                gate.withLock { $0 = true }
                didChangeValue(for: \.isReady)
            }
        }
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let gated = Gated()
            queue.addOperation(gated)
            usleep(2_000)
            gated.open()
            queue.drain()
        }
        let operation = trace.operations[0]
        expectWhole(operation)
        #expect(try #require(operation.ready).notAfter - (operation.enqueued?.notAfter ?? 0) >= 2_000_000)
    }

    @MainActor
    final class OnMainActor: Operation, @unchecked Sendable {
        override nonisolated func main() { usleep(100) }
    }

    @Test("an operation of a class of the main actor is exact")
    @MainActor
    func mainActor() async throws {
        let operation = OnMainActor()
        let trace = try await recordedAsynchronously { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            await withCheckedContinuation { done in
                operation.completionBlock = { done.resume() }
                queue.addOperation(operation)
            }
        }
        expectWhole(trace.operations[0])
    }

    @Test("an operation cancelled while it waits finishes and never executes, also of a final class")
    func cancelledBefore() throws {
        final class Sealed: Operation, @unchecked Sendable { override func main() {} }
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.isSuspended = true
            let (open, sealed) = (ForeignOperation(), Sealed())
            queue.addOperations([open, sealed], waitUntilFinished: false)
            open.cancel()
            sealed.cancel()
            queue.isSuspended = false
            queue.drain()
        }
        for operation in trace.operations {
            #expect(operation.executing == nil && operation.outcome == .cancelled)
            #expect(operation.cancelled != nil && operation.finished?.isExact == true)
        }
        #expect(trace.operations[0].cancelled?.isExact == true)
    }

    @Test("an operation cancelled while it executes finishes as cancelled")
    func cancelledWithin() throws {
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let operation = ForeignOperation {
                begun.signal()
                goOn.wait()
            }
            queue.addOperation(operation)
            begun.expectSignal()
            operation.cancel()
            goOn.signal()
            queue.drain()
        }
        expectWhole(trace.operations[0], outcome: .cancelled)
        #expect(trace.operations[0].cancelled?.isExact == true)
    }

    @Test("no cancellation is logged of a class that does not let itself be cancelled")
    func refusesCancel() throws {
        final class Stubborn: Operation, @unchecked Sendable {
            override func cancel() {}
            override func main() {}
        }
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.isSuspended = true
            let operation: Operation = Stubborn()
            queue.addOperation(operation)
            queue.cancelAllOperations()
            queue.isSuspended = false
            queue.drain()
        }
        expectWhole(trace.operations[0])
        #expect(trace.operations[0].cancelled == nil)
    }

    @Test("an operation whose start works although it was cancelled executes")
    func startsThoughCancelled() throws {
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.isSuspended = true
            let operation: Operation = ByHand()
            queue.addOperation(operation)
            operation.cancel()
            queue.isSuspended = false
            queue.drain()
        }
        expectWhole(trace.operations[0], outcome: .cancelled)
    }

    @Test("operations are exact if another thread calls a class's methods while they are replaced")
    func replacedWhileInUse() throws {
        class Busy: Operation, @unchecked Sendable { override var isReady: Bool { super.isReady } }
        let busy: Operation = Busy()
        let (isOver, isCalling, hasEnded) = (
            Mutexed(false), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        Thread.detachNewThread {
            while !isOver.withLock({ $0 }) {
                // A call through the class's table, which the thread sanitizer sees.
                _ = busy.isReady
                isCalling.signal()
            }
            hasEnded.signal()
        }
        isCalling.expectSignal()
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperation(Busy())
            queue.drain()
        }
        isOver.withLock { $0 = true }
        hasEnded.expectSignal()
        expectWhole(trace.operations[0])
    }

    @Test("edges that come after the enqueue are in the trace, also of a final class")
    func lateEdges() throws {
        final class Sealed: Operation, @unchecked Sendable { override func main() {} }
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.isSuspended = true
            let first = ForeignOperation("first")
            let open = ForeignOperation("open")
            let sealed = Sealed()
            sealed.name = "sealed"
            queue.addOperations([first, open, sealed], waitUntilFinished: false)
            open.addDependency(first)
            sealed.addDependency(first)
            queue.isSuspended = false
            queue.drain()
        }
        #expect(trace.predecessors(of: "open") == ["first"])
        #expect(trace.predecessors(of: "sealed") == ["first"])
        for edge in trace.edges {
            let finished = try #require(trace.operations[edge.predecessor].finished).notAfter
            #expect(finished <= (trace.operations[edge.successor].ready?.notAfter ?? .min))
        }
    }

    @Test("a barrier is in the trace once, with its edges")
    func barrier() throws {
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.isSuspended = true
            queue.addOperation(ForeignOperation("before"))
            queue.addBarrierBlock {}
            queue.addOperation(ForeignOperation("after"))
            queue.isSuspended = false
            queue.drain()
        }
        #expect(trace.operations.map(\.displayName) == ["before", "Barrier", "after"])
        #expect(
            trace.edges == [
                Trace.Edge(predecessor: 0, successor: 1), Trace.Edge(predecessor: 1, successor: 2),
            ])
        for operation in trace.operations { #expect(operation.finished?.isExact == true) }
        #expect(trace.operations[2].ready?.notAfter ?? 0 >= trace.operations[1].finished?.notAfter ?? .max)
    }

    @Test("operations that a body enqueues are its children")
    func children() throws {
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperation(ForeignOperation("outer") { queue.addOperation(ForeignOperation("inner")) })
            queue.drain()
        }
        let inner = try trace.operation("inner")
        #expect(try #require(inner.parent.map { trace.operations[$0].name }) == "outer")
    }

    @Test("an operation dropped while it waits is gone, and its address can become another operation")
    func dropped() throws {
        let trace = try recorded { recorder in
            for _ in 0..<200 {
                let queue = InstrumentedQueue(recorder: recorder)
                queue.addOperation(ForeignOperation())
                queue.drain()
                // Never enqueued, only named by an edge, and gone.
                let unused = ForeignOperation()
                let dependent = ClosureOperation()
                dependent.addDependency(unused)
                queue.isSuspended = true
                queue.addOperation(dependent)
                dependent.cancel()
                queue.isSuspended = false
                queue.drain()
            }
        }
        #expect(trace.operations.count == 600)
        #expect(trace.losses == [])
    }

    @Test("operations of thousands of types, each made while the program runs, are exact")
    func manyTypes() throws {
        class Work<Value>: Operation, @unchecked Sendable { override func main() {} }
        func make<Value>(_ type: Value.Type, _ depth: Int, _ operations: inout [Operation]) {
            operations.append(Work<Value>())
            guard depth > 0 else { return }
            make(Value?.self, depth - 1, &operations)
            make([Value].self, depth - 1, &operations)
        }
        var operations: [Operation] = []
        make(Int.self, 11, &operations)
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            for operation in operations { queue.addOperation(operation) }
            queue.drain()
        }
        #expect(trace.operations.count == 4_095)
        #expect(trace.operations.allSatisfy { $0.finished?.isExact == true })
    }

    /// Says that it is ready when it is let go on, as if its thread had been preempted with the answer. Not
    /// `final`, or edges would be added by direct calls.
    private class Slow: Operation, @unchecked Sendable {
        let answered = DispatchSemaphore(value: 0)
        let go = DispatchSemaphore(value: 0)
        private let isHeld = Mutexed(false)
        private let adder = pthread_self()

        override var isReady: Bool {
            let isReady = super.isReady
            let isFirst = isHeld.withLock { isHeld in
                guard isReady, !isHeld, pthread_self() != adder else { return false }
                isHeld = true
                return true
            }
            if isFirst {
                answered.signal()
                _ = go.wait(timeout: .now() + 30)
            }
            return isReady
        }
    }

    @Test(
        "an answer to isReady from before another dependency does not make an operation ready",
        arguments: [true, false],
        [true, false])
    func staleAnswer(isEnqueuedFirst: Bool, isObserved: Bool) throws {
        let journal = ObserverJournal()
        let registration = isObserved ? OperationObservers.install(journal) : nil
        defer { registration?.remove() }
        let last = DispatchSemaphore(value: 0)
        let trace = try recorded { recorder in
            let queues = (0..<3).map { _ in journal.queue(recorder: recorder) }
            let warm = Slow()
            queues[2].addOperation(warm)
            warm.go.signal()
            queues[2].drain()
            queues[2].isSuspended = true
            let slow = Slow()
            slow.name = "slow"
            let (gate, first, second) = (DispatchSemaphore(value: 0), BlockOperation(), BlockOperation())
            first.addExecutionBlock { _ = gate.wait(timeout: .now() + 30) }
            second.addExecutionBlock { _ = last.wait(timeout: .now() + 30) }
            (first.name, second.name) = ("first", "second")
            slow.addDependency(first)
            if isEnqueuedFirst { queues[2].addOperation(slow) }
            queues[0].addOperation(first)
            queues[1].addOperation(second)
            gate.signal()
            // The thread that finishes the one has its answer, which is true.
            #expect(slow.answered.wait(timeout: .now() + 30) == .success)
            slow.addDependency(second)
            if !isEnqueuedFirst { queues[2].addOperation(slow) }
            slow.go.signal()
            queues[0].drain()
            #expect(!journal["slow"].contains("ready"))
            last.signal()
            queues[1].drain()
            queues[2].isSuspended = false
            queues[2].drain()
        }
        let slow = try #require(trace.operations.first { $0.name == "slow" })
        let second = try #require(trace.operations.first { $0.name == "second" })
        #expect(try #require(slow.ready).notAfter >= #require(second.finished).notAfter)
        expectWhole(slow)
        #expect(trace.losses == [])
        if isObserved { #expect(journal["slow"].filter { $0 == "ready" }.count == 1) }
    }

    @Test("an edge is in the log once if an override calls the superclass")
    func overriddenAddition() throws {
        class Careful: Operation, @unchecked Sendable {
            override func addDependency(_ operation: Operation) { super.addDependency(operation) }
        }
        final class MoreCareful: Careful, @unchecked Sendable {
            override func addDependency(_ operation: Operation) { super.addDependency(operation) }
        }
        let contents = try recordedEvents { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.isSuspended = true
            let (first, second) = (ForeignOperation(), MoreCareful())
            queue.addOperations([first, second, Careful()], waitUntilFinished: false)
            second.addDependency(first)
            queue.isSuspended = false
            queue.drain()
        }
        let edges = contents.events.filter { if case .dependencyAdded = $0.body { true } else { false } }
        #expect(edges.count == 1)
        #expect(contents.losses == [] && Trace(contents).losses == [])
    }

    /// `make soak` asks for more.
    private static let rounds = ProcessInfo.processInfo.environment["OPVIZ_ROUNDS"].flatMap(Int.init) ?? 1

    @Test(
        "no dependent starts before its predecessor finished, over many operations from many threads",
        arguments: 0..<rounds)
    func order(round: Int) throws {
        let trace = try recorded { recorder in
            let queues = (0..<3).map { _ in InstrumentedQueue(recorder: recorder) }
            DispatchQueue.concurrentPerform(iterations: 6) { thread in
                var previous: [Operation] = []
                for number in 0..<300 {
                    let operation = number % 3 == 0 ? BlockOperation {} : ForeignOperation()
                    for predecessor in previous.suffix(2) { operation.addDependency(predecessor) }
                    queues[(thread + number) % 3].addOperation(operation)
                    if number % 50 == 0 { queues[(thread + round) % 3].addBarrierBlock {} }
                    if number % 7 == 0 { queues[thread % 3].addOperation {} }
                    previous.append(operation)
                }
            }
            for queue in queues { queue.drain() }
        }
        #expect(trace.operations.count == 1_800 + 6 * 6 + 6 * 43)
        #expect(trace.operations.allSatisfy { $0.executing?.isExact == true && $0.finished?.isExact == true })
        #expect(trace.operations.allSatisfy { $0.ready != nil && $0.outcome == .succeeded })
        // Foundation starts one too early itself, of some hundred thousand; the rule proves that it was.
        let early = Set(
            HazardReport(trace, rules: ["started-early"]).groups.flatMap(\.findings).flatMap {
                $0.operations.prefix(1)
            })
        // One expectation for all: a million of them would take longer than the operations.
        let wrong = trace.edges.filter { edge in
            let finished = trace.operations[edge.predecessor].finished?.notAfter ?? .max
            let successor = trace.operations[edge.successor]
            return !early.contains(edge.successor)
                && (finished > successor.executing?.notAfter ?? .min
                    || finished > successor.ready?.notAfter ?? .min)
        }
        let described = wrong.map {
            "\(trace.operations[$0.predecessor]) before \(trace.operations[$0.successor])"
        }
        #expect(described == [])
    }
}

/// An asynchronous operation as it is written by hand.
private final class ByHand: Operation, @unchecked Sendable {
    private let state = Mutexed((executing: false, finished: false))
    private let onOtherThread: Bool
    private let hasMoved = Mutexed(false)

    init(onOtherThread: Bool = false) { self.onOtherThread = onOtherThread }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { state.withLock { $0.executing } }
    override var isFinished: Bool { state.withLock { $0.finished } }

    override func start() {
        guard !onOtherThread || hasMoved.withLock({ $0 }) else {
            hasMoved.withLock { $0 = true }
            return Thread.detachNewThread { self.start() }
        }
        willChangeValue(for: \.isExecuting)
        state.withLock { $0.executing = true }
        didChangeValue(for: \.isExecuting)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(2)) { self.finish() }
    }

    private func finish() {
        willChangeValue(for: \.isExecuting)
        willChangeValue(for: \.isFinished)
        state.withLock { $0 = (false, true) }
        didChangeValue(for: \.isExecuting)
        didChangeValue(for: \.isFinished)
    }
}
