import EventLog
import Foundation

/// The files of one log: the binary file that is written while the program runs; and, if the program asked
/// for JSON, the file that is created from it at the end.
final class LogFile: Sendable {
    /// Where the log will be.
    let path: String
    /// The path of the binary file: the same, or `path.optrace` for a log that will be JSON.
    let spool: String
    private let descriptor: Int32
    /// Identifies the binary file: another file may have its name later.
    private let identity: FileIdentity

    /// Opens the binary file for this process alone, and removes an older log of that name. If another
    /// process is writing there, uses `path.PID` instead.
    ///
    /// Files are created with mode 0600, and links are not followed, because the name may come from the
    /// environment. A file of another user is refused. That user could read all of the log, or truncate it
    /// while it is written, which would end the program. A file that others may have opened, or that has
    /// other names, is replaced by a new file.
    init(path: String) throws(RecorderError) {
        // The program may change its working directory before the log ends.
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
        guard ftruncate(descriptor, 0) == 0, let identity = FileIdentity(of: descriptor) else {
            let failure = Self.failure(self.path)
            close(descriptor)
            throw failure
        }
        self.identity = identity
        if spool != self.path { unlink(self.path) }
    }

    /// The file's descriptor, which the caller owns from now on.
    func takeDescriptor() -> Int32 { descriptor }

    /// Removes a file in which no log was begun.
    func discard() {
        if FileIdentity(named: spool) == identity { unlink(spool) }
        close(descriptor)
    }

    /// Converts a sealed log to JSON, if that was requested, and removes the binary file.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor of the binary log. It is closed at the end; until then, its lock keeps
    ///     other processes from writing there.
    ///   - largestConversion: the largest binary log to convert, in bytes.
    /// - Returns: false if the log is larger, and stays binary.
    func finish(_ descriptor: Int32, largestConversion: Int) throws(RecorderError) -> Bool {
        defer {
            // A thread may still have the file mapped, which would keep the lock.
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
        guard spool != path else { return true }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure(spool, .writeFailed) }
        guard FileIdentity(named: spool) == identity else {
            throw RecorderError(
                code: .writeFailed, path: spool,
                reason: "the log was renamed, and another file has its name; no JSON was made of it")
        }
        guard status.st_size <= largestConversion else { return false }
        try JSONConversion(of: descriptor, named: spool, to: path).run()
        // Check again, because a conversion takes time.
        if FileIdentity(named: spool) == identity { unlink(spool) }
        return true
    }

    // MARK: Names

    private static func isBinary(_ path: String) -> Bool { path.hasSuffix(".optrace") }

    private static func spool(of path: String) -> String { isBinary(path) ? path : path + ".optrace" }

    /// `trace.optrace` becomes `trace.PID.optrace`, so that its extension stays. For other names, the process
    /// ID is appended.
    private static func withProcessID(_ path: String) -> String {
        isBinary(path) ? "\(path.dropLast(".optrace".count)).\(getpid()).optrace" : "\(path).\(getpid())"
    }

    // MARK: Opening

    /// Nil when another process holds the lock.
    private static func open(_ spool: String, for path: String) throws(RecorderError) -> Int32? {
        for name in Set([spool, path]) { try expectReplaceable(name, for: path) }
        // A file that is created here belongs to this process, whatever owner a network file system reports.
        if let new = try openOnce(spool, O_CREAT | O_EXCL, for: path) { return locked(new) }
        guard let descriptor = try openOnce(spool, 0, for: path) else { return nil }
        do throws(RecorderError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw RecorderError(code: .cannotCreate, path: path, reason: "not a regular file")
            }
            guard status.st_uid == geteuid() else {
                throw RecorderError(
                    code: .cannotCreate, path: path,
                    reason: "a file of that name belongs to another user, and is not replaced")
            }
            guard let old = locked(descriptor) else { return nil }
            // The process that wrote there may have removed it before it gave up the lock.
            guard FileIdentity(named: spool) == FileIdentity(of: old) else {
                close(old)
                return nil
            }
            guard status.st_mode & 0o077 != 0 || status.st_nlink != 1 else { return old }
            // The old file keeps its other names. Processes that have it open do not see the new one.
            unlink(spool)
            let new = try openOnce(spool, O_CREAT | O_EXCL, for: path)
            close(old)
            return new.flatMap(locked)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Nil when another process holds the lock; the descriptor is closed then.
    private static func locked(_ descriptor: Int32) -> Int32? {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    /// Nil if a new file was requested but a file of that name exists.
    private static func openOnce(
        _ name: String, _ creating: Int32, for path: String
    ) throws(RecorderError) -> Int32? {
        // Non-blocking, so that a name that turns out to be a FIFO cannot hang the program.
        var descriptor = Foundation.open(
            name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | creating, 0o600)
        if (0...2).contains(descriptor) {
            // The descriptor is a standard one that the program closed, and may still write to.
            let low = descriptor
            descriptor = fcntl(low, F_DUPFD_CLOEXEC, 3)
            close(low)
        }
        if descriptor < 0, errno == EEXIST { return nil }
        guard descriptor >= 0 else { throw failure(path) }
        return descriptor
    }

    /// A name from the environment may be a mistake, so only logs and empty files are replaced.
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
                    ? "a file of that name is not a trace, so it is not replaced"
                    : "\(name) is not a trace, so it is not replaced")
        }
    }

    static func failure(_ path: String, _ code: RecorderError.Code = .cannotCreate) -> RecorderError {
        RecorderError(code: code, path: path, reason: String(cString: strerror(errno)))
    }
}

/// Distinguishes a file from every other file of the machine, whatever its names are.
private struct FileIdentity: Equatable {
    private let device: UInt64
    private let inode: UInt64

    init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Nil if no file has that name; a link is not followed.
    init?(named name: String) {
        var status = stat()
        guard lstat(name, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}
