import Foundation
import Inspector
import Ops
import Testing

@Suite("Operations with a common key exclude each other")
struct ExclusionKeyTests {
    /// Keys hold across the process, and other tests run at the same time.
    private let test = UUID().uuidString

    private func keys(_ names: String...) -> Set<ExclusionKey> {
        Set(names.map { ExclusionKey("\($0) \(test)") })
    }

    private func queue(slots: Int = -1) -> InstrumentedQueue {
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.maxConcurrentOperationCount = slots
        return queue
    }

    private func waits(_ name: String, in queue: InstrumentedQueue) -> Bool {
        "\(queue.snapshot())".split(separator: "\n")
            .contains { $0.hasPrefix("● \(name) ") && $0.contains(", waits for the key ") }
    }

    /// What is in a body at the moment, and the most that ever was.
    private final class Occupancy: Sendable {
        private let counts = Mutexed((now: 0, most: 0))

        func occupy() {
            counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
            }
            usleep(200)
            counts.withLock { $0.now -= 1 }
        }

        var most: Int { counts.withLock { $0.most } }
    }

    @Test("operations with a common key exclude each other in any queues and of any kind; all of them run")
    func acrossQueues() {
        let occupancy = Occupancy()
        let queues = [queue(), queue(slots: 2), queue(slots: 1)]
        let ran = Journal()
        for number in 0..<60 {
            let operation = SynchronousOperation {
                occupancy.occupy()
                ran.note("\(number)")
            }
            operation.exclusionKeys = keys("database")
            queues[number % 3].addOperation(operation)
        }
        for queue in queues { queue.drain() }
        #expect(occupancy.most == 1)
        #expect(Set(ran.all).count == 60)
    }

    @Test("operations without a common key run at once")
    func otherKeys() {
        let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let queue = queue()
        for (mine, other, key) in [(first, second, "a"), (second, first, "b")] {
            let operation = SynchronousOperation {
                mine.signal()
                other.expectSignal()
            }
            operation.exclusionKeys = keys(key)
            queue.addOperation(operation)
        }
        queue.drain()
    }

    @Test("operations get keys in the order in which they ask, each all of its keys at once")
    func order() {
        let journal = Journal()
        let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let queue = queue()
        let holder = SynchronousOperation(name: "holder") {
            begun.signal()
            goOn.wait()
        }
        holder.exclusionKeys = keys("a")
        queue.addOperation(holder)
        begun.expectSignal()
        // The second waits behind the first for "b", which is free.
        for (name, keys) in [("first", keys("a", "b")), ("second", keys("b")), ("third", keys("a"))] {
            let operation = SynchronousOperation(name: name) { journal.note(name) }
            operation.exclusionKeys = keys
            queue.addOperation(operation)
            #expect(soon { waits(name, in: queue) })
        }
        #expect(journal.all == [])
        goOn.signal()
        queue.drain()
        #expect(Set(journal.all.prefix(1)) == ["first"] && journal.all.count == 3)
    }

    @Test("nothing is stuck with keys in opposite orders, in serial queues, with dependencies across")
    func noDeadlock() {
        let (one, two) = (queue(slots: 1), queue(slots: 1))
        for _ in 0..<200 {
            let first = SynchronousOperation {}
            first.exclusionKeys = keys("a", "b")
            let second = SynchronousOperation {}
            second.exclusionKeys = keys("b", "a")
            // Added first, it waits for the other; by order of addition alone that would be a deadlock.
            first.addDependency(second)
            one.addOperation(first)
            two.addOperation(second)
        }
        one.drain()
        two.drain()
    }

    @Test("an operation cancelled while it waits for a key finishes at once; its body does not run")
    func cancelledInLine() {
        let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let queue = queue()
        let holder = SynchronousOperation {
            begun.signal()
            goOn.wait()
        }
        let cancelled = SynchronousOperation { Issue.record("it ran") }
        let next = SynchronousOperation { 42 }
        for operation in [holder, cancelled, next] as [AsynchronousOperation] {
            operation.exclusionKeys = keys("a")
        }
        queue.addOperation(holder)
        begun.expectSignal()
        queue.addOperation(cancelled)
        #expect(soon { cancelled.isExecuting })
        queue.addOperation(next)
        cancelled.cancel()
        #expect(soon { cancelled.isFinished })
        #expect(cancelled.output?.error is CancellationError && !holder.isFinished)
        goOn.signal()
        queue.drain()
        #expect(next.output?.value == 42)
    }

    @Test(
        "a key is free again however its holder ended",
        arguments: ["failed", "cancelled", "by hand", "never ran"])
    func released(ending: String) {
        let queue = queue()
        let begun = DispatchSemaphore(value: 0)
        let holder = ClosureOperation("holder") { operation in
            if ending == "failed" { operation.finish(throwing: Refusal(reason: "no")) }
            begun.signal()
        }
        holder.exclusionKeys = keys("a")
        if ending == "never ran" {
            let failed = ClosureOperation { $0.finish(throwing: Refusal(reason: "no")) }
            holder.addDependency(failed)
            queue.addOperation(failed)
        }
        queue.addOperation(holder)
        if ending != "never ran" { begun.expectSignal() }
        if ending == "cancelled" {
            holder.cancel()
            holder.finish()
        }
        if ending == "by hand" { holder.finish() }
        let next = SynchronousOperation { 42 }
        next.exclusionKeys = keys("a")
        queue.addOperation(next)
        queue.drain()
        #expect(next.output?.value == 42)
    }

    // MARK: Groups

    @Test("a group holds its key for its children: they exclude each other, and nothing waits forever")
    func inheritedByChildren() {
        let occupancy = Occupancy()
        let group = GroupOperation(recorder: Recorder())
        group.exclusionKeys = keys("database")
        let inner = GroupOperation(recorder: Recorder())
        for number in 0..<20 {
            let child = SynchronousOperation { occupancy.occupy() }
            child.exclusionKeys = keys("database")
            (number % 2 == 0 ? group : inner).add(child)
        }
        // Built from the inside out: it learns of its own group last.
        group.add(inner)
        let outsider = SynchronousOperation { occupancy.occupy() }
        outsider.exclusionKeys = keys("database")
        let queue = queue()
        queue.addOperations([group, outsider])
        queue.drain()
        #expect(occupancy.most == 1)
        #expect(group.failure == nil && outsider.failure == nil)
    }

    @Test("the last to ask of two groups whose children want the other's key fails, and says why")
    func ring() throws {
        let (hasFirst, hasSecond) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        func group(
            _ name: String, key: Set<ExclusionKey>, wants other: Set<ExclusionKey>,
            gate: SynchronousOperation<Void>
        )
            -> (GroupOperation, SynchronousOperation<Void>)
        {
            let group = GroupOperation(name: name, recorder: Recorder())
            group.exclusionKeys = key
            let child = SynchronousOperation(name: "\(name)'s child") {}
            child.exclusionKeys = other
            child.addDependency(gate)
            group.add(gate)
            group.add(child)
            return (group, child)
        }
        let (first, firstChild) = group(
            "first", key: keys("a"), wants: keys("b"),
            gate: SynchronousOperation {
                hasFirst.signal()
                hasSecond.expectSignal()
            })
        let (second, secondChild) = group(
            "second", key: keys("b"), wants: keys("a"),
            gate: SynchronousOperation {
                hasSecond.signal()
                hasFirst.expectSignal()
            })
        let queue = queue()
        queue.addOperations([first, second])
        queue.drain()
        let failures = [firstChild, secondChild].compactMap { $0.failure as? ExclusionFailure }
        #expect(failures.count == 1)
        let failure = try #require(failures.first)
        #expect(failure.holder == (Set(failure.keys) == keys("b") ? "second" : "first"))
        #expect("\(failure)".contains("would wait forever"))
        #expect(first.isFinished && second.isFinished)
    }

    // MARK: What is seen of it

    @Test(
        "a child of a group takes a free key before an operation that waits for it and for the group")
    func beforeThoseThatWaitForTheGroup() {
        let (mayAsk, ran) = (DispatchSemaphore(value: 0), Journal())
        let group = GroupOperation(name: "group", recorder: Recorder())
        group.exclusionKeys = keys("a")
        let first = SynchronousOperation { mayAsk.wait() }
        let child = SynchronousOperation { ran.note("child") }
        child.exclusionKeys = keys("b")
        child.addDependency(first)
        group.add(first)
        group.add(child)
        let outsider = SynchronousOperation { ran.note("outsider") }
        outsider.name = "outsider"
        outsider.exclusionKeys = keys("a", "b")
        let queue = queue()
        queue.addOperation(group)
        #expect(soon { first.isExecuting })
        queue.addOperation(outsider)
        #expect(soon { waits("outsider", in: queue) })
        mayAsk.signal()
        queue.drain()
        #expect(group.failure == nil && outsider.failure == nil)
        #expect(ran.all == ["child", "outsider"])
    }

    @Test("the trace says what an operation waited for, and when its body began")
    func trace() throws {
        let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let holder = SynchronousOperation(name: "import") {
                begun.signal()
                goOn.wait()
            }
            let waiter = SynchronousOperation(name: "export") {}
            holder.exclusionKeys = keys("database")
            waiter.exclusionKeys = keys("database")
            queue.addOperation(holder)
            begun.expectSignal()
            queue.addOperation(waiter)
            #expect(soon { waits("export", in: queue) })
            goOn.signal()
            queue.drain()
        }
        trace.expectWhole()
        let export = try trace.operation("export")
        let mark = try #require(trace.marks.first)
        #expect(mark.text == "waits for the key database \(test): import comes first")
        #expect(trace.operations[try #require(mark.operation)].name == "export")
        let began = try #require(export.bodyBegan)
        #expect(began.notAfter >= (try #require(trace.operation("import").finished)).notAfter)
    }

    @Test("thousands of operations that wait for one key all run, and are all freed")
    func thousands() {
        weak var last: Operation?
        let count = Mutexed(0)
        let queue = queue()
        for _ in 0..<3_000 {
            let operation = SynchronousOperation { count.withLock { $0 += 1 } }
            operation.exclusionKeys = keys("a")
            last = operation
            queue.addOperation(operation)
        }
        queue.drain()
        #expect(count.withLock { $0 } == 3_000)
        #expect(soon { last == nil })
    }

    @Test("an operation finished by hand just before it queues for a key leaves nothing in the queue")
    func finishedBeforeLine() {
        /// Asked for its name on the way to the line.
        final class Impatient: AsynchronousOperation, @unchecked Sendable {
            override var name: String? {
                get {
                    if isExecuting { finish() }
                    return "impatient"
                }
                set {}
            }
        }
        let queue = queue()
        let impatient = Impatient()
        impatient.exclusionKeys = keys("a")
        queue.addOperation(impatient)
        queue.drain()
        let next = SynchronousOperation { 42 }
        next.exclusionKeys = keys("a")
        queue.addOperation(next)
        queue.drain()
        #expect(next.output?.value == 42)
    }

    @Test("checking a thousand children for a circle with their group's key is fast")
    func manyChildren() {
        let count = Mutexed(0)
        let group = GroupOperation(recorder: Recorder())
        group.exclusionKeys = keys("a")
        for _ in 0..<1_000 {
            let child = SynchronousOperation { count.withLock { $0 += 1 } }
            child.exclusionKeys = keys("a")
            group.add(child)
        }
        let queue = queue()
        queue.addOperation(group)
        queue.drain()
        #expect(count.withLock { $0 } == 1_000 && group.failure == nil)
    }
}
