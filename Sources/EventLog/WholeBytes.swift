package import Foundation

/// Bytes of files to the last, whatever interrupts the reading or writing.
package enum WholeBytes {
    /// Fills `buffer` from `offset` on. Read, and not mapped: a mapped file faults when somebody cuts it.
    ///
    /// - Returns: how many bytes there are: fewer than asked for where the file ends or cannot be read, and
    ///   then why, as `errno` says it.
    package static func read(
        _ descriptor: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) -> (count: Int, failure: Int32) {
        var count = 0
        while count < buffer.count {
            let chunk = pread(
                descriptor, buffer.baseAddress! + count, buffer.count - count, off_t(offset + count))
            if chunk < 0 && errno == EINTR { continue }
            if chunk < 0 { return (count, errno) }
            if chunk == 0 { break }
            count += chunk
        }
        return (count, 0)
    }

    /// As above, into memory of its own.
    package static func read(
        _ descriptor: Int32, at offset: Int, count: Int
    ) -> (bytes: [UInt8], failure: Int32) {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            (filled, failure) = read(descriptor, at: offset, into: UnsafeMutableRawBufferPointer(buffer))
        }
        return (bytes, failure)
    }

    /// False where something could not be written, and `errno` says why.
    package static func write(_ bytes: some ContiguousBytes, to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = Foundation.write(
                    descriptor, bytes.baseAddress! + written, bytes.count - written)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }
}
