import EventLog
import Foundation

/// Reads an event log from a file.
///
/// A log may be truncated anywhere, as when a program dies, or damaged. The reader reads everything that is
/// complete, and `losses` reports the rest.
public struct TraceReader: Sendable {
    /// The file's path for errors.
    public let path: String
    private let memoryLimit: Int?

    /// - Parameter memoryLimit: bytes that reading and analysis may take together; nil for the available
    ///   memory.
    public init(path: String, memoryLimit: Int? = nil) {
        self.path = path
        self.memoryLimit = memoryLimit
    }

    /// Reads the log and creates a trace from it. Linear in the size of the file.
    ///
    /// - Throws: `TraceError` if the file is missing, unreadable or not a trace, or if it is estimated to
    ///   need more memory than is available.
    public func read() throws(TraceError) -> Trace {
        let builder = TraceBuilder()
        return builder.finish(try read(into: builder, isTrace: true))
    }

    /// Reads the log as events. Linear in the size of the file. The kind of a closure becomes the function
    /// that contains it, if the file with its code still exists and has the build ID in the log.
    ///
    /// - Throws: `TraceError` if the file is missing, unreadable or not a trace, or if it is estimated to
    ///   need more memory than is available.
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
        guard !Self.start(descriptor).starts(with: [0x1f, 0x8b]) else {
            // As files of gzip begin (RFC 1952). Profilers write Chrome traces that way.
            throw TraceError(
                .notATrace, path: path,
                reason: "is compressed with gzip: decompress it with gunzip, and read the result")
        }
        let form = Self.form(descriptor)
        let need = MemoryNeed(form, fileSize: Int(status.st_size), isTrace: isTrace)
        try need.check(path, limit: memoryLimit)
        (consumer as? TraceBuilder)?.reserve(operations: need.operations)
        guard form != .json else {
            return try JSONLogReader(path: path, descriptor: descriptor, consumer: consumer).read()
        }
        return try BinaryLogFile(path: path, descriptor: descriptor).read(
            into: consumer, isCompact: form == .compact)
    }

    /// The events of a binary log in memory; `path` is its name for errors.
    ///
    /// - Parameters:
    ///   - isRunning: whether the program is known to be still running.
    ///   - isEndSeen: whether the caller knows how the program ended, and reports it. Then an unclosed log is
    ///     not a loss.
    /// - Throws: `TraceError` if it is not a log.
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

    /// Whether the file contains the binary form of a log, whatever its name is. False without a file.
    package func isBinary() -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        // A log that was not converted to JSON yet exists only in its binary form.
        guard descriptor >= 0 else { return access(path + ".optrace", F_OK) == 0 }
        defer { close(descriptor) }
        return Self.form(descriptor) != .json
    }

    /// The form of the file. JSON is also the answer for unrecognized contents.
    private static func form(_ descriptor: Int32) -> MemoryNeed.Form {
        let bytes = start(descriptor)
        if BinaryLogReader.recognizes(bytes) { return .binary }
        return CompactLogReader.recognizes(bytes) ? .compact : .json
    }

    /// The first bytes of the file, as many as its form takes.
    private static func start(_ descriptor: Int32) -> ArraySlice<UInt8> {
        var start = [UInt8](repeating: 0, count: 8)
        let count = pread(descriptor, &start, start.count, 0)
        return start[..<max(0, count)]
    }

    /// A recorder for `trace.json` writes `trace.json.optrace`, and converts it to JSON when the log is
    /// closed. Nil if that file does not exist.
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
