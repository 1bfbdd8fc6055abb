import Foundation
import InMemoryLogging
import Logging
import Ops
import OpsLogging
import Testing

@Suite("What is logged within an operation says which it is")
struct OperationLoggingTests {
    private let lines = InMemoryLogHandler()
    private let logger: Logger
    private let queue = InstrumentedQueue(recorder: Recorder())

    init() {
        var handler = lines
        handler.metadataProvider = .operations
        let made = handler
        logger = Logger(label: "test") { _ in made }
        queue.name = "downloads"
    }

    private func metadata(of message: String) throws -> Logger.Metadata {
        try #require(lines.entries.first { "\($0.message)" == message }, "\(message) was not logged").metadata
    }

    @Test(
        "log lines name their operation in the body, with identifier, kind, name and queue") func body()
        async throws
    {
        let operation = SynchronousOperation<Void>(name: "page 7", kind: "Download") { [logger] in
            logger.info("begun", metadata: ["page": "7"])
        }
        queue.addOperation(operation)
        await operation.finished()
        let metadata = try metadata(of: "begun")
        #expect(metadata["opviz.operation.kind"] == "Download")
        #expect(metadata["opviz.operation.name"] == "page 7")
        #expect(metadata["opviz.queue.name"] == "downloads")
        #expect(metadata["page"] == "7")
        #expect(metadata["opviz.operation.id"]?.description.hasPrefix("0x") == true)
    }

    @Test(
        "log lines name their operation in its task, after a suspension, and in tasks of that") func task()
        async throws
    {
        let operation = TaskOperation(name: "fetch") { [logger] in
            await Task.yield()
            logger.info("after")
            async let nested: Void = logger.info("nested")
            await nested
        }
        queue.addOperation(operation)
        await operation.finished()
        for line in ["after", "nested"] {
            #expect(try metadata(of: line)["opviz.operation.name"] == "fetch")
        }
    }

    @Test(
        "log lines name their operation in the bodies of classes that know nothing of this",
        .enabled(if: ProcessInfo.processInfo.environment["OPVIZ_OBSERVE"] != "passive"))
    func foreign() async throws {
        let operation = BlockOperation { [logger] in logger.info("block") }
        queue.addOperation(operation)
        await operation.finished()
        let metadata = try metadata(of: "block")
        #expect(metadata["opviz.operation.kind"] == "BlockOperation")
        #expect(metadata["opviz.operation.name"] == nil)
    }

    @Test("log lines outside of operations get no metadata") func outside() throws {
        logger.info("outside")
        #expect(try metadata(of: "outside").isEmpty)
    }

    @Test(
        "log lines name their operation with the identifier of the log, if one is being recorded")
    func recorded() async throws {
        let path = NSTemporaryDirectory() + "opviz-test-\(UUID().uuidString).optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        let queue = InstrumentedQueue(recorder: recorder)
        let operations = (0..<3).map { number in
            SynchronousOperation<Void>(name: "\(number)") { [logger] in logger.info("line \(number)") }
        }
        for operation in operations {
            queue.addOperation(operation)
            await operation.finished()
        }
        try recorder.stop()
        for number in 0..<3 {
            #expect(try metadata(of: "line \(number)")["opviz.operation.id"] == "0x\(number + 1)")
        }
    }
}
