import Foundation

/// The file of one log: opened for this process alone, written at its end, its header written again in place.
final class LogFile: Sendable {
    let path: String
    private let descriptor: Int32

    /// Opens `path` for writing and empties it. Where another process is writing there, takes `path.PID` instead.
    ///
    /// The file is created with mode 0600 and a link is not followed: its name may come from the environment.
    init(path: String) throws(RecorderError) {
        if let descriptor = try Self.open(path) {
            self.path = path
            self.descriptor = descriptor
        } else {
            let own = "\(path).\(getpid())"
            guard let descriptor = try Self.open(own) else {
                throw RecorderError(
                    code: .cannotCreate, path: own, reason: "another process is writing to it")
            }
            self.path = own
            self.descriptor = descriptor
        }
        guard ftruncate(descriptor, 0) == 0 else { throw Self.failure(self.path) }
    }

    deinit { close(descriptor) }

    /// Appends `bytes`, all of them or an error.
    func append(_ bytes: [UInt8]) throws(RecorderError) {
        guard Self.writeAll(bytes, { write(descriptor, $0, $1) }) else {
            throw Self.failure(path, .writeFailed)
        }
    }

    /// Writes over what stands at the start of the file.
    func replaceStart(with bytes: [UInt8]) throws(RecorderError) {
        var offset: off_t = 0
        let isWritten = Self.writeAll(bytes) { start, count in
            let written = pwrite(descriptor, start, count, offset)
            offset += off_t(max(0, written))
            return written
        }
        guard isWritten else { throw Self.failure(path, .writeFailed) }
    }

    /// Nil when another process holds the lock.
    private static func open(_ path: String) throws(RecorderError) -> Int32? {
        // Non-blocking, so that a name that turns out to be a FIFO cannot hang the program.
        let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let descriptor = Foundation.open(path, flags, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw RecorderError(code: .cannotCreate, path: path, reason: "not a regular file")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func writeAll(
        _ bytes: [UInt8], _ write: (UnsafeRawPointer, Int) -> Int
    ) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let written = rest.withUnsafeBytes { write($0.baseAddress!, $0.count) }
                if written < 0 && errno == EINTR { continue }
                guard written > 0 else { return false }
                rest = rest.dropFirst(written)
            }
            return true
        }
    }

    private static func failure(
        _ path: String, _ code: RecorderError.Code = .cannotCreate
    ) -> RecorderError {
        RecorderError(code: code, path: path, reason: String(cString: strerror(errno)))
    }
}
