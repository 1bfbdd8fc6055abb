import Foundation

/// The file of a log that is being written.
///
/// It is read and not mapped. A mapped file faults when somebody truncates it, and the recorder itself does
/// so at the end. Reading costs the writing program nothing.
final class FollowedFile {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The bytes of a part of the file, valid until the next read with the same buffer; fewer if the file
    /// ends earlier.
    ///
    /// - Throws: `BinaryLogError` if the system does not return the bytes.
    func read(_ range: Range<Int>, _ buffer: LogBuffer) throws(BinaryLogError) -> UnsafeRawBufferPointer {
        let (bytes, failure) = buffer.read(range, of: descriptor)
        guard failure == 0 else { throw BinaryLogError(unreadable: failure) }
        return bytes
    }

    static func uint64(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    static func uint32(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
