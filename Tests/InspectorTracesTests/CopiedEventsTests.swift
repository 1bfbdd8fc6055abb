import EventLog
import Foundation
import TestTraces
import Testing

@testable import InspectorTraces

@Suite("The events of a log, passed on without a value for each")
struct CopiedEventsTests {
    private let header = LogHeader(
        process: "app", processID: 4711, host: "box", start: 1_795_233_519_123_456_789, isClosed: true,
        lastAlive: 9_876_543_210)

    private func random(_ seed: UInt64) -> [LogEvent] {
        var random = RandomEvents(seed: seed)
        return (0..<300).map { _ in random.next() }
    }

    private func json(_ events: [LogEvent]) -> [UInt8] {
        var encoder = JSONLogEncoder(header: header)
        for event in events { encoder.encode(event) }
        return header.jsonPrologue() + encoder.takeBytes() + JSONLogEncoder.epilogue
    }

    private func reading<Log>(_ bytes: [UInt8], _ read: (TraceReader) throws -> Log) throws -> Log {
        let path = NSTemporaryDirectory() + "opviz-copy-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(bytes).write(to: URL(filePath: path))
        return try read(TraceReader(path: path))
    }

    private func surveyed(_ bytes: [UInt8]) throws -> SurveyedLog {
        // The file stays open.
        try reading(bytes) { try $0.surveyed() }
    }

    private func copied(_ log: SurveyedLog) throws -> [[UInt8]] {
        try written(log.log.header) { try log.pass(to: $0) }
    }

    private func written(
        _ header: LogHeader, _ pass: (any EventConsumer) throws -> Void
    ) throws -> [[UInt8]] {
        let binary = EncodedEvents(BinaryLogEncoder(header: header))
        let compact = EncodedEvents(CompactLogEncoder(header: header))
        var json: [UInt8] = []
        let writer = JSONLogWriter(header) { piece in
            json += piece
            return true
        }
        for consumer in [binary, compact, writer] as [any EventConsumer] { try pass(consumer) }
        #expect(writer.finish())
        return [binary.encoder.finish(), compact.encoder.finish(), json]
    }

    @Test(
        "copied events have the bytes that their values have, in every form and from every form",
        arguments: 0..<20)
    func sameBytes(seed: UInt64) throws {
        let events = random(seed)
        var binary = BinaryLogEncoder(header: header)
        var compact = CompactLogEncoder(header: header)
        for event in events {
            binary.encode(event)
            compact.encode(event)
        }
        let forms = [binary.finish(), compact.finish(), json(events)]
        for form in forms {
            // Texts may have other numbers, in the order in which a reader finds them.
            let copies = try copied(surveyed(form))
            #expect(copies[2] == forms[2])
            #expect(copies[1] == forms[1])
            #expect(try BinaryLogReader.read(copies[0]).events == events)
        }
    }

    @Test("copied events have the bytes that their values have when logs are merged", arguments: 0..<20)
    func merged(seed: UInt64) throws {
        var logs: [(path: String, contents: EventLogContents)] = []
        for processID in 1...3 as ClosedRange<Int32> {
            var header = header
            header.processID = processID
            logs.append(
                ("\(processID)", EventLogContents(header: header, events: random(seed + UInt64(processID)))))
        }
        let contents = try TraceMerge(logs).contents
        let expected = try written(contents.header) { contents.pass(to: $0) }
        for form in 0...2 {
            let stored = try logs.map { path, contents in
                let bytes = try written(contents.header) { contents.pass(to: $0) }[form]
                return (path, try reading(bytes) { try $0.stored() })
            }
            let merge = try TraceMerge(stored: stored)
            #expect(merge.eventCount == 900)
            #expect(try written(merge.header) { merge.pass(to: $0) } == expected)
        }
    }

    @Test("copied events can come from a pipe, which can be read only once")
    func pipe() throws {
        let events = random(7)
        let path = NSTemporaryDirectory() + "opviz-copy-pipe-\(UUID().uuidString)"
        try #require(mkfifo(path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let bytes = json(events)
        let writer = Thread {
            let descriptor = open(path, O_WRONLY)
            _ = WholeBytes.write(bytes, to: descriptor)
            close(descriptor)
        }
        writer.start()
        #expect(try copied(TraceReader(path: path).surveyed())[2] == bytes)
    }

    @Test("copied events are not written any more after a failure, which the end reports")
    func failure() throws {
        var calls = 0
        let writer = JSONLogWriter(header) { _ in
            calls += 1
            return false
        }
        try surveyed(json(random(1))).pass(to: writer)
        #expect(!writer.finish())
        #expect(calls == 1)
    }
}
