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
        guard descriptor >= 0 else {
            let reason = errno
            guard reason == ENOENT, let contents = try spooledEvents() else { throw failure(reason) }
            return contents
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw TraceError(.unreadable, path: path, reason: "is a directory, not a trace")
        }
        guard Self.isBinary(descriptor) else {
            return try JSONLogReader(path: path, descriptor: descriptor).read()
        }
        return try BinaryLogFile(path: path, descriptor: descriptor).read()
    }

    /// The events of a binary log that is in memory; `path` is what errors call it.
    ///
    /// - Parameter isRunning: whether the program is known to be running still.
    /// - Throws: `TraceError` when it is no log.
    public func events(ofMemory bytes: [UInt8], isRunning: Bool) throws(TraceError) -> EventLogContents {
        try BinaryLogFile.contents(bytes, path: path, isRunning: isRunning)
    }

    /// Whether the file holds the binary form of a log, whatever its name is. False where there is no file.
    public func isBinary() -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        // What has no JSON yet has a binary log.
        guard descriptor >= 0 else { return access(path + ".optrace", F_OK) == 0 }
        defer { close(descriptor) }
        return Self.isBinary(descriptor)
    }

    private static func isBinary(_ descriptor: Int32) -> Bool {
        var start = [UInt8](repeating: 0, count: 8)
        let count = pread(descriptor, &start, start.count, 0)
        let bytes = start[..<max(0, count)]
        return BinaryLogReader.recognizes(bytes) || CompactLogReader.recognizes(bytes)
    }

    /// A recorder that was told to write `trace.json` writes `trace.json.optrace`, and makes JSON of it when it is closed.
    /// Nil where there is no such file.
    private func spooledEvents() throws(TraceError) -> EventLogContents? {
        let spool = path + ".optrace"
        guard access(spool, F_OK) == 0 else { return nil }
        var contents = try TraceReader(path: spool).events()
        contents.losses.insert("there is no such file yet; \(spool) was read, which the recorder left", at: 0)
        return contents
    }

    private func failure(_ code: Int32) -> TraceError {
        if code == ENOENT || code == ENOTDIR {
            return TraceError(.noSuchFile, path: path, reason: "there is no such file")
        }
        return TraceError(.unreadable, path: path, reason: String(cString: strerror(code)))
    }
}
