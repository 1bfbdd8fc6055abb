import EventLog
import Foundation

/// Reads the binary forms of an event log from a file.
package struct BinaryLogFile {
    private static let hugePage = 1 << 21

    package let path: String
    package let descriptor: Int32

    package init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Passes the events to `consumer`. Reads a finished binary log a segment at a time. Reads a log that is
    /// still being written, as nearly as possible at one moment, and a compact log, as a whole.
    package func read(into consumer: any EventConsumer, isCompact: Bool) throws(TraceError) -> ReadLog {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure() }
        let size = Int(status.st_size)
        let isRunning = isBeingWritten
        if !isCompact, !isRunning {
            return try Self.log(path, isRunning: false) { () throws(BinaryLogError) in
                try BinaryLogReader.read(file: descriptor, size: size, into: consumer)
            }
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: Self.hugePage)
        defer { buffer.deallocate() }
        #if os(Linux)
            // A page fault for each small page takes longer than reading does. Without huge pages, this call
            // has no effect.
            madvise(buffer.baseAddress, buffer.count, MADV_HUGEPAGE)
        #endif
        let count = try fill(buffer)
        if !isCompact {
            BinaryLogReader.dropOverwritten(
                in: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), of: descriptor)
        }
        return try Self.read(
            UnsafeRawBufferPointer(rebasing: buffer[..<count]), path: path, isRunning: isRunning,
            into: consumer)
    }

    static func read(
        _ bytes: UnsafeRawBufferPointer, path: String, isRunning: Bool, isEndSeen: Bool = false,
        into consumer: any EventConsumer
    ) throws(TraceError) -> ReadLog {
        try log(path, isRunning: isRunning, isEndSeen: isEndSeen) { () throws(BinaryLogError) in
            try CompactLogReader.recognizes(bytes)
                ? CompactLogReader.read(bytes, into: consumer) : BinaryLogReader.read(bytes, into: consumer)
        }
    }

    private static func log(
        _ path: String, isRunning: Bool, isEndSeen: Bool = false, _ read: () throws(BinaryLogError) -> ReadLog
    ) throws(TraceError) -> ReadLog {
        do throws(BinaryLogError) {
            var log = try read()
            log.losses =
                log.header.losses(of: log.eventCount, isRunning: isRunning, isEndSeen: isEndSeen)
                + log.losses
            log.losses = log.header.ending(besides: log.losses) + log.losses
            return log
        } catch {
            let code: TraceError.Code =
                error.isUnreadable ? .unreadable : error.isOtherVersion ? .newerVersion : .notATrace
            throw TraceError(code, path: path, offset: error.offset, reason: error.reason)
        }
    }

    /// The recorder holds a lock on the file as long as it writes.
    private var isBeingWritten: Bool {
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
        flock(descriptor, LOCK_UN)
        return false
    }

    /// Returns the number of bytes.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
        let (count, failure) = WholeBytes.read(descriptor, at: 0, into: buffer)
        guard failure == 0 else { throw self.failure(failure) }
        return count
    }

    private func failure(_ code: Int32 = errno) -> TraceError {
        TraceError(.unreadable, path: path, reason: String(cString: strerror(code)))
    }
}
