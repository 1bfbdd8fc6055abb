import Foundation
import Inspector
import Ops
import OpsTesting
import Testing

@Suite("recorded: a run of real queues")
struct RecordedTests {
    @Test func `recorded returns every operation, finished`() async throws {
        let run = try await recorded(named: "numbers") { queue in
            let first = BlockOperation {}
            first.name = "first"
            let second = BlockOperation {}
            second.name = "second"
            second.addDependency(first)
            queue.addOperation(first)
            queue.addOperation(second)
        }
        #expect(run.trace.operations.map(\.displayName) == ["first", "second"])
        #expect(run.trace.operations.allSatisfy { $0.finished != nil })
        run.expectOrder("first", before: "second")
        run.expectConcurrency(atMost: 1)
        run.expectNoHazards(atLeast: .error)
        run.expectWithinBudget("[{count: exactly 2}, no failures, no unfinished]")
        #expect(run.timings.kinds.map(\.count) == [2])
    }

    @Test func `a task in an operation does not need the thread that waits`() async throws {
        let run = try await recorded { queue in
            queue.addOperation(TaskOperation(name: "fetch") { await Task.yield() })
        }
        run.expectWithinBudget("{kind: TaskOperation<()>, optional: true, count: 1}")
        #expect(run.trace.operations.count == 1)
    }

    @Test func `recorded follows a queue that is there already`() async throws {
        let queue = InstrumentedQueue(recorder: Recorder())
        let run = try await recorded(on: queue) { queue.addOperation {} }
        #expect(run.trace.operations.count == 1)
    }

    #if os(Linux)
        @Test func `recorded follows a queue that knows nothing of this project`() async throws {
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 2
            let run = try await recorded(on: queue) { for _ in 0..<8 { queue.addOperation {} } }
            #expect(run.trace.operations.count == 8)
            run.expectConcurrency(atMost: 2)
        }
    #endif

    @Test func `what the body throws ends the recording`() async throws {
        struct Oops: Error {}
        let recorder = Recorder()
        await #expect(throws: Oops.self) { try await recorded(by: recorder) { throw Oops() } }
        #expect(!recorder.isRecording)
    }

    @Test func `a stuck queue is an error that says what is stuck, and where the trace is`() async throws {
        let queue = InstrumentedQueue(recorder: Recorder())
        let release = DispatchSemaphore(value: 0)
        let error = await #expect(throws: StuckRun.self) {
            try await recorded(on: queue, timeLimit: .milliseconds(50)) {
                let operation = BlockOperation { release.wait() }
                operation.name = "upload"
                queue.addOperation(operation)
            }
        }
        release.signal()
        let description = try #require(error?.description)
        #expect(description.hasPrefix("the operations did not finish within 0.05 seconds: upload is "))
        let folder = try #require(description.split(separator: ": ").last.map(String.init))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.contains("run.json") && names.contains("run-timeline.svg"))
        try FileManager.default.removeItem(atPath: folder)
    }
}
