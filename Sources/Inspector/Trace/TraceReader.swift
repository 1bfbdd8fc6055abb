import EventLog
import Foundation

/// Reads an event log from a file.
///
/// A log may be cut anywhere, as the end of a program leaves it, or damaged: what is whole is read, and `losses` says
/// what is not.
public struct TraceReader: Sendable {
    public let path: String

    public init(path: String) { self.path = path }

    /// Reads the log and makes a trace of it. Linear in the size of the file.
    ///
    /// - Throws: `TraceError` when there is no file, it cannot be read, or nothing in it is a trace.
    public func read() throws(TraceError) -> Trace { try Trace(events()) }

    /// Reads the log, event by event. Linear in the size of the file.
    ///
    /// - Throws: `TraceError` when there is no file, it cannot be read, or nothing in it is a trace.
    public func events() throws(TraceError) -> EventLogContents {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw TraceError(.unreadable, path: path, reason: "is a directory, not a trace")
        }
        var start = [UInt8](repeating: 0, count: 8)
        let count = pread(descriptor, &start, start.count, 0)
        guard count > 0, BinaryLogReader.recognizes(start[..<count]) else {
            return try JSONLogReader(path: path, descriptor: descriptor).read()
        }
        return try BinaryLogFile(path: path, descriptor: descriptor).read()
    }

    private func failure(_ code: Int32) -> TraceError {
        if code == ENOENT || code == ENOTDIR {
            return TraceError(.noSuchFile, path: path, reason: "there is no such file")
        }
        return TraceError(.unreadable, path: path, reason: String(cString: strerror(code)))
    }
}
