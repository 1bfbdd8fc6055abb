import EventLog
import Foundation

/// Reads an event log from a file.
///
/// A log may be cut anywhere, as the end of a program leaves it, or damaged: what is whole is read, and
/// `losses` says what is not.
public struct TraceReader: Sendable {
    /// The file, as errors name it.
    public let path: String
    private let memoryLimit: Int?

    /// - Parameter memoryLimit: bytes that reading and analysis may take together; nil for what the system
    ///   has.
    public init(path: String, memoryLimit: Int? = nil) {
        self.path = path
        self.memoryLimit = memoryLimit
    }

    /// Reads the log and makes a trace of it. Linear in the size of the file.
    ///
    /// - Throws: `TraceError` when the file is missing, cannot be read, has no trace in it, or needs
    ///   more memory than there is, by an estimate.
    public func read() throws(TraceError) -> Trace {
        let builder = TraceBuilder()
        return builder.finish(try read(into: builder, isTrace: true))
    }

    /// Reads the log, event by event. Linear in the size of the file. Closures get the function that they
    /// were written in as their kind, where the file that their code is in is there, with the build ID that
    /// the log names.
    ///
    /// - Throws: `TraceError` when the file is missing, cannot be read, has no trace in it, or needs
    ///   more memory than there is, by an estimate.
    public func events() throws(TraceError) -> EventLogContents {
        let collector = EventCollector()
        var contents = collector.contents(try read(into: collector, isTrace: false))
        var names = CodeNames()
        names.nameOperations(in: &contents)
        return contents
    }

    private func read(into consumer: any EventConsumer, isTrace: Bool) throws(TraceError) -> ReadLog {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = errno
            guard reason == ENOENT, let log = try readSpool(into: consumer, isTrace) else {
                throw failure(reason)
            }
            return log
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw TraceError(.unreadable, path: path, reason: "is a directory, not a trace")
        }
        let form = Self.form(descriptor)
        try MemoryNeed(form, fileSize: Int(status.st_size), isTrace: isTrace).check(path, limit: memoryLimit)
        guard form != .json else {
            return try JSONLogReader(path: path, descriptor: descriptor, consumer: consumer).read()
        }
        return try BinaryLogFile(path: path, descriptor: descriptor).read(
            into: consumer, isCompact: form == .compact)
    }

    /// The events of a binary log that is in memory; `path` is what errors call it.
    ///
    /// - Parameters:
    ///   - isRunning: whether the program is known to be running still.
    ///   - isEndSeen: the caller knows how the program ended, and says so: that the log was not closed is no
    ///     loss then.
    /// - Throws: `TraceError` when it is no log.
    package func events(
        ofMemory bytes: [UInt8], isRunning: Bool, isEndSeen: Bool = false
    ) throws(TraceError) -> EventLogContents {
        let collector = EventCollector()
        return try bytes.withUnsafeBufferPointer { (buffer) throws(TraceError) in
            collector.contents(
                try BinaryLogFile.read(
                    UnsafeRawBufferPointer(buffer), path: path, isRunning: isRunning, isEndSeen: isEndSeen,
                    into: collector))
        }
    }

    /// Whether the file holds the binary form of a log, whatever its name is. False without a file.
    package func isBinary() -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        // What has no JSON yet has a binary log.
        guard descriptor >= 0 else { return access(path + ".optrace", F_OK) == 0 }
        defer { close(descriptor) }
        return Self.form(descriptor) != .json
    }

    /// JSON, or what is none of the others.
    private static func form(_ descriptor: Int32) -> MemoryNeed.Form {
        var start = [UInt8](repeating: 0, count: 8)
        let count = pread(descriptor, &start, start.count, 0)
        let bytes = start[..<max(0, count)]
        if BinaryLogReader.recognizes(bytes) { return .binary }
        return CompactLogReader.recognizes(bytes) ? .compact : .json
    }

    /// A recorder that was told to write `trace.json` writes `trace.json.optrace`, and makes JSON of it when
    /// it is closed. Nil where no such file.
    private func readSpool(into consumer: any EventConsumer, _ isTrace: Bool) throws(TraceError) -> ReadLog? {
        let spool = path + ".optrace"
        guard access(spool, F_OK) == 0 else { return nil }
        var log = try TraceReader(path: spool, memoryLimit: memoryLimit).read(
            into: consumer, isTrace: isTrace)
        log.notes.append("the file does not exist yet; read \(spool) instead")
        return log
    }

    private func failure(_ code: Int32) -> TraceError {
        if code == ENOENT || code == ENOTDIR {
            return TraceError(.noSuchFile, path: path, reason: "no such file")
        }
        return TraceError(.unreadable, path: path, reason: String(cString: strerror(code)))
    }
}
