import Foundation
import TestTraces
import Testing

@testable import InspectorTraces

@Suite("A trace larger than memory allows")
struct MemoryNeedTests {
    private let path = NSTemporaryDirectory() + "opviz-memory-\(UUID().uuidString).json"

    @Test("a trace larger than memory is refused before it is read, with the estimate and what there is")
    func refused() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(logText(readyEvent(1)).utf8).write(to: URL(filePath: path))
        // A hole that is larger than any trace here; it is never read.
        #expect(truncate(path, 20_000_000_000) == 0)
        let error = #expect(throws: TraceError.self) {
            try TraceReader(path: path, memoryLimit: 3_000_000_000).read()
        }
        #expect(error?.code == .tooLarge)
        #expect(
            error?.description
                == path + ": reading it takes about 10 GB of memory, and 3000 MB are available")
        let events = #expect(throws: TraceError.self) {
            try TraceReader(path: path, memoryLimit: 30_000_000_000).events()
        }
        #expect(events?.reason.hasPrefix("reading it takes about 40 GB") == true)
    }

    @Test("a trace larger than memory is distinguished from one that fits")
    func fits() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(logText(readyEvent(1)).utf8).write(to: URL(filePath: path))
        #expect(try TraceReader(path: path, memoryLimit: 1_000_000).read().operations.count == 1)
        #if os(Linux)
            #expect((AvailableMemory.bytes ?? 0) > 0)
        #endif
    }
}
