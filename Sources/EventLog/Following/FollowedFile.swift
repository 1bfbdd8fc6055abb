import Foundation

/// The file of a log that is being written.
///
/// Read, and not mapped: a mapped file faults when somebody cuts it, and the recorder itself does so at the
/// end. Reading costs the program that writes nothing.
final class FollowedFile {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// What there is of a part of the file, valid until the next is read with the same buffer; less where the
    /// file ends.
    ///
    /// - Throws: `BinaryLogError` when the system does not give the bytes.
    func read(_ range: Range<Int>, _ buffer: LogBuffer) throws(BinaryLogError) -> UnsafeRawBufferPointer {
        let (bytes, failure) = buffer.read(range, of: descriptor)
        guard failure == 0 else { throw BinaryLogError(unreadable: failure) }
        return bytes
    }

    static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    static func half(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
