import Foundation
import Inspector
import Ops
import OpsNetwork
import Testing

@Suite("Cancelling a data operation reaches its request")
struct DataOperationCancellationTests {
    enum Stage: CaseIterable { case beforeEnqueue, waiting, awaitingAnswer, withinBody, finished }

    @Test(
        "a data operation cancelled at any stage finishes, and the server sees the connection end",
        arguments: Stage.allCases)
    func cancelled(stage: Stage) async throws {
        let (asked, ended) = (Event(), Event())
        let server = LoopbackServer { _, connection in
            asked.happen()
            switch stage {
            case .finished: return connection.answer(body: "hello")
            case .withinBody: connection.send(connection.head("200 OK", ["Content-Length: 100"]) + "hello")
            default: break
            }
            connection.waitForEnd()
            ended.happen()
        }
        let operation = DataOperation(server.url(), name: "cancelled")
        let trace = try await recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            if stage == .beforeEnqueue { operation.cancel() }
            queue.isSuspended = true
            queue.addOperation(operation)
            if stage == .waiting { operation.cancel() }
            queue.isSuspended = false
            if stage == .awaitingAnswer || stage == .withinBody {
                try await asked.wait()
                operation.cancel()
                try await ended.wait()
            }
            await queue.drained()
            if stage == .finished { operation.cancel() }
        }
        if stage == .finished {
            #expect(operation.output?.value == Data("hello".utf8))
            #expect(try trace.operation("cancelled").outcome == .succeeded)
        } else {
            #expect(operation.output?.error is CancellationError)
            #expect(try trace.operation("cancelled").outcome == .cancelled)
        }
        if stage == .beforeEnqueue || stage == .waiting { #expect(!asked.hasHappened) }
    }

    @Test("a data operation cancelled while it connects finishes")
    func connecting() async throws {
        let operation = DataOperation(URL(string: "http://127.0.0.1:\(deafPort())/")!)
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.addOperation(operation)
        #expect(try await eventually { operation.isExecuting })
        operation.cancel()
        await queue.drained()
        #expect(operation.output?.error is CancellationError)
    }

    @Test("cancelling all of a queue ends every request, including those without a connection")
    func cancelAll() async throws {
        let asked = Event()
        let server = LoopbackServer { _, connection in
            asked.happen()
            connection.waitForEnd()
        }
        let queue = InstrumentedQueue(recorder: Recorder())
        let operations = (0..<100).map { _ in DataOperation(server.url()) }
        queue.addOperations(operations)
        try await asked.wait()
        queue.cancelAllOperations()
        await queue.drained()
        for operation in operations { #expect(operation.output?.error is CancellationError) }
    }

    @Test("a data operation cancelled by another thread at any moment, redirections included, finishes once")
    func race() async throws {
        let server = LoopbackServer { request, connection in
            if request.path == "/old" {
                connection.answer("302 Found", ["Location: /new"])
            } else {
                connection.answer(body: "hello")
            }
        }
        let completions = Locked(0)
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.maxConcurrentOperationCount = 6
        let operations = (0..<600).map { index in
            DataOperation(server.url(index.isMultiple(of: 2) ? "/old" : "/new"))
        }
        for operation in operations {
            operation.completionBlock = { completions.withLock { $0 += 1 } }
            queue.addOperation(operation)
        }
        Thread.detachNewThread {
            for (index, operation) in operations.enumerated() {
                while !operation.isExecuting && !operation.isFinished { usleep(100) }
                usleep(UInt32(index % 40) * 50)
                operation.cancel()
            }
        }
        await queue.drained()
        for operation in operations {
            let output = operation.output
            #expect(output?.value == Data("hello".utf8) || output?.error is CancellationError)
        }
        #expect(try await eventually { completions.withLock { $0 } == operations.count })
    }

    @Test("a data operation finished by hand gives up the request at the next piece, and is freed")
    func finishedByHand() async throws {
        let (asked, goOn, ended) = (Event(), Event(), Event())
        let server = LoopbackServer { _, connection in
            connection.send(connection.head("200 OK"))
            asked.happen()
            goOn.block()
            while connection.send("more") {}
            ended.happen()
        }
        weak var freed: DataOperation?
        func fetch() async throws {
            let operation = DataOperation(server.url())
            freed = operation
            let queue = InstrumentedQueue(recorder: Recorder())
            queue.addOperation(operation)
            try await asked.wait()
            operation.finish()
            await queue.drained()
            #expect(operation.failure != nil)
        }
        try await fetch()
        goOn.happen()
        try await ended.wait()
        #expect(try await eventually { freed == nil })
    }
}
