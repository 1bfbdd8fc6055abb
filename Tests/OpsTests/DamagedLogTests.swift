import Foundation
import Inspector
import Ops
import Testing

/// Logs as the recorder leaves them, with every damage of one bit, and every end that they can have.
@Suite("A damaged recorded log is read as far as possible")
struct DamagedLogTests {
    /// The header's part that is in use, and the parts before and after that are the size of a segment and
    /// its own header.
    private static let (usedHeader, header, segment, segmentHeader) = (640, 4_096, 65_536, 32)
    /// The smallest that an event can be.
    private static let record = 24

    /// A log of a few operations, as bytes, and which of them are in use.
    private func log() throws -> (bytes: [UInt8], used: [Range<Int>]) {
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        let queue = InstrumentedQueue(recorder: recorder)
        queue.name = "queue"
        queue.isSuspended = true
        let (first, second) = (ClosureOperation("first"), ForeignOperation { recorder.mark("a mark") })
        second.addDependency(first)
        second.queuePriority = .high
        let cancelled = ClosureOperation("cancelled")
        queue.addOperations([second, first, cancelled], waitUntilFinished: false)
        cancelled.cancel()
        queue.isSuspended = false
        queue.drain()
        try recorder.stop()
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let segments = stride(from: Self.header, to: bytes.count, by: Self.segment).map { start in
            let end = min(start + Self.segment, bytes.count)
            // One record more than is there, for the end of the others.
            let last = bytes[start..<end].lastIndex { $0 != 0 } ?? start + Self.segmentHeader
            return start..<min(last + Self.record, end)
        }
        return (bytes, [0..<Self.usedHeader] + segments)
    }

    /// Reads a file, and creates everything that a program would create from it. Nil if it is not a log.
    private func contents(of file: DamagedFile) -> EventLogContents? {
        guard let contents = try? TraceReader(path: file.path).events() else { return nil }
        _ = Trace(contents)
        return contents
    }

    @Test("a log with any flipped bit is read as far as possible", arguments: 0..<8)
    func bits(bit: Int) throws {
        let (bytes, used) = try log()
        let file = try DamagedFile(bytes)
        let whole = try #require(contents(of: file))
        #expect(whole.losses == [] && whole.events.count > 15)
        let positions = Set(stride(from: bit, to: bytes.count, by: 997)).union(used.joined())
        var (refused, tooMany, changed): ([Int], [Int], [Int]) = ([], [], [])
        for position in positions {
            file.write(bytes[position] ^ 1 << bit, at: position)
            if let damaged = contents(of: file) {
                if damaged.events.count > bytes.count / Self.record { tooMany.append(position) }
                let isInHeader = (Self.usedHeader..<Self.header).contains(position)
                if isInHeader && damaged.events != whole.events { changed.append(position) }
            } else {
                refused.append(position)
            }
            file.write(bytes[position], at: position)
        }
        // Magic, version, and the sizes of header and segments: the rest is never a reason to give up.
        #expect(refused.allSatisfy { $0 < 20 } && refused.contains(0))
        #expect(tooMany == [] && changed == [])
        #expect(contents(of: file)?.events == whole.events, "all was put back")
    }

    @Test("a log is read as far as possible wherever it ends")
    func ends() throws {
        let (bytes, used) = try log()
        let file = try DamagedFile(bytes)
        let whole = try #require(contents(of: file)).events
        let lengths = Set(used.joined()).union(stride(from: 0, to: bytes.count, by: 997)).sorted(by: >)
        var (refused, wrong): ([Int], [Int]) = ([], [])
        var most = whole.count
        for length in lengths {
            file.cut(to: length)
            guard let cut = contents(of: file) else {
                refused.append(length)
                continue
            }
            if cut.events.count > min(most, length / Self.record) { wrong.append(length) }
            most = cut.events.count
        }
        #expect(wrong == [] && most == 0)
        #expect(refused == Array((0..<Self.usedHeader).reversed()))
    }
}

/// A file whose bytes can be changed and cut off.
private final class DamagedFile {
    let path = temporaryPath() + ".optrace"
    private let descriptor: Int32

    init(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: path))
        descriptor = open(path, O_RDWR | O_CLOEXEC)
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    func write(_ byte: UInt8, at position: Int) {
        let count = withUnsafeBytes(of: byte) { pwrite(descriptor, $0.baseAddress, 1, off_t(position)) }
        #expect(count == 1)
    }

    func cut(to length: Int) { #expect(ftruncate(descriptor, off_t(length)) == 0) }
}
