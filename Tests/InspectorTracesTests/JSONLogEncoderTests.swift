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

    @Test("is read back without loss, whatever the events are", arguments: 0..<40)
    func lossless(seed: UInt64) throws {
        var events = RandomEvents(seed: seed)
        let written = (0..<300).map { _ in events.next() }
        let contents = try readBack(encode(written))
        #expect(contents.header == header)
        #expect(contents.events == written)
    }

    @Test("is JSON to a parser of somebody else's")
    func foreignParser() throws {
        var events = RandomEvents(seed: 7)
        let bytes = encode((0..<300).map { _ in events.next() })
        let object = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        let list = try #require(object["traceEvents"] as? [[String: Any]])
        #expect(list.filter { $0["cat"] as? String != "view" }.count == 300)
    }

    @Test("has a header whose length does not depend on how the log ends")
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

    @Test(
        "gives viewers a slice for each execution, in lanes that do not overlap, and an arrow for each edge")
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

/// Events with all their fields drawn at random, names among them that are hard to carry.
struct RandomEvents {
    private var generator: SeededGenerator
    private var time: Int64 = 0

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func next() -> LogEvent {
        time += Int64.random(in: 0...5_000_000, using: &generator)
        let notBefore = Bool.random(using: &generator) ? Int64.random(in: 0...time, using: &generator) : nil
        return LogEvent(
            time: time, notBefore: notBefore, thread: UInt64.random(in: 1...4_194_304, using: &generator),
            body())
    }

    private mutating func body() -> LogEvent.Body {
        switch Int.random(in: 0..<22, using: &generator) {
        case 0, 1:
            .enqueued(
                .init(
                    operation: operation(), kind: name(), name: Bool.random(using: &generator) ? name() : nil,
                    queue: queue(), parent: Bool.random(using: &generator) ? operation() : nil,
                    dependencies: (0..<Int.random(in: 0...3, using: &generator)).map { _ in operation() },
                    priority: [-8, -4, 0, 4, 8].randomElement(using: &generator)!,
                    origin: [nil, "/bin/app+0x1f", "ünï\u{1}"].randomElement(using: &generator)!))
        case 2: .sighted(operation(), kind: name(), name: Bool.random(using: &generator) ? name() : nil)
        case 3: .dependencyAdded(operation(), predecessor: operation())
        case 4: .dependencyRemoved(operation(), predecessor: operation())
        case 5: .ready(operation())
        case 6: .executing(operation())
        case 7: .cancelled(operation())
        case 8:
            .finished(
                operation(),
                [Outcome.succeeded, .cancelled, .failed(message: name())].randomElement(using: &generator)!)
        case 9:
            .queueOpened(
                queue(), name: name(), limit: Int.random(in: -1...64, using: &generator),
                isSuspended: Bool.random(using: &generator))
        case 10: .queueRenamed(queue(), name: name())
        case 11: Bool.random(using: &generator) ? .suspended(queue()) : .resumed(queue())
        case 12: .limitChanged(queue(), limit: Int.random(in: -1...64, using: &generator))
        case 13: .bodyBegan(operation())
        case 14: .bodyEnded(operation())
        case 15: .marked(name(), by: Bool.random(using: &generator) ? operation() : nil)
        case 18: .slotFree(operation())
        case 19: .contextSent(operation())
        case 21: .unnotifiedFinish(operation())
        case 20: .contextReceived(Bool.random(using: &generator) ? operation() : nil, traceparent: name())
        case 16:
            .waitBegan(
                Bool.random(using: &generator) ? .operation(operation()) : .queue(queue()),
                by: Bool.random(using: &generator) ? operation() : nil)
        case 17: .waitEnded
        default: .allCancelled(queue())
        }
    }

    private mutating func operation() -> OperationID {
        OperationID(UInt64.random(in: 1...40, using: &generator))
    }

    private mutating func queue() -> QueueID { QueueID(UInt64.random(in: 1..<1 << 28, using: &generator)) }

    private mutating func name() -> String {
        let names = [
            "", "a", "\"", "\\", "\n\r\t\u{0}\u{1f}\u{7f}", "</script>", "🧑‍🚀 é 文", "\u{202e}abc", "\u{2028}",
        ]
        return names.randomElement(using: &generator)! + String(Int.random(in: 0...9, using: &generator))
    }
}
