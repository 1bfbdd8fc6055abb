import Foundation

/// The bytes of a log: either all in memory, or in a file that is read in parts.
final class LogBytes {
    let count: Int
    private let content: Content
    /// The `errno` of a failed read of the file.
    private(set) var failure: Int32?

    private enum Content {
        case memory(UnsafeRawBufferPointer)
        case file(Int32)
    }

    init(_ bytes: UnsafeRawBufferPointer) {
        content = .memory(bytes)
        count = bytes.count
    }

    /// - Parameter size: the part of the file that belongs to the log.
    init(file descriptor: Int32, size: Int) {
        content = .file(descriptor)
        count = size
    }

    /// A part, valid until the next read with the same buffer. Shorter if the file was truncated meanwhile,
    /// or cannot be read.
    func read(_ range: Range<Int>, _ buffer: LogBuffer) -> UnsafeRawBufferPointer {
        switch content {
        case .memory(let bytes): return UnsafeRawBufferPointer(rebasing: bytes[range])
        case .file(let descriptor):
            let (bytes, failure) = buffer.read(range, of: descriptor)
            if failure != 0 { self.failure = failure }
            return bytes
        }
    }
}

/// A buffer for a part of a log. It is reused, so it stays in the processor's cache.
final class LogBuffer {
    private var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    deinit { bytes.deallocate() }

    /// The bytes of a part of a file, valid until the next read. Fewer if the file ends or cannot be read;
    /// then with the `errno`.
    func read(_ range: Range<Int>, of descriptor: Int32) -> (bytes: UnsafeRawBufferPointer, failure: Int32) {
        let target = room(range.count)
        let (count, failure) = WholeBytes.read(
            descriptor, at: range.lowerBound,
            into: UnsafeMutableRawBufferPointer(rebasing: target[..<range.count]))
        return (UnsafeRawBufferPointer(rebasing: target[..<count]), failure)
    }

    /// At least this many bytes; the previous contents are lost.
    private func room(_ count: Int) -> UnsafeMutableRawBufferPointer {
        if bytes.count < count {
            bytes.deallocate()
            bytes = .allocate(byteCount: count, alignment: MemoryLayout<UInt64>.alignment)
        }
        return bytes
    }
}
