import Foundation
import Inspector
import Testing

@Suite(
    "opviz record sees everything that an optimized program does with its queues", .needsRecording,
    .needsCompiler)
struct RecordQueuesTests {
    private static let recording = Result { try RecordedRun([TestProgram.queues.path()]) }

    private let recorded: RecordedRun
    private let trace: Trace

    init() throws {
        recorded = try Self.recording.get()
        trace = try recorded.trace()
    }

    private func names(on queue: String) -> [String] {
        trace.operations(on: queue).compactMap(\.name).sorted()
    }

    @Test("a recorded program does what it did before")
    func unchanged() throws {
        let alone = try ProgramRun([TestProgram.queues.path()])
        #expect(recorded.run.output == alone.output)
        #expect(recorded.run.status == 0 && recorded.run.error == "")
        #expect(trace.losses == [])
    }

    @Test("queues of a class that overrides addOperation have each operation once, and the edges")
    func overriding() throws {
        #expect(names(on: "counting") == ["first", "second"])
        let edge = try #require(trace.edges.first)
        #expect(trace.operations[edge.predecessor].name == "first")
        #expect(trace.operations[edge.successor].name == "second")
    }

    @Test("a class that rejects operations, adds others and refuses settings is logged as Foundation sees it")
    func strict() throws {
        #expect(names(on: "strict") == ["condition", "let in"])
        #expect(trace.operations.allSatisfy { $0.name != "turned away" })
        let edge = try #require(
            trace.edges.first { trace.operations[$0.successor].name == "let in" })
        #expect(trace.operations[edge.predecessor].name == "condition")
        // Known with the enqueue, not found out later.
        let queue = try #require(trace.queues.first { $0.name == "strict" })
        #expect(queue.limits.map(\.limit).last == 2)
        #expect(!queue.limits.contains { $0.limit == 8 })
        #expect(queue.suspensions.isEmpty)
        #expect(try trace.operation("let in").cancelled == nil)
    }

    @Test("queues of generic classes are recorded, and final ones that add in another way")
    func generic() throws {
        #expect(names(on: "generic over texts") == ["text 1", "text 2"])
        #expect(names(on: "generic over numbers") == ["number"])
        #expect(names(on: "redirecting") == ["redirected"])
        #expect(try trace.operation("redirected").kind == "Step")
    }

    @Test("barriers are recorded, on an empty queue and between operations")
    func barriers() throws {
        let operations = trace.operations(on: "barriers")
        let barriers = operations.filter { $0.kind == "Barrier" }
        #expect(operations.count == 5 && barriers.count == 2)
        #expect(operations.allSatisfy { $0.finished != nil && $0.executing != nil })
        let began = try #require(barriers[1].executing).notAfter
        for name in ["before 1", "before 2"] {
            #expect(try #require(trace.operation(name).finished).notBefore <= began)
        }
        let ended = try #require(barriers[1].finished).notBefore
        #expect(try ended <= #require(trace.operation("after").executing).notAfter)
    }

    @Test("the trace has what started the program, if its environment says so")
    func causeOfProcess() throws {
        let traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        #expect(trace.receivedContexts == [])
        for (text, expected) in [(traceparent, [traceparent]), ("none", [])] {
            let run = try RecordedRun([TestProgram.queues.path()], environment: ["TRACEPARENT": text])
            let received = try run.trace().receivedContexts
            #expect(received.map(\.context.traceparent) == expected)
            #expect(received.allSatisfy { $0.operation == nil })
        }
    }

    @Test("the suspension of a queue is recorded")
    func suspension() throws {
        let queue = try #require(trace.queues.first { $0.name == "cancelled" })
        let held = try trace.operation("cancelled 1")
        let span = try #require(queue.suspensions.first)
        #expect(queue.suspensions.count == 1)
        #expect(try span.contains(#require(held.enqueued).notAfter))
        #expect(try span.upperBound <= #require(held.finished).notAfter)
    }

    @Test("a suspension by toggle(), which calls no setter, is recorded")
    func toggling() throws {
        let held = try trace.operation("held")
        #expect(held.finished != nil)
        let queue = try #require(trace.queues.first { $0.name == "toggled" })
        let span = try #require(queue.suspensions.first)
        #expect(try span.contains(#require(held.enqueued).notAfter))
    }

    @Test("the operations that cancelAllOperations cancels are recorded as cancelled")
    func cancelling() {
        let operations = trace.operations(on: "cancelled")
        #expect(operations.count == 3)
        #expect(operations.allSatisfy { $0.outcome == .cancelled && $0.cancelled != nil })
        #expect(operations.allSatisfy { $0.bodyBegan == nil })
    }

    @Test("limits are recorded, and what addOperations adds while it waits")
    func limits() throws {
        let queue = try #require(trace.queues.first { $0.name == "limited" })
        #expect(queue.limits.map(\.limit).suffix(2) == [1, 4])
        let operations = trace.operations(on: "limited").filter { $0.name != "less limited" }
        #expect(operations.count == 5)
        // One at a time.
        for (earlier, later) in zip(operations, operations.dropFirst()) {
            #expect(try #require(earlier.finished).notBefore <= #require(later.executing).notAfter)
        }
    }

    @Test("operations of the main queue are recorded on the main thread")
    func mainQueue() throws {
        let operation = try trace.operation("on the main queue")
        #expect(operation.thread == UInt64(trace.header.processID))
        #expect(try names(on: trace.queues[#require(operation.queue)].name) == ["on the main queue"])
    }

    @Test(
        "closures have their function as kind and name, and own what they add"
    )
    func closures() throws {
        let added = try trace.operation("added by a closure")
        let parent = try trace.operations[#require(added.parent)]
        #expect(parent.kind == "useClosures()")
        #expect(parent.name == "useClosures() #1 (Queues)")
    }

    @Test("a limit of memory keeps what came first, or last, and says what it left out")
    func memoryLimit() throws {
        let program = try TestProgram.endings.path()
        for (limit, keepsLast) in [("4M", false), ("4M latest", true)] {
            let recorded = try RecordedRun([program, "until killed"], options: ["--limit", limit]) { talk in
                talk.hear(lines: 30_000)
                kill(talk.process, SIGTERM)
            }
            let trace = try recorded.trace()
            let names = Set(trace.finishedNames)
            #expect(names.count < recorded.run.lines.count, "\(limit)")
            #expect(names.contains("0 1") == !keepsLast, "\(limit)")
            // A thread that writes faster than the memory for the latest events loses some, which is
            // reported.
            let last = String(recorded.run.lines[recorded.run.lines.count - 4])
            #expect(names.contains(last) == keepsLast || trace.header.droppedEvents > 0, "\(limit)")
            #expect(trace.header.droppedEvents > 0 || keepsLast, "\(limit)")
        }
    }
}
