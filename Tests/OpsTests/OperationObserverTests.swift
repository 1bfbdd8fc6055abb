import Foundation
import Inspector
import Ops
import Testing

@Suite("An observer receives operation events, with the recorder on or off")
struct OperationObserverTests {
    private static let whole = ["enqueued", "ready", "executing", "body", "succeeded"]

    @Test(
        "an observer receives events of an operation of ours: its transitions once, in order",
        arguments: [false, true])
    func own(isRecorded: Bool) throws {
        try ObserverJournal.observing { journal in
            let recorder = Recorder()
            if isRecorded { try recorder.start(writingTo: temporaryPath()) }
            let queue = journal.queue(recorder: recorder)
            queue.addOperation(ClosureOperation("own"))
            queue.addOperation {}
            queue.drain()
            try recorder.stop()
            #expect(journal["own"] == Self.whole)
            #expect(journal["BlockOperation"] == Self.whole)
        }
    }

    @Test("an observer receives events with numbers outside any log if nothing is recorded")
    func ownNumbers() throws {
        try ObserverJournal.observing { journal in
            let recorder = Recorder()
            for isRecorded in [false, true] {
                if isRecorded { try recorder.start(writingTo: temporaryPath()) }
                let queue = journal.queue(recorder: recorder)
                let found = Mutexed<WatchedOperation.Details?>(nil)
                queue.addOperation { found.withLock { $0 = WatchedOperation.current?.details } }
                queue.drain()
                let details = try #require(found.withLock { $0 })
                #expect((details.id.rawValue >= 1 << 63) == !isRecorded)
                #expect((details.queue.rawValue >= 1 << 63) == !isRecorded)
            }
            try recorder.stop()
        }
    }

    @Test("an observer receives the end of a body if the operation continues after that")
    func bodyEnded() {
        ObserverJournal.observing { journal in
            let queue = journal.queue()
            let operation = ClosureOperation("asynchronous") { _ in }
            queue.addOperation(operation)
            #expect(soon { journal["asynchronous"].last == "body ended" })
            operation.finish()
            queue.drain()
            #expect(journal["asynchronous"].dropFirst(4) == ["body ended", "succeeded"])
        }
    }

    @Test("an observer receives events of an operation cancelled before its start, which never executes")
    func cancelledBefore() {
        ObserverJournal.observing { journal in
            let queue = journal.queue()
            queue.isSuspended = true
            let operation = ClosureOperation("cancelled")
            queue.addOperation(operation)
            operation.cancel()
            operation.cancel()
            queue.isSuspended = false
            queue.drain()
            #expect(journal["cancelled"] == ["enqueued", "ready", "cancelled", "was cancelled"])
        }
    }

    @Test("an observer receives events of an operation that was cancelled before it was added")
    func cancelledBeforeEnqueue() {
        ObserverJournal.observing { journal in
            let queue = journal.queue()
            let operation = ClosureOperation("cancelled")
            operation.cancel()
            queue.addOperation(operation)
            queue.drain()
            #expect(journal["cancelled"] == ["enqueued", "cancelled", "ready", "was cancelled"])
        }
    }

