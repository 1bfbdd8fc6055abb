import Dispatch
import EventLog
import Foundation
import TestTraces
import Testing

@testable import InspectorTraces

@Suite("A binary log that is decoded on a second thread")
struct MergeAheadTests {
    /// Events of all types in several streams, many of them at intervals, among them one with more
    /// predecessors than a batch may have.
    private func log(seed: UInt64, streams: UInt8) -> [UInt8] {
        var random = RandomEvents(seed: seed)
        var encoder = BinaryLogEncoder(
            header: LogHeader(
                process: "app", processID: 1, host: "box", start: 0, droppedEvents: 0, isClosed: true,
                lastAlive: 0))
        for index in 0..<12_000 {
            encoder.encode(random.next())
            guard index == 6_000 else { continue }
            let hub = LogEvent.Body.enqueued(
                .init(
                    operation: OperationID(1 << 40), kind: "Hub", name: nil, queue: QueueID(1),
                    dependencies: (1...20_000).map { OperationID($0) }))
            encoder.encode(LogEvent(time: 1, thread: 1, hub))
        }
        var bytes = encoder.finish()
        // Segments of 64 KiB follow the header of 4 KiB; a segment of records has the kind 1.
        for (index, start) in stride(from: 4096, to: bytes.count, by: 65_536).enumerated()
        where bytes[start] == 1 {
            bytes[start + 8] = UInt8(index % Int(streams))
        }
        return bytes
    }

    private func isSame(_ bytes: [UInt8], _ comment: Comment) throws {
        try #require(bytes.count > 4 * 65_536)
        let file = Result { try read(bytes) }
        let memory = Result { try TraceReader(path: "memory").events(ofMemory: bytes, isRunning: false) }
        switch (file, memory) {
        case (.success(let file), .success(let memory)):
            #expect(file.events == memory.events, comment)
            #expect(file.losses == memory.losses, comment)
            #expect(file.header == memory.header, comment)
        case (.failure, .failure): break
        default: Issue.record("only one of them is read: \(comment)")
        }
    }

    @Test(
        "a log decoded on a second thread is what it is on one thread, with any number of streams",
        arguments: [1, 2, 7] as [UInt8])
    func streams(count: UInt8) throws {
        let bytes = log(seed: UInt64(count), streams: count)
        try isSame(bytes, "whole")
        // An event whose records are in segments of two streams is damaged.
        #expect(try read(bytes).events.count > 11_900)
        try isSame(Array(bytes.dropLast(50_001)), "truncated")
    }

    @Test(
        "a log decoded on a second thread is what it is on one thread, where bytes are damaged",
        arguments: 0..<10 as Range<UInt64>)
    func damage(seed: UInt64) throws {
        var bytes = log(seed: seed, streams: 3)
        var position = Int(seed)
        for _ in 0..<400 {
            position = (position &* 7_919 &+ 104_729) % (bytes.count - 4096)
            bytes[4096 + position] ^= UInt8(truncatingIfNeeded: 1 << (position % 8))
        }
        try isSame(bytes, "seed \(seed)")
    }

    @Test("a log decoded on a second thread is what it is on one, if only its latest segments were kept")
    func latest() throws {
        var bytes = log(seed: 11, streams: 3)
        // The flag of such a log. Every fourth segment is empty, which loses names too.
        bytes[20] |= 2
        for start in stride(from: 4096, to: bytes.count, by: 4 * 65_536) { bytes[start] = 0 }
        try isSame(bytes, "latest")
        #expect(try !read(bytes).losses.isEmpty)
    }

    @Test("a log decoded on a second thread is read if the program keeps all threads of the pool busy")
    func busyPool() throws {
        let bytes = log(seed: 12, streams: 2)
        let (begun, release) = (DispatchGroup(), DispatchSemaphore(value: 0))
        let count = 200
        for _ in 0..<count { DispatchQueue.global().async(group: begun) { release.wait() } }
        defer {
            for _ in 0..<count { release.signal() }
            begun.wait()
        }
        try isSame(bytes, "busy")
    }
}
