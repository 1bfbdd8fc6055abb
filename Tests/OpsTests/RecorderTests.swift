import Foundation
import Inspector
import Ops
import Testing

@Suite("A recorder logs what operations do")
struct RecorderTests {
    private struct Failure: Error, CustomStringConvertible { var description: String { "no luck" } }

    @Test("every transition of an operation of ours is in the log, exact and in order")
    func transitions() throws {
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let first = ClosureOperation("first")
            let second = ClosureOperation("second")
            second.addDependency(first)
            queue.addOperations([second, first], waitUntilFinished: false)
            queue.drain()
        }
        for name in ["first", "second"] {
            let operation = try trace.operation(name)
            let moments = try [operation.enqueued, operation.ready, operation.executing, operation.finished]
                .map {
                    try #require($0)
                }
            #expect(moments.allSatisfy { $0.isExact })
            #expect(moments.map(\.notAfter) == moments.map(\.notAfter).sorted())
            #expect(operation.outcome == .succeeded && operation.kind == "ClosureOperation")
            #expect(operation.thread != nil && operation.cancelled == nil)
        }
        #expect(trace.predecessors(of: "second") == ["first"])
        let finish = try #require(trace.operation("first").finished)
        let ready = try #require(trace.operation("second").ready)
        #expect(ready.notAfter >= finish.notAfter)
        #expect(trace.losses.isEmpty && trace.header.isClosed)
    }

    @Test("every transition of a closure is exact")
    func closures() throws {
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            for _ in 0..<20 { queue.addOperation {} }
            queue.drain()
        }
        #expect(trace.operations.count == 20)
        for operation in trace.operations {
            #expect(operation.kind == closureKind("RecorderTests.closures()"))
            #expect(operation.ready?.isExact == true && operation.executing?.isExact == true)
            #expect(operation.finished?.isExact == true && operation.outcome == .succeeded)
        }
    }

    @Test(
        "the enqueue of a foreign class seen only from outside is exact; start and finish are intervals",
        .whereClassesAreNotObserved)
    func foreign() throws {
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let first = ClosureOperation("first")
            let foreign = ForeignOperation("foreign")
            foreign.addDependency(first)
            queue.addOperations([first, foreign], waitUntilFinished: false)
            queue.drain()
        }
        let operation = try trace.operation("foreign")
        let enqueued = try #require(operation.enqueued)
        let executing = try #require(operation.executing)
        let finished = try #require(operation.finished)
        #expect(enqueued.isExact && !executing.isExact && !finished.isExact)
        #expect(enqueued.notAfter <= executing.notBefore && executing.notAfter <= finished.notAfter)
        #expect(operation.outcome == .succeeded && operation.kind == "ForeignOperation")
    }

    @Test("the log has each outcome: failed with its message, cancelled before and while executing")
    func outcomes() throws {
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.maxConcurrentOperationCount = 1
            queue.isSuspended = true
            let before = ClosureOperation("before")
            let during = ClosureOperation("during") {
                $0.cancel()
                $0.finish()
            }
            queue.addOperations(
                [ClosureOperation("failed") { $0.finish(throwing: Failure()) }, before, during],
                waitUntilFinished: false)
            before.cancel()
            queue.isSuspended = false
            queue.drain()
        }
        #expect(try trace.operation("failed").outcome == .failed(message: "no luck"))
        let before = try trace.operation("before")
        #expect(before.outcome == .cancelled && before.executing == nil && before.cancelled?.isExact == true)
        let during = try trace.operation("during")
        #expect(during.outcome == .cancelled && during.executing != nil && during.cancelled != nil)
    }

    @Test("cancelAllOperations is logged, of foreign operations exactly too")
    func cancelAll() throws {
        let contents = try recordedEvents { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.isSuspended = true
            queue.addOperation(ForeignOperation("foreign"))
            queue.addOperation(ClosureOperation("ours"))
            queue.cancelAllOperations()
            queue.isSuspended = false
            queue.drain()
        }
        #expect(contents.events.contains { if case .allCancelled = $0.body { true } else { false } })
        let trace = Trace(contents)
        for name in ["foreign", "ours"] {
            let operation = try trace.operation(name)
            #expect(operation.cancelled?.isExact == true && operation.outcome == .cancelled)
        }
    }

    @Test("the queue's name, limits and suspensions are logged, however they are set")
    func queueSettings() throws {
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.name = "before"
            queue.maxConcurrentOperationCount = 3
            queue.addOperation(ClosureOperation())
            queue.drain()
            queue.name = "after"
            queue.maxConcurrentOperationCount = 1
            queue.isSuspended = true
            queue.isSuspended.toggle()
            queue.addOperation(ClosureOperation())
            queue.drain()
        }
        let queue = try #require(trace.queues.first)
        #expect(trace.queues.count == 1)
        #expect(queue.name == "after")
        #expect(queue.limits.map(\.limit) == [3, 1])
        #expect(queue.suspensions.count == 1)
    }

    @Test("an unnamed queue is unnamed in the log")
    func unnamedQueue() throws {
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperation {}
            queue.drain()
        }
        #expect(trace.queues.first?.name == "")
    }

    @Test("the parent is the operation on whose thread or task the enqueue happened")
    func parents() async throws {
        let trace = try await recordedAsynchronously { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperation(
                ClosureOperation("on a thread") {
                    queue.addOperation(ClosureOperation("child of a thread"))
                    $0.finish()
                })
            queue.addOperation { queue.addOperation(ClosureOperation("child of a closure")) }
            // A test that blocked its thread until a task has run could wait for itself.
            await withCheckedContinuation { done in
                queue.addOperation(
                    ClosureOperation("in a task") { operation in
                        Task {
                            queue.addOperation(ClosureOperation("child of a task"))
                            operation.finish()
                            done.resume()
                        }
                    })
            }
            queue.drain()
        }
        func parent(of name: String) throws -> TracedOperation {
            trace.operations[try #require(trace.operation(name).parent)]
        }
        #expect(try parent(of: "child of a thread").name == "on a thread")
        #expect(try parent(of: "child of a task").name == "in a task")
        #expect(try parent(of: "child of a closure").queue != nil)
        #expect(try trace.operation("on a thread").parent == nil)
    }

    @Test("the parent of a group's children is the group, even if another operation adds them")
    func groupParents() throws {
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let group = GroupOperation(name: "group", recorder: recorder)
            group.add(
                ClosureOperation("child") { [unowned group] in
                    group.add(ClosureOperation("late child"))
                    $0.finish()
                })
            queue.addOperation(group)
            queue.drain()
        }
        let group = try #require(trace.operations.firstIndex { $0.name == "group" })
        #expect(try trace.operation("child").parent == group)
        #expect(try trace.operation("late child").parent == group)
        // The operation that ends the group is machinery, and in no log.
        #expect(trace.operations.count == 3)
    }

    @Test("a barrier is an operation with an edge from all before it and to all after it")
    func barrier() throws {
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.isSuspended = true
            queue.addOperation(ClosureOperation("before 1"))
            queue.addOperation(ClosureOperation("before 2"))
            queue.addBarrierBlock {}
            queue.addOperation(ClosureOperation("after"))
            queue.isSuspended = false
            queue.drain()
        }
        let barrier = try #require(trace.operations.firstIndex { $0.kind == "Barrier" })
        let before = trace.edges.filter { $0.successor == barrier }.map {
            trace.operations[$0.predecessor].name
        }
        #expect(before == ["before 1", "before 2"])
        let after = trace.edges.filter { $0.predecessor == barrier }.map {
            trace.operations[$0.successor].name
        }
        #expect(after == ["after"])
        let ready = try #require(trace.operation("after").ready)
        #expect(ready.notAfter >= (trace.operations[barrier].finished?.notAfter ?? .max))
    }

    @Test("what a task of a barrier's closure adds is the barrier's child")
    func childOfBarrier() throws {
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let added = DispatchSemaphore(value: 0)
            queue.addBarrierBlock {
                Task {
                    queue.addOperation(ClosureOperation("child"))
                    added.signal()
                }
            }
            added.expectSignal()
            queue.drain()
        }
        let parent = try #require(trace.operation("child").parent)
        #expect(trace.operations[parent].kind == "Barrier")
    }

    /// Cancels what is added to it.
    private final class CancellingQueue: InstrumentedQueue, @unchecked Sendable {
        override func addOperation(_ operation: Operation) {
            operation.cancel()
            super.addOperation(operation)
        }
    }

    @Test("the cancellation of a closure before it was added is logged, as that of any other operation")
    func cancelledClosure() throws {
        let trace = try recorded { recorder in
            let queue = CancellingQueue(recorder: recorder)
            queue.addOperation { Issue.record("it was cancelled") }
            queue.addOperation(ClosureOperation("own"))
            queue.drain()
        }
        for operation in trace.operations {
            let cancelled = try #require(operation.cancelled)
            #expect(try cancelled.notBefore <= #require(operation.enqueued).notBefore && !cancelled.isExact)
            #expect(operation.outcome == .cancelled && operation.executing == nil)
        }
    }

    @Test("a closure that an override makes a predecessor before it adds it is one operation")
    func closureNamedBefore() throws {
        final class Preceding: InstrumentedQueue, @unchecked Sendable {
            let follower = ClosureOperation("follower")
            override func addOperation(_ operation: Operation) {
                if operation !== follower { follower.addDependency(operation) }
                super.addOperation(operation)
            }
        }
        let trace = try recorded { recorder in
            let queue = Preceding(recorder: recorder)
            queue.isSuspended = true
            queue.addOperation(queue.follower)
            queue.addOperation {}
            queue.isSuspended = false
            queue.drain()
        }
        #expect(trace.operations.count == 2 && trace.edges.count == 1)
        #expect(trace.operations.allSatisfy { $0.finished != nil })
    }

    @Test("edges that come and go after the enqueue are logged")
    func lateEdges() throws {
        let contents = try recordedEvents { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.isSuspended = true
            let first = ClosureOperation("first")
            let second = ClosureOperation("second")
            let third = ClosureOperation("third")
            queue.addOperations([first, second, third], waitUntilFinished: false)
            second.addDependency(first)
            third.addDependency(first)
            queue.isSuspended = false
            queue.drain()
        }
        let trace = Trace(contents)
        #expect(trace.predecessors(of: "second") == ["first"])
        #expect(trace.predecessors(of: "third") == ["first"])
    }

    @Test("an operation that is only waited for is in the log, without an enqueue")
    func sighted() throws {
        let trace = try recorded { recorder in
            let elsewhere = OperationQueue()
            let outside = ForeignOperation("outside")
            let inside = ClosureOperation("inside")
            inside.addDependency(outside)
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperation(inside)
            elsewhere.addOperation(outside)
            queue.drain()
        }
        let outside = try trace.operation("outside")
        #expect(outside.enqueued == nil && outside.queue == nil && outside.kind == "ForeignOperation")
        #expect(trace.predecessors(of: "inside") == ["outside"])
    }

    @Test("a kind that the program sets is in the log")
    func kinds() throws {
        final class Request: AsynchronousOperation, KindedOperation, @unchecked Sendable {
            var kind: String { "GET /quotes" }
        }
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperation(Request())
            queue.drain()
        }
        #expect(trace.operations.map(\.kind) == ["GET /quotes"])
    }

    @Test(
        "names may hold anything",
        arguments: ["\"quoted\"", "two\nlines", "\u{0}\u{1b}[31m", "<script>", "🦜", "é", "\\"])
    func names(name: String) throws {
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.name = name
            queue.addOperation(ClosureOperation(name))
            queue.drain()
        }
        #expect(trace.operations.map(\.name) == [name])
        #expect(trace.queues.map(\.name) == [name])
    }

    @Test("many operations from many threads are each whole, and start after their predecessors' finish")
    func manyThreads() throws {
        let trace = try recorded { recorder in
            let queues = (0..<4).map { _ in InstrumentedQueue(recorder: recorder) }
            DispatchQueue.concurrentPerform(iterations: 8) { thread in
                var previous: ClosureOperation?
                for number in 0..<100 {
                    let operation = ClosureOperation("\(thread).\(number)")
                    if let previous { operation.addDependency(previous) }
                    queues[(thread + number) % 4].addOperation(operation)
                    previous = operation
                }
            }
            for queue in queues { queue.drain() }
        }
        #expect(trace.operations.count == 800 && trace.edges.count == 8 * 99)
        #expect(trace.operations.allSatisfy { $0.executing?.isExact == true && $0.finished?.isExact == true })
        for edge in trace.edges {
            let finished = try #require(trace.operations[edge.predecessor].finished)
            let started = try #require(trace.operations[edge.successor].executing)
            #expect(finished.notAfter <= started.notAfter)
        }
    }

    @Test("an address that is used again is another operation")
    func reusedAddresses() throws {
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            for _ in 0..<500 {
                queue.addOperation(ForeignOperation())
                queue.drain()
            }
        }
        #expect(trace.operations.count == 500)
        #expect(Set(trace.operations.map(\.id)).count == 500)
    }

    @Test("a recorder that is off records nothing; once started, it records what is added from then on")
    func offAndOn() throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder()
        let queue = InstrumentedQueue(recorder: recorder)
        queue.addOperation(ClosureOperation("unseen"))
        queue.drain()
        #expect(!recorder.isRecording && recorder.path == nil)
        try recorder.start(writingTo: path)
        #expect(recorder.isRecording && recorder.path == path)
        queue.addOperation(ClosureOperation("seen"))
        queue.drain()
        try recorder.stop()
        queue.addOperation(ClosureOperation("unseen again"))
        queue.drain()
        #expect(try TraceReader(path: path).read().operations.map(\.name) == ["seen"])
    }

    @Test("a second log by the same recorder is independent")
    func twoLogs() throws {
        let recorder = Recorder()
        let queue = InstrumentedQueue(recorder: recorder)
        for name in ["one", "two"] {
            let path = temporaryPath()
            defer { try? FileManager.default.removeItem(atPath: path) }
            try recorder.start(writingTo: path)
            queue.addOperation(ClosureOperation(name))
            queue.drain()
            try recorder.stop()
            let trace = try TraceReader(path: path).read()
            #expect(trace.operations.map(\.name) == [name] && trace.queues.count == 1)
        }
    }

    @Test("times come from the clock that was passed in")
    func clock() throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let ticks = Mutexed<UInt64>(1_000)
        let clock = RecorderClock(
            monotonic: {
                ticks.withLock { ticks in
                    defer { ticks += 7 }
                    return ticks
                }
            }, wall: { 42 })
        let recorder = Recorder(clock: clock)
        try recorder.start(writingTo: path)
        let queue = InstrumentedQueue(recorder: recorder)
        queue.addOperation(ClosureOperation())
        queue.drain()
        try recorder.stop()
        let contents = try TraceReader(path: path).events()
        #expect(contents.header.start == 42)
        #expect(contents.events.allSatisfy { $0.time > 0 && $0.time % 7 == 0 })
    }

    @Test("starting a recorder twice is refused, and so is a file that cannot be created, with the reason")
    func startErrors() throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        #expect { try recorder.start(writingTo: path) } throws: {
            ($0 as? RecorderError)?.code == .alreadyRecording
        }
        try recorder.stop()
        #expect { try recorder.start(writingTo: "/nowhere/at/all.json") } throws: {
            ($0 as? RecorderError)?.description == "/nowhere/at/all.json: No such file or directory"
        }
        #expect(!recorder.isRecording)
    }

    @Test("a recorder's file is private, follows no link, and replaces an older log")
    func fileSafety() throws {
        let path = temporaryPath()
        let link = temporaryPath()
        defer {
            try? FileManager.default.removeItem(atPath: path)
            try? FileManager.default.removeItem(atPath: link)
        }
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        try recorder.stop()
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let size = try #require(attributes[.size] as? Int)
        try recorder.start(writingTo: path)
        try recorder.stop()
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == size)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect { try recorder.start(writingTo: link) } throws: {
            ($0 as? RecorderError)?.code == .cannotCreate
        }
    }

    @Test("a second recorder on the same file uses another name")
    func lockedFile() throws {
        let path = temporaryPath()
        let first = Recorder()
        let second = Recorder()
        try first.start(writingTo: path)
        try second.start(writingTo: path)
        let other = try #require(second.path)
        #expect(other == "\(path).\(getpid())")
        try first.stop()
        try second.stop()
        for path in [path, other] {
            #expect(try TraceReader(path: path).read().header.isClosed)
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test("marks belong to the operation in whose body they are made")
    func marks() throws {
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperation(
                ClosureOperation("work") {
                    recorder.mark("cache miss")
                    $0.finish()
                })
            queue.drain()
            recorder.mark("done")
        }
        #expect(trace.marks.map(\.text) == ["cache miss", "done"])
        #expect(trace.marks.map { $0.operation.map { trace.operations[$0].name } } == ["work", nil])
    }

    @Test("a thread that blocks is logged: who waited, for what, from when to when")
    func blockingWaits() throws {
        /// Does not finish before a thread waits for it.
        class Awaited: Operation, @unchecked Sendable {
            private let isAwaited = DispatchSemaphore(value: 0)
            override func main() { isAwaited.wait() }
            @available(*, noasync)
            override func waitUntilFinished() {
                isAwaited.signal()
                super.waitUntilFinished()
            }
        }
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let inner = ClosureOperation("inner")
            let outer = ClosureOperation("outer") {
                queue.addOperation(inner)
                inner.waitUntilFinished()
                $0.finish()
            }
            queue.addOperation(outer)
            let awaited = Awaited()
            awaited.name = "foreign"
            queue.addOperations([awaited], waitUntilFinished: true)
            queue.waitUntilAllOperationsAreFinished()
        }
        func name(_ target: BlockingWait.Target) -> String {
            switch target {
            case .operation(let index): trace.operations[index].displayName
            case .queue: "queue"
            }
        }
        #expect(trace.blockingWaits.allSatisfy { ($0.end ?? -1) >= $0.start })
        let waits = trace.blockingWaits.map { wait in
            (wait.operation.map { trace.operations[$0].displayName } ?? "main") + " for " + name(wait.target)
        }
        #expect(
            Set(waits).isSubset(of: ["outer for inner", "main for foreign", "main for queue"]))
        #expect(Set(waits).isSuperset(of: ["main for foreign", "main for queue"]))
        #expect(trace.losses == [])
    }

    @Test("what is added behind a barrier that is running is ready when the barrier has finished")
    func behindARunningBarrier() throws {
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            queue.addBarrierBlock {
                begun.signal()
                goOn.wait()
            }
            begun.expectSignal()
            queue.addOperation {}
            queue.addOperation(ForeignOperation("foreign"))
            queue.addOperation(ClosureOperation("own"))
            goOn.signal()
            queue.drain()
        }
        #expect(trace.operations.count == 4 && trace.edges.count == 3)
        let end = try #require(trace.operations[0].finished).notAfter
        for operation in trace.operations.dropFirst() {
            #expect(try #require(operation.ready).notAfter >= end)
            #expect(try #require(operation.executing).notAfter >= operation.ready?.notAfter ?? .max)
        }
    }

    @Test("a log keeps its place when the program changes its folder")
    func otherFolder() throws {
        // The folder is the whole process's: another program goes.
        let folder = temporaryPath()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let program = Process()
        program.executableURL = CrashTests.products.appending(path: "RecordingVictim")
        program.currentDirectoryURL = URL(filePath: folder)
        program.arguments = ["elsewhere", "log.json"]
        try program.run()
        program.waitUntilExit()
        #expect(program.terminationStatus == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["log.json"])
    }
}
