import EventLog
import Foundation

/// Reads the binary form of an event log, the whole file at once.
struct BinaryLogFile {
    let path: String
    let descriptor: Int32

    func read() throws(TraceError) -> EventLogContents {
        try Self.contents(bytes(), path: path, isRunning: isBeingWritten)
    }

    static func contents(
        _ bytes: [UInt8], path: String, isRunning: @autoclosure () -> Bool
    ) throws(TraceError) -> EventLogContents {
        do throws(BinaryLogError) {
            var contents =
                try CompactLogReader.recognizes(bytes)
                ? CompactLogReader.read(bytes) : BinaryLogReader.read(bytes)
            contents.losses =
                contents.header.losses(of: contents.events.count, isRunning: isRunning()) + contents.losses
            return contents
        } catch {
            throw TraceError(
                error.isOtherVersion ? .newerVersion : .notATrace, path: path, offset: error.offset,
                reason: error.reason)
        }
    }

    /// The recorder holds a lock on the file for as long as it writes.
    private var isBeingWritten: Bool {
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
        flock(descriptor, LOCK_UN)
        return false
    }

    /// Read, and not mapped: a mapped file faults when somebody cuts it.
    private func bytes() throws(TraceError) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure() }
        var isFailed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            while count < buffer.count {
                let chunk = pread(descriptor, buffer.baseAddress! + count, buffer.count - count, off_t(count))
                if chunk < 0 && errno == EINTR { continue }
                isFailed = chunk < 0
                guard chunk > 0 else { return }
                count += chunk
            }
        }
        if isFailed { throw failure() }
        return bytes
    }

    private func failure() -> TraceError {
        TraceError(.unreadable, path: path, reason: String(cString: strerror(errno)))
    }
}