    @Test("an observer receives events of one cancelled while it executes, and of one that fails")
    func endings() {
        struct Broken: Error, CustomStringConvertible { var description: String { "broken" } }
        ObserverJournal.observing { journal in
            let queue = journal.queue()
            queue.addOperation(
                ClosureOperation("cancelled") { operation in
                    operation.cancel()
                    operation.finish()
                })
            queue.addOperation(ClosureOperation("failing") { $0.finish(throwing: Broken()) })
            queue.drain()
            #expect(
                journal["cancelled"] == [
                    "enqueued", "ready", "executing", "body", "cancelled", "was cancelled",
                ])
            #expect(journal["failing"].last == "failed: broken, broken")
        }
    }

    @Test("an observer hears that an operation which finishes twice has finished, once")
    func finishedTwice() {
        ObserverJournal.observing { journal in
            let queue = journal.queue()
            queue.addOperation(
                ClosureOperation("twice") { operation in
                    operation.finish()
                    operation.finish()
                })
            queue.drain()
            #expect(journal["twice"].count { $0 == "succeeded" } == 1)
        }
    }

    @Test("an observer is told the parent: the group of its children, or the operation whose body adds them")
    func parents() {
        ObserverJournal.observing { journal in
            let queue = journal.queue()
            let group = GroupOperation(name: journal.queueName, recorder: Recorder())
            group.add(ClosureOperation("child"))
            group.add(
                ClosureOperation("adding") { [unowned group] operation in
                    group.add(ClosureOperation("late"))
                    queue.addOperation(ClosureOperation("added"))
                    operation.finish()
                })
            queue.addOperation(group)
            queue.drain()
            #expect(journal["child"].first == "enqueued by \(journal.queueName)")
            #expect(journal["late"].first == "enqueued by \(journal.queueName)")
            #expect(journal["added"].first == "enqueued by adding")
            #expect(journal[journal.queueName].first == "enqueued")
        }
    }

    @Test("an observer receives the attempts of a retry, each with its end")
    func attempts() async {
        struct Broken: Error {}
        await ObserverJournal.observingAsynchronously { journal in
            let queue = journal.queue()
            let policy = RetryPolicy(maximumAttempts: 2, delay: .constant(.zero))
            let retry = RetryOperation(name: journal.queueName, policy: policy, recorder: Recorder()) {
                attempt in
                SynchronousOperation<Int> { if attempt == 1 { throw Broken() } else { return attempt } }
            }
            queue.addOperation(retry)
            await queue.drained()
            #expect(journal["attempt 1"].last?.hasPrefix("failed: Broken()") == true)
            #expect(journal["attempt 2"].last == "succeeded")
            #expect(journal["attempt 2"].first == "enqueued by \(journal.queueName)")
            #expect(journal[journal.queueName].last == "succeeded")
        }
    }

    @Test("an observer hears of edges: to other queues, to operations never added, and late ones")
    func edges() {
        ObserverJournal.observing { journal in
            let queues = (journal.queue(), journal.queue())
            queues.1.isSuspended = true
            let (first, lone, last) = (
                ClosureOperation("first"), ClosureOperation("lone"), ClosureOperation("last")
            )
            last.addDependency(first)
            last.addDependency(lone)
            let done = ClosureOperation("done")
            queues.0.addOperations([first, done], waitUntilFinished: true)
            // An operation says that it has finished before Foundation takes note. Until then, removing it as
            // a dependency would leave the dependent waiting for ever.
            let noted = ClosureOperation("noted")
            noted.addDependency(done)
            queues.0.addOperations([noted], waitUntilFinished: true)
            queues.1.addOperation(last)
            let late = ClosureOperation("late")
            queues.1.addOperation(late)
            last.addDependency(late)
            last.addDependency(done)
            last.removeDependency(done)
            lone.start()
            queues.1.isSuspended = false
            queues.0.drain()
            queues.1.drain()
            #expect(
                Array(journal["last"].prefix(4)) == [
                    "enqueued after first, one unknown", "after late", "after done", "no longer after done",
                ])
            #expect(journal["last"].last == "succeeded")
            #expect(journal["lone"] == [])
        }
    }

    @Test("an observer hears of barriers, and of what waits for them as ready when they have finished")
    func barriers() {
        ObserverJournal.observing { journal in
            let queue = journal.queue()
            queue.isSuspended = true
            queue.addOperation(ClosureOperation("before"))
            queue.addBarrierBlock {}
            queue.addOperation(ClosureOperation("behind"))
            queue.isSuspended = false
            queue.drain()
            #expect(journal["Barrier"] == ["enqueued after before", "executing", "body", "succeeded"])
            #expect(journal["behind"].first == "enqueued after Barrier")
            #expect(soon { journal["behind"].last == "succeeded" })
        }
    }

    @Test("an observer hears that an operation is ready that got an edge when it had only been named")
    func edgeBeforeTheEnqueue() {
        ObserverJournal.observing { journal in
            let queue = journal.queue()
            queue.isSuspended = true
            let (first, named) = (ClosureOperation("first"), ClosureOperation("named"))
            let last = ClosureOperation("last")
            last.addDependency(named)
            queue.addOperation(last)
            named.addDependency(first)
            queue.addOperation(named)
            let other = InstrumentedQueue(recorder: Recorder())
            other.addOperation(first)
            other.drain()
            #expect(soon { journal["named"].last == "ready" })
            queue.isSuspended = false
            queue.drain()
        }
    }

    @Test("an observer hears that what waited for a barrier is ready, and not only when it starts")
    func readyBehindABarrier() {
        ObserverJournal.observing { journal in
            let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let queue = journal.queue(limit: 1)
            queue.isSuspended = true
            queue.addOperation(ClosureOperation("before"))
            queue.addBarrierBlock {}
            queue.addOperation {
                begun.signal()
                goOn.wait()
            }
            queue.addOperation(ClosureOperation("own"))
            queue.addOperation(ForeignOperation("foreign"))
            queue.isSuspended = false
            begun.expectSignal()
            let expected = ["enqueued after Barrier", "ready"]
            #expect(soon { journal["own"] == expected })
            #expect(!Observation.isOfClasses || soon { journal["foreign"] == expected })
            goOn.signal()
            queue.drain()
        }
    }

    @Test("an observer receives events of a barrier that is cancelled with everything in its queue")
    func cancelledBarrier() {
        ObserverJournal.observing { journal in
            // Foundation reads freed memory where the barrier finishes before what it waits for.
            let queue = journal.queue()
            let begun = DispatchSemaphore(value: 0)
            let before = ClosureOperation("before") { _ in begun.signal() }
            queue.addOperation(before)
            begun.expectSignal()
            queue.addBarrierBlock {}
            queue.isSuspended = true
            before.finish()
            before.waitUntilFinished()
            queue.cancelAllOperations()
            queue.isSuspended = false
            queue.drain()
            #expect(soon { journal["Barrier"] == ["enqueued after before", "cancelled", "was cancelled"] })
        }
    }

    @Test("an operation that waits for an unobserved barrier is not ready before that has finished")
    func behindAnEarlierBarrier() {
        let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.addOperation {
            begun.signal()
            goOn.wait()
        }
        queue.addBarrierBlock {}
        begun.expectSignal()
        ObserverJournal.observing { journal in
            queue.name = journal.queueName
            queue.addOperation(ClosureOperation("behind"))
            // If observers of other tests are installed, they received the barrier.
            #expect(journal["behind"].count == 1)
            goOn.signal()
            queue.drain()
            #expect(soon { journal["behind"].dropFirst() == Self.whole.dropFirst() })
        }
    }

    /// Takes its time over `ready`.
    private final class SlowObserver: OperationObserver {
        let told = Mutexed<[String]>([])
        let queueName = "slow observer \(UUID().uuidString)"

        final class Account: OperationAccount {
            let observer: SlowObserver
            init(_ observer: SlowObserver) { self.observer = observer }
            func ready() {
                usleep(5_000)
                observer.told.withLock { $0.append("ready") }
            }
            func executing() { observer.told.withLock { $0.append("executing") } }
        }

        func enqueued(
            _ operation: WatchedOperation, parent: WatchedOperation?, predecessors: [WatchedOperation]
        ) -> Account? {
            operation.details?.queueName == queueName ? Account(self) : nil
        }
    }

    @Test("an observer hears ready before executing, even by a slow thread while another one starts it")
    func readyBeforeExecuting() {
        let observer = SlowObserver()
        let registration = OperationObservers.install(observer)
        defer { registration.remove() }
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.name = observer.queueName
        let operation = ClosureOperation("both")
        queue.isSuspended = true
        let dependency = ClosureOperation { _ in }
        dependency.start()
        operation.addDependency(dependency)
        queue.addOperation(operation)
        // One thread learns that it is ready, and is slow to tell it; another one starts it meanwhile.
        Thread.detachNewThread { dependency.finish() }
        while !operation.isReady { sched_yield() }
        // Foundation looks again at the first, and starts it at the second.
        queue.isSuspended = false
        queue.isSuspended = false
        queue.drain()
        #expect(observer.told.withLock { $0 } == ["ready", "executing"])
    }

    @Test("an observer hears what the program marks in a body, with the recorder off")
    func marks() {
        ObserverJournal.observing { journal in
            let queue = journal.queue()
            queue.addOperation(
                ClosureOperation("marking") { operation in
                    queue.recorder.mark("half")
                    operation.finish()
                })
            queue.drain()
            #expect(journal["marking"].contains("marked half"))
        }
    }

    @Test("an observer hears of all operations enqueued after its installation and before its removal")
    func installedMeanwhile() {
        let journal = ObserverJournal()
        let queue = journal.queue()
        let hold = DispatchSemaphore(value: 0)
        queue.addOperation(
            ClosureOperation("before") { operation in
                hold.expectSignal()
                operation.finish()
            })
        let registration = OperationObservers.install(journal)
        queue.addOperation(
            ClosureOperation("during") { operation in
                hold.expectSignal()
                operation.finish()
            })
        registration.remove()
        queue.addOperation(ClosureOperation("after"))
        hold.signal()
        hold.signal()
        queue.drain()
        #expect(journal.names == ["during"])
        #expect(journal["during"] == Self.whole)
    }

    @Test("the calling code's operation is known on its thread, and in its task after a suspension")
    func current() async {
        await ObserverJournal.observingAsynchronously { journal in
            let queue = journal.queue()
            let seen = Journal()
            queue.addOperation { seen.note(WatchedOperation.current?.details?.kind ?? "none") }
            queue.addOperation(
                TaskOperation(name: "task") {
                    await Task.yield()
                    async let child = WatchedOperation.current?.details?.name
                    seen.note(await child ?? "none")
                    await Task.detached {
                        seen.note(WatchedOperation.current == nil ? "detached" : "inherited")
                    }
                    .value
                })
            await queue.drained()
            #expect(Set(seen.all) == ["BlockOperation", "task", "detached"])
            #expect(WatchedOperation.current == nil)
        }
    }

    @Test("an observer cannot keep a body from running, nor make it run twice")
    func misbehaving() {
        final class Rude: OperationObserver {
            let times: Int
            init(times: Int) { self.times = times }
            func enqueued(
                _ operation: WatchedOperation, parent: WatchedOperation?, predecessors: [WatchedOperation]
            ) -> Account? { Account(times: times) }
            final class Account: OperationAccount {
                let times: Int
                init(times: Int) { self.times = times }
                func body(_ run: () -> Void) { for _ in 0..<times { run() } }
            }
        }
        let registrations = [0, 2].map { OperationObservers.install(Rude(times: $0)) }
        defer { for registration in registrations { registration.remove() } }
        let queue = InstrumentedQueue(recorder: Recorder())
        let ran = Journal()
        queue.addOperation { ran.note("closure") }
        queue.addOperation(ForeignOperation { ran.note("foreign") })
        queue.drain()
        #expect(ran.all.sorted() == ["closure", "foreign"])
    }

    @Test("an observer gets the identifiers of the log, if one is being recorded")
    func identifiers() throws {
        final class Identifiers: OperationObserver {
            let all = Mutexed<[String: (OperationID, QueueID)]>([:])
            func enqueued(
                _ operation: WatchedOperation, parent: WatchedOperation?, predecessors: [WatchedOperation]
            ) -> ObserverJournal.Account? {
                if let details = operation.details {
                    all.withLock { $0[details.label] = (details.id, details.queue) }
                }
                return nil
            }
        }
        let observer = Identifiers()
        let registration = OperationObservers.install(observer)
        defer { registration.remove() }
        let name = UUID().uuidString
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperation(ClosureOperation("own \(name)"))
            queue.addOperation(ForeignOperation("foreign \(name)"))
            queue.drain()
        }
        for label in ["own \(name)", "foreign \(name)"] {
            let (id, queue) = try #require(observer.all.withLock { $0[label] })
            #expect(try trace.operation(label).id == id)
            #expect(trace.queues.contains { $0.id == queue })
        }
    }

    @Test("an observer gets the queue's name at the time of the enqueue, with a number that stays")
    func renamedQueue() {
        ObserverJournal.observing { journal in
            let queue = journal.queue()
            let seen = Mutexed<[WatchedOperation.Details]>([])
            for name in [journal.queueName, "renamed", "renamed", nil] {
                queue.name = name
                queue.addOperation {
                    guard let details = WatchedOperation.current?.details else { return }
                    seen.withLock { $0.append(details) }
                }
                queue.drain()
            }
            let all = seen.withLock { $0 }
            #expect(all.map(\.queueName) == [journal.queueName, "renamed", "renamed", nil])
            #expect(Set(all.map(\.queue)).count == 1)
            #expect(Set(all.map(\.id)).count == 4)
        }
    }

    @Test("an observer retains neither an operation nor a queue")
    func retention() {
        ObserverJournal.observing { journal in
            weak var queue: OperationQueue?
            weak var own: Operation?
            weak var foreign: Operation?
            autoreleasing {
                let made = (journal.queue(), ClosureOperation("own"), ForeignOperation("foreign"))
                (queue, own, foreign) = made
                made.2.addDependency(made.1)
                made.0.addOperations([made.1, made.2], waitUntilFinished: true)
                made.0.drain()
            }
            #expect(soon { queue == nil && own == nil && foreign == nil })
        }
    }

    private func autoreleasing(_ body: () -> Void) { body() }
}
