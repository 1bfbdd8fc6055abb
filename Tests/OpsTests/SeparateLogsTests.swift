import Foundation
import Inspector
import Ops
import Testing

@Suite("A log has what happened while it was written, and nothing of another log")
struct SeparateLogsTests {
    /// Two recorders at once.
    private func recordedTwice(_ body: (Recorder, Recorder) throws -> Void) throws -> (Trace, Trace) {
        var second: Trace?
        let first = try recorded { outer in
            second = try recorded { inner in try body(outer, inner) }
        }
        return (first, try #require(second))
    }

    @Test("an operation that another log names stays in its own", arguments: [true, false])
    func edgeAcross(isOwn: Bool) throws {
        func make(_ name: String) -> Operation { isOwn ? ClosureOperation(name) : ForeignOperation(name) }
        let (a, b, c) = (make("a"), make("b"), make("c"))
        b.addDependency(a)
        c.addDependency(a)
        let (first, second) = try recordedTwice { first, second in
            let queues = [first, second].map { InstrumentedQueue(recorder: $0) }
            queues[0].isSuspended = true
            queues[0].addOperation(a)
            queues[1].addOperation(b)
            queues[0].addOperation(c)
            queues[0].isSuspended = false
            for queue in queues { queue.drain() }
        }
        #expect(first.operations.map(\.name) == ["a", "c"])
        #expect(first.predecessors(of: "c") == ["a"])
        #expect(first.operations.allSatisfy { $0.finished != nil })
        #expect(second.predecessors(of: "b") == ["a"])
    }

    @Test("an operation in one log is never the parent of one in another, even with equal numbers")
    func parentAcross() throws {
        let (_, second) = try recordedTwice { first, second in
            let queues = [first, second].map { InstrumentedQueue(recorder: $0) }
            queues[1].addOperation(ForeignOperation("innocent"))
            queues[1].drain()
            queues[0].addOperation(
                ClosureOperation("elsewhere") {
                    queues[1].addOperation(ForeignOperation("added"))
                    second.mark("said")
                    $0.finish()
                })
            for queue in queues { queue.drain() }
        }
        #expect(try second.operation("added").parent == nil)
        #expect(second.marks.map(\.operation) == [nil])
    }

    @Test("an operation that starts when its log is gone is not a parent in the log at the same address")
    func parentFromAnotherTime() throws {
        let recorder = Recorder()
        let (late, other) = (InstrumentedQueue(recorder: recorder), InstrumentedQueue(recorder: recorder))
        func logged(_ body: () -> Void) throws -> Trace {
            let path = temporaryPath()
            defer { try? FileManager.default.removeItem(atPath: path) }
            try recorder.start(writingTo: path)
            body()
            try recorder.stop()
            return try TraceReader(path: path).read()
        }
        late.isSuspended = true
        _ = try logged {
            late.addOperation(
                ClosureOperation {
                    other.addOperation(ForeignOperation("added"))
                    $0.finish()
                })
        }
        // Now the queue refers to this log, and the memory of the first one is free.
        _ = try logged { late.addOperation(ForeignOperation()) }
        let third = try logged {
            other.addOperation(ForeignOperation("innocent"))
            other.drain()
            late.isSuspended = false
            late.drain()
            other.drain()
        }
        #expect(try third.operation("added").parent == nil)
    }

    @Test("nothing is added to a log after its end, even by operations that still run")
    func afterTheEnd() throws {
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder()
        let queue = InstrumentedQueue(recorder: recorder)
        let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try recorder.start(writingTo: path)
        queue.addOperations(
            [
                ForeignOperation("running") {
                    begun.signal()
                    goOn.wait()
                },
                ForeignOperation("second"),
            ], waitUntilFinished: false)
        begun.expectSignal()
        try recorder.stop()
        let sealed = try Data(contentsOf: URL(fileURLWithPath: path))
        goOn.signal()
        queue.drain()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == sealed)
        #expect(try TraceReader(path: path).read().operation("running").finished == nil)
    }

    @Test("a log's name is free for the next log at once")
    func sameName() throws {
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder()
        let queue = InstrumentedQueue(recorder: recorder)
        for round in 0..<5 {
            try recorder.start(writingTo: path)
            #expect(recorder.path == path)
            queue.addOperation(ForeignOperation("round \(round)"))
            queue.drain()
            try recorder.stop()
            #expect(!recorder.isRecording)
            #expect(try TraceReader(path: path).read().operations.map(\.name) == ["round \(round)"])
        }
    }

    @Test(
        "an operation that was cancelled before it was added was so at some time before",
        arguments: [true, false])
    func cancelledBefore(isOwn: Bool) throws {
        let operation: Operation = isOwn ? ClosureOperation("early") : ForeignOperation("early")
        operation.cancel()
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperation(operation)
            queue.drain()
        }
        let early = try trace.operation("early")
        let cancelled = try #require(early.cancelled)
        #expect(try cancelled.notBefore <= #require(early.enqueued).notBefore && !cancelled.isExact)
        #expect(early.outcome == .cancelled && early.executing == nil)
    }

    @Test("what is added behind a barrier from before the recording is ready when that has finished")
    func behindAnEarlierBarrier() throws {
        let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let trace = try recorded { recorder in
            let other = Recorder()
            let queue = InstrumentedQueue(recorder: other)
            queue.addOperation {
                begun.signal()
                goOn.wait()
            }
            queue.addBarrierBlock {}
            begun.expectSignal()
            let path = temporaryPath()
            defer { try? FileManager.default.removeItem(atPath: path) }
            try other.start(writingTo: path)
            queue.addOperation(ForeignOperation("behind"))
            other.mark("added")
            queue.addOperation {}
            goOn.signal()
            queue.drain()
            try other.stop()
            let trace = try TraceReader(path: path).read()
            let behind = try trace.operation("behind")
            #expect(try #require(behind.ready).notAfter > trace.marks[0].time)
            #expect(try #require(trace.operations[1].ready).notAfter > trace.marks[0].time)
        }
        #expect(trace.operations.isEmpty)
    }

    @Test(
        "operations that ran when their queue was first observed are not left unfinished",
        .whereClassesAreObserved)
    func observedLate() throws {
        let trace = try recorded { recorder in
            for _ in 0..<40 {
                let queue = OperationQueue()
                queue.maxConcurrentOperationCount = 2
                for _ in 0..<50 { queue.addOperation(ForeignOperation()) }
                recorder.observe(queue)
                queue.drain()
            }
        }
        #expect(trace.operations.allSatisfy { $0.finished != nil })
    }

    @Test("what an operation's deinitializer does gives its memory no identity", .whereClassesAreObserved)
    func deinitializing() throws {
        final class Leaving: Operation, @unchecked Sendable {
            private let other: Operation
            init(_ other: Operation) { self.other = other }
            deinit { other.removeDependency(self) }
        }
        let contents = try recordedEvents { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.isSuspended = true
            let other = ForeignOperation("other")
            queue.addOperation(other)
            for _ in 0..<50 { _ = Leaving(other) }
            for number in 0..<50 { queue.addOperation(ForeignOperation("later \(number)")) }
            queue.isSuspended = false
            queue.drain()
        }
        var sighted: Set<OperationID> = []
        for event in contents.events {
            switch event.body {
            case .sighted(let id, _, _): sighted.insert(id)
            case .enqueued(let enqueue): #expect(!sighted.contains(enqueue.operation))
            default: break
            }
        }
    }
}
