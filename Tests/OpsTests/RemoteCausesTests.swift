import EventLog
import Foundation
import Inspector
import Ops
import Testing

@Suite("Causes in other processes")
struct RemoteCausesTests {
    private static let traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test("causes in other processes are what an operation sends, named as its log's export names it")
    func sent() throws {
        let operation = BlockOperation {}
        var sent: [String?] = []
        let log = try recordedEvents { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            sent.append(recorder.traceparent(of: operation))
            queue.addOperations([operation], waitUntilFinished: true)
            sent.append(recorder.traceparent(of: operation))
        }
        let header = log.header
        let identifiers = SpanIdentifiers(
            host: header.host, process: header.process, processID: header.processID, start: header.start)
        let span = identifiers.span(1)
        #expect(sent == Array(repeating: TraceContext(span).traceparent, count: 2))
        #expect(log.events.count { $0.body == .contextSent(OperationID(1)) } == 2)
        #expect(Trace(log).operations.count == 1)
    }

    @Test("causes in other processes are in the log, whether set before or after the operation was added")
    func received() throws {
        let log = try recordedEvents { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let operation = ClosureOperation("served")
            #expect(recorder.addRemoteCause(Self.traceparent, to: operation))
            queue.addOperation(operation)
            queue.drain()
            #expect(!recorder.addRemoteCause("no traceparent", to: operation))
        }
        let trace = Trace(log)
        let received = try #require(trace.receivedContexts.first)
        #expect(trace.receivedContexts.count == 1 && received.operation == 0)
        #expect(received.context.traceparent == Self.traceparent)
        #expect(trace.operations.map(\.name) == ["served"] && trace.losses == [])
    }

    @Test("causes in other processes cost nothing while nothing is recorded")
    func off() {
        let recorder = Recorder()
        #expect(recorder.traceparent(of: Operation()) == nil)
        #expect(recorder.addRemoteCause(Self.traceparent, to: Operation()))
    }

    @Test("a log says which run of the machine it is of, and when that was on its clock")
    func bootClock() throws {
        let clocks = try (0..<2).map { _ in try recordedEvents { $0.mark("here") }.header.bootClock }
        #if os(Linux)
            let text = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
            let boot = BootID(text.trimmingCharacters(in: .whitespacesAndNewlines))
            #expect(clocks.allSatisfy { $0?.boot == boot })
        #endif
        let (first, second) = (try #require(clocks[0]), try #require(clocks[1]))
        #expect(first.boot == second.boot && first.monotonic < second.monotonic)
    }

    @Test("causes in other processes connect two processes, of which one started the other, in one trace")
    func twoProcesses() throws {
        let folder = temporaryPath()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let parent = Process()
        parent.executableURL = CrashTests.products.appending(path: "RecordingVictim")
        parent.arguments = ["cause"]
        parent.environment = ProcessInfo.processInfo.environment.merging([
            // Exact times, also where the tests observe passively.
            "OPVIZ_TRACE": folder + "/", "OPVIZ_OBSERVE": "",
        ]) { $1 }
        try parent.run()
        parent.waitUntilExit()
        try #require(parent.terminationStatus == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.count == 2)
        let merge = try TraceMerge(files.map { ($0, try TraceReader(path: folder + "/" + $0).events()) })
        #expect(merge.notes == [] && merge.crossings == 1_000)
        let trace = Trace(merge.contents)
        let spawn = try trace.operation("spawn")
        let children = trace.operations.filter { $0.process == 1 }
        #expect(spawn.process == 0 && children.count == 1_000)
        let (start, end) = (try #require(spawn.executing), try #require(spawn.finished))
        for child in children {
            #expect(child.parent == spawn.index)
            // On the clock that both have: within the operation that waited for the process.
            #expect(child.enqueued.map { $0.notBefore > start.notAfter } == true)
            #expect(child.finished.map { $0.notAfter < end.notBefore } == true)
        }
    }
}
