package import Foundation

/// Reads and writes files completely, in spite of interruptions.
package enum WholeBytes {
    /// Fills `buffer` from `offset` on. Does not map the file, because a mapped file faults when somebody
    /// truncates it.
    ///
    /// - Returns: the number of bytes: fewer than requested if the file ends or cannot be read; then with the
    ///   `errno`.
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

    /// As above, into new memory.
    package static func read(
        _ descriptor: Int32, at offset: Int, count: Int
    ) -> (bytes: [UInt8], failure: Int32) {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            (filled, failure) = read(descriptor, at: offset, into: UnsafeMutableRawBufferPointer(buffer))
        }
        return (bytes, failure)
    }

    /// False if something could not be written; `errno` has the reason.
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
