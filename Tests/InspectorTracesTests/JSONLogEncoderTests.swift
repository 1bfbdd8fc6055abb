import EventLog
import Foundation
import InspectorTraces
import TestTraces
import Testing

@Suite("The JSON of a log")
struct JSONLogEncoderTests {
    private let header = LogHeader(
        process: "app \"x\"", processID: 4711, host: "box", start: 1_795_233_519_123_456_789,
        droppedEvents: 3,
        isClosed: true, lastAlive: 9_876_543_210)

    private func encode(_ events: [LogEvent]) -> [UInt8] {
        var encoder = JSONLogEncoder(header: header)
        for event in events { encoder.encode(event) }
        return header.jsonPrologue() + encoder.takeBytes() + JSONLogEncoder.epilogue
    }

    private func readBack(_ bytes: [UInt8]) throws -> EventLogContents {
        let path = NSTemporaryDirectory() + "opviz-encoder-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return try TraceReader(path: path).events()
    }

    @Test("the JSON of a log is read back without loss, for any events", arguments: 0..<40)
    func lossless(seed: UInt64) throws {
        var events = RandomEvents(seed: seed)
        let written = (0..<300).map { _ in events.next() }
        let contents = try readBack(encode(written))
        #expect(contents.header == header)
        #expect(contents.events == written)
    }

    @Test("the JSON of a log is valid JSON for another parser")
    func otherParser() throws {
        var events = RandomEvents(seed: 7)
        let bytes = encode((0..<300).map { _ in events.next() })
        let object = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        let list = try #require(object["traceEvents"] as? [[String: Any]])
        #expect(list.filter { $0["cat"] as? String != "view" }.count == 300)
    }

    @Test("the JSON of a log has a header whose length does not depend on how the log ends")
    func headerLength() {
        var open = header
        open.isClosed = false
        open.droppedEvents = 0
        open.lastAlive = 0
        var full = header
        full.droppedEvents = .max
        full.lastAlive = .max
        #expect(open.jsonPrologue().count == header.jsonPrologue().count)
        #expect(full.jsonPrologue().count == header.jsonPrologue().count)
    }

    @Test("the JSON of a log gives viewers a slice for each execution, in lanes, and an arrow for each edge")
    func views() throws {
        func at(_ time: Int64, _ body: LogEvent.Body) -> LogEvent { LogEvent(time: time, thread: 1, body) }
        let queue = QueueID(1)
        let (a, b, c) = (OperationID(1), OperationID(2), OperationID(3))
        let bytes = encode([
            at(0, .queueOpened(queue, name: "work", limit: -1, isSuspended: false)),
            at(1, .enqueued(.init(operation: a, kind: "K", name: "a", queue: queue))),
            at(2, .enqueued(.init(operation: b, kind: "K", queue: queue))),
            at(3, .enqueued(.init(operation: c, kind: "K", queue: queue, dependencies: [a]))),
            at(1_000, .executing(a)), at(2_000, .executing(b)), at(3_000, .finished(a, .succeeded)),
            at(4_000, .executing(c)), at(5_000, .finished(b, .succeeded)),
            at(6_000, .finished(c, .succeeded)),
        ])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        let views = try #require(object["traceEvents"] as? [[String: Any]]).filter {
            $0["cat"] as? String == "view"
        }
        func values<Value>(_ phase: String, _ key: String, as: Value.Type) -> [Value] {
            views.filter { $0["ph"] as? String == phase }.compactMap { $0[key] as? Value }
        }
        #expect(values("X", "name", as: String.self) == ["a", "K", "K"])
        #expect(values("X", "ts", as: Double.self) == [1, 2, 4])
        #expect(values("X", "dur", as: Double.self) == [2, 3, 2])
        let lanes = values("X", "tid", as: Int.self)
        #expect(lanes[0] != lanes[1] && lanes[0] == lanes[2])
        #expect(values("s", "ts", as: Double.self) == [2.999] && values("f", "ts", as: Double.self) == [4])
    }
}
