import EventLog
import Foundation
import TestTraces
import Testing

@testable import InspectorTraces

@Suite("A binary log in a file")
struct BinaryLogFileTests {
    /// A log of many segments, which belong to three threads alternately.
    private let bytes: [UInt8] = {
        var encoder = BinaryLogEncoder(
            header: LogHeader(
                process: "app", processID: 1, host: "box", start: 0, droppedEvents: 0, isClosed: true,
                lastAlive: 0))
        for index in 0..<UInt64(30_000) {
            encoder.encode(LogEvent(time: Int64(index), thread: 1, .marked("mark \(index % 4000)", by: nil)))
        }
        var bytes = encoder.finish()
        var stream: UInt8 = 0
        for start in stride(from: 4096, to: bytes.count, by: 65_536) where bytes[start] == 1 {
            bytes[start + 8] = stream % 3
            stream += 1
        }
        return bytes
    }()

    @Test("a binary log is what the same bytes are in memory, wherever it is cut")
    func cut() throws {
        #expect(bytes.count > 8 * 65_536)
        for length in stride(from: 700, through: bytes.count, by: 70_001) + [bytes.count] {
            let cut = Array(bytes[..<length])
            let memory = try TraceReader(path: "memory").events(ofMemory: cut, isRunning: false)
            let file = try read(cut)
            #expect(file.events == memory.events)
            #expect(file.losses == memory.losses)
        }
    }

    @Test("a binary log is in the order of time, whichever thread an event is of")
    func order() throws {
        let times = try read(bytes).events.map(\.time)
        #expect(times == Array(0..<30_000))
    }

    @Test("a binary log says so when the system does not give its bytes")
    func unreadable() {
        let error = #expect(throws: BinaryLogError.self) {
            try BinaryLogReader.read(file: -1, size: 100_000, into: TraceBuilder())
        }
        #expect(error?.isUnreadable == true)
    }
}
