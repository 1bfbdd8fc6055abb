import EventLog
import Foundation

/// The files of one log: the binary one that is written while the program runs, and, where the program asked for
/// JSON, the one that is made of it in the end.
final class LogFile: Sendable {
    /// Where the log will be.
    let path: String
    /// Where it is written: the same, or `path.optrace` for a log that will be JSON.
    let spool: String
    private let descriptor: Int32

    /// Opens the binary file for this process alone, and removes an older log of that name. Where another process is
    /// writing there, takes `path.PID` instead.
    ///
    /// Files are created with mode 0600 and links are not followed: the name may come from the environment.
    init(path: String) throws(RecorderError) {
        // The program may go to another folder before the log ends.
        let folder = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
        guard folder != "/" || FileManager.default.currentDirectoryPath == "/" else {
            throw RecorderError(code: .cannotCreate, path: path, reason: "the working directory is gone")
        }
        let path = folder + path
        let own = Self.withProcessID(path)
        if let descriptor = try Self.open(Self.spool(of: path), for: path) {
            self.path = path
            self.descriptor = descriptor
        } else if let descriptor = try Self.open(Self.spool(of: own), for: own) {
            self.path = own
            self.descriptor = descriptor
        } else {
            throw RecorderError(code: .cannotCreate, path: own, reason: "another process is writing to it")
        }
        spool = Self.spool(of: self.path)
        guard ftruncate(descriptor, 0) == 0 else { throw Self.failure(self.path) }
        if spool != self.path { unlink(self.path) }
    }

    /// The file's descriptor, which is the caller's from now on.
    func takeDescriptor() -> Int32 { descriptor }

    /// Takes a file away that no log was begun in.
    func discard() {
        close(descriptor)
        unlink(spool)
    }

    /// Makes JSON of a sealed log, where that was asked for, and removes the binary one.
    ///
    /// - Parameter largestConversion: a larger binary log is left, in bytes.
    /// - Returns: false where it was.
    func finish(largestConversion: Int) throws(RecorderError) -> Bool {
        guard spool != path else { return true }
        var status = stat()
        guard stat(spool, &status) == 0 else { throw Self.failure(spool, .writeFailed) }
        guard status.st_size <= largestConversion else { return false }
        try JSONConversion(from: spool, to: path).run()
        unlink(spool)
        return true
    }

    // MARK: Names

    private static func isBinary(_ path: String) -> Bool { path.hasSuffix(".optrace") }

    private static func spool(of path: String) -> String { isBinary(path) ? path : path + ".optrace" }

    /// `trace.optrace` becomes `trace.PID.optrace`, so that it is still known by its ending; others get it at the end.
    private static func withProcessID(_ path: String) -> String {
        isBinary(path) ? "\(path.dropLast(".optrace".count)).\(getpid()).optrace" : "\(path).\(getpid())"
    }

    // MARK: Opening

    /// Nil when another process holds the lock.
    private static func open(_ spool: String, for path: String) throws(RecorderError) -> Int32? {
        for name in Set([spool, path]) { try expectReplaceable(name, for: path) }
        // Non-blocking, so that a name that turns out to be a FIFO cannot hang the program.
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        var descriptor = Foundation.open(spool, flags, 0o600)
        if (0...2).contains(descriptor) {
            // A standard descriptor that the program closed, and will write to all the same.
            let low = descriptor
            descriptor = fcntl(low, F_DUPFD_CLOEXEC, 3)
            close(low)
        }
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

    /// A name from the environment may be a mistake: only logs and empty files are replaced.
    private static func expectReplaceable(_ name: String, for path: String) throws(RecorderError) {
        var status = stat()
        guard lstat(name, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw RecorderError(code: .cannotCreate, path: path, reason: "not a regular file")
        }
        guard status.st_size > 0 else { return }
        let descriptor = Foundation.open(name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var start = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &start, start.count)
        let bytes = start[..<max(0, count)]
        // A log that was begun a moment ago has no magic yet.
        guard
            BinaryLogReader.recognizes(bytes) || CompactLogReader.recognizes(bytes)
                || LogHeader.recognizesJSON(bytes)
                || (isBinary(name) && bytes.allSatisfy { $0 == 0 })
        else {
            throw RecorderError(
                code: .cannotCreate, path: path,
                reason: name == path
                    ? "a file of that name is no trace, and is not replaced"
                    : "\(name) is no trace, and is not replaced")
        }
    }

    static func failure(_ path: String, _ code: RecorderError.Code = .cannotCreate) -> RecorderError {
        RecorderError(code: code, path: path, reason: String(cString: strerror(errno)))
    }
}
