import EventLog
import Foundation

/// The files of one log: the binary one that is written while the program runs, and, where the program asked
/// for JSON, the one that is made of it in the end.
final class LogFile: Sendable {
    /// Where the log will be.
    let path: String
    /// Where it is written: the same, or `path.optrace` for a log that will be JSON.
    let spool: String
    private let descriptor: Int32
    /// Of the binary file: what is found under its name later may be another.
    private let identity: FileIdentity

    /// Opens the binary file for this process alone, and removes an older log of that name. Where another
    /// process is writing there, takes `path.PID` instead.
    ///
    /// Files are created with mode 0600 and links are not followed: the name may come from the environment. A
    /// file of another user is refused, who could read it all, or cut it while it is written, which would end
    /// the program. One that others may have opened, or that has other names, is not written to: a new one
    /// takes its name.
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
        guard ftruncate(descriptor, 0) == 0, let identity = FileIdentity(of: descriptor) else {
            let failure = Self.failure(self.path)
            close(descriptor)
            throw failure
        }
        self.identity = identity
        if spool != self.path { unlink(self.path) }
    }

    /// The file's descriptor, which is the caller's from now on.
    func takeDescriptor() -> Int32 { descriptor }

    /// Takes a file away that no log was begun in.
    func discard() {
        if FileIdentity(named: spool) == identity { unlink(spool) }
        close(descriptor)
    }

    /// Makes JSON of a sealed log, where that was asked for, and removes the binary one.
    ///
    /// - Parameters:
    ///   - descriptor: of the binary log, which is closed in the end. Its lock keeps others from writing
    ///     there meanwhile.
    ///   - largestConversion: a larger binary log is left, in bytes.
    /// - Returns: false where it was.
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
        // Looked at again, since a conversion takes time.
        if FileIdentity(named: spool) == identity { unlink(spool) }
        return true
    }

    // MARK: Names

    private static func isBinary(_ path: String) -> Bool { path.hasSuffix(".optrace") }

    private static func spool(of path: String) -> String { isBinary(path) ? path : path + ".optrace" }

    /// `trace.optrace` becomes `trace.PID.optrace`, so that it is still known by its ending; others get it at
    /// the end.
    private static func withProcessID(_ path: String) -> String {
        isBinary(path) ? "\(path.dropLast(".optrace".count)).\(getpid()).optrace" : "\(path).\(getpid())"
    }

    // MARK: Opening

    /// Nil when another process holds the lock.
    private static func open(_ spool: String, for path: String) throws(RecorderError) -> Int32? {
        for name in Set([spool, path]) { try expectReplaceable(name, for: path) }
        // A file that is made here is ours, whatever owner a network's file system gives it.
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
            // Whoever wrote there may have removed it before giving up the lock.
            guard FileIdentity(named: spool) == FileIdentity(of: old) else {
                close(old)
                return nil
            }
            guard status.st_mode & 0o077 != 0 || status.st_nlink != 1 else { return old }
            // Its other names keep it, and whoever has it open sees nothing of the new one.
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

    /// Nil where a new file was asked for and there is one of that name.
    private static func openOnce(
        _ name: String, _ creating: Int32, for path: String
    ) throws(RecorderError) -> Int32? {
        // Non-blocking, so that a name that turns out to be a FIFO cannot hang the program.
        var descriptor = Foundation.open(
            name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | creating, 0o600)
        if (0...2).contains(descriptor) {
            // A standard descriptor that the program closed, and will write to all the same.
            let low = descriptor
            descriptor = fcntl(low, F_DUPFD_CLOEXEC, 3)
            close(low)
        }
        if descriptor < 0, errno == EEXIST { return nil }
        guard descriptor >= 0 else { throw failure(path) }
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
                    ? "a file of that name is not a trace, so it is not replaced"
                    : "\(name) is not a trace, so it is not replaced")
        }
    }

    static func failure(_ path: String, _ code: RecorderError.Code = .cannotCreate) -> RecorderError {
        RecorderError(code: code, path: path, reason: String(cString: strerror(errno)))
    }
}

/// What tells a file from every other of the machine, whatever its names are.
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
