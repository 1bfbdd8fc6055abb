import Foundation

/// The bytes of a log: all of them in memory, or in a file, of which a part at a time is read.
final class LogBytes {
    let count: Int
    private let content: Content
    /// Why a part of the file could not be read, as `errno` says it.
    private(set) var failure: Int32?

    private enum Content {
        case memory(UnsafeRawBufferPointer)
        case file(Int32)
    }

    init(_ bytes: UnsafeRawBufferPointer) {
        content = .memory(bytes)
        count = bytes.count
    }

    /// - Parameter size: what of the file belongs to the log.
    init(file descriptor: Int32, size: Int) {
        content = .file(descriptor)
        count = size
    }

    /// A part, valid until the next is asked for with the same buffer. Shorter where the file was cut
    /// meanwhile, or cannot be read.
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

/// Room for a part of a log. Used again and again, it stays in the processor's cache.
final class LogBuffer {
    private var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    deinit { bytes.deallocate() }

    /// What there is of a part of a file, valid until the next is read; less where the file ends or cannot be
    /// read, and then why, as `errno` says it.
    func read(_ range: Range<Int>, of descriptor: Int32) -> (bytes: UnsafeRawBufferPointer, failure: Int32) {
        let target = room(range.count)
        let (count, failure) = WholeBytes.read(
            descriptor, at: range.lowerBound,
            into: UnsafeMutableRawBufferPointer(rebasing: target[..<range.count]))
        return (UnsafeRawBufferPointer(rebasing: target[..<count]), failure)
    }

    /// At least this many bytes; the previous content is lost.
    private func room(_ count: Int) -> UnsafeMutableRawBufferPointer {
        if bytes.count < count {
            bytes.deallocate()
            bytes = .allocate(byteCount: count, alignment: MemoryLayout<UInt64>.alignment)
        }
        return bytes
    }
}
