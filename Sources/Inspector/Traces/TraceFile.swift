import EventLog
import Foundation

/// An open file with an event log, in any form. May be read several times.
final class TraceFile {
    let path: String
    /// What the reader of the log should know about the file.
    var notes: [String] = []
    private let descriptor: Int32
    let form: MemoryNeed.Form
    private let need: MemoryNeed

    /// - Throws: `TraceError` if the file is missing or unreadable, or if it is estimated to need more memory
    ///   than is available.
    init(path: String, for use: MemoryNeed.Use, memoryLimit: Int?) throws(TraceError) {
        self.path = path
        var opened = open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw Self.failure(path, errno) }
        do throws(TraceError) {
            var status = stat()
            guard fstat(opened, &status) == 0 else { throw Self.failure(path, errno) }
            let sort = status.st_mode & S_IFMT
            guard sort != S_IFDIR else {
                throw TraceError(.unreadable, path: path, reason: "is a directory, not a trace")
            }
            // Its first bytes tell the form, and it may be read twice.
            if sort == S_IFIFO {
                let copy = try Self.copy(of: opened, path)
                close(opened)
                opened = copy
                guard fstat(opened, &status) == 0 else { throw Self.failure(path, errno) }
            }
            guard !Self.start(opened).starts(with: [0x1f, 0x8b]) else {
                // As files of gzip begin (RFC 1952). Profilers write Chrome traces that way.
                throw TraceError(
                    .notATrace, path: path,
                    reason: "is compressed with gzip: decompress it with gunzip, and read the result")
            }
            form = Self.form(opened)
            need = MemoryNeed(form, fileSize: Int(status.st_size), for: use)
            try need.check(path, limit: memoryLimit)
        } catch {
            close(opened)
            throw error
        }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Passes the events to `consumer`. Linear in the size of the file.
    ///
    /// - Throws: `TraceError` if the file cannot be read, or is not a trace.
    func read(into consumer: any EventConsumer) throws(TraceError) -> ReadLog {
        (consumer as? TraceBuilder)?.reserve(operations: need.operations)
        // To read it again.
        lseek(descriptor, 0, SEEK_SET)
        var log =
            switch form {
            case .json:
                try JSONLogReader(path: path, descriptor: descriptor, consumer: consumer).read()
            case .binary, .compact:
                try BinaryLogFile(path: path, descriptor: descriptor).read(
                    into: consumer, isCompact: form == .compact)
            }
        log.notes += notes
        return log
    }

    /// What comes through a pipe, in a file without a name.
    private static func copy(of descriptor: Int32, _ path: String) throws(TraceError) -> Int32 {
        guard let file = tmpfile() else { throw failure(path, errno) }
        defer { fclose(file) }
        let copy = fcntl(fileno(file), F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw failure(path, errno) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count == 0 { break }
            if count < 0, errno == EINTR { continue }
            guard count > 0, WholeBytes.write(Array(buffer[..<count]), to: copy) else {
                let reason = errno
                close(copy)
                throw failure(path, reason)
            }
        }
        lseek(copy, 0, SEEK_SET)
        return copy
    }

    /// JSON is also the answer for unrecognized contents.
    static func form(_ descriptor: Int32) -> MemoryNeed.Form {
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

    private static func failure(_ path: String, _ code: Int32) -> TraceError {
        if code == ENOENT || code == ENOTDIR {
            return TraceError(.noSuchFile, path: path, reason: "no such file")
        }
        return TraceError(.unreadable, path: path, reason: String(cString: strerror(code)))
    }
}
