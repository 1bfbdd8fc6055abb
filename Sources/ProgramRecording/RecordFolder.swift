import CRecordHost
import Foundation

/// The folder of a recording's socket, `/tmp/opviz-USER/NUMBER`, with the lowest number that nothing uses.
///
/// Its path is in the environment of all recorded processes. SwiftPM evaluates every manifest again if any
/// variable has a new value, and keeps the result: so the path must not be a new one each time.
struct RecordFolder {
    /// Recordings of a user at the same time, and the processes that earlier ones left running, seldom need
    /// more. All others get a random name.
    private static let count = 64
    /// The environment variable with the path of the socket.
    static let variable = "OPVIZ_RECORD"

    let path: String
    private let parent: String
    /// Keeps others out of the folder as long as it is open, even if opviz crashes; -1 for a random name.
    private let lock: Int32
    var socket: String { path + "/socket" }

    /// - Parameter temporary: where the user's recordings have their common folder.
    /// - Throws: `RecordingError` if no folder can be created.
    init(in temporary: String = TemporaryFolder.parent) throws {
        // One folder has one name, by which the processes that use it are found.
        let resolved = realpath(temporary, nil)
        defer { free(resolved) }
        parent = "\(resolved.map { String(cString: $0) } ?? temporary)/opviz-\(geteuid())"
        var (number, attempts) = (1, Self.attempts)
        search: while number <= Self.count {
            let path = "\(parent)/\(number)"
            do throws(Obstacle) {
                let lock = try Self.claim(path, in: parent)
                (self.path, self.lock) = (path, lock)
                // Of a recording that crashed.
                unlink(socket)
                return
            } catch .used {
                number += 1
            } catch .removed where attempts > 0 {
                attempts -= 1
            } catch { break search }
        }
        (path, lock) = (try TemporaryFolder.make("opviz", in: temporary), -1)
    }

    /// Why a folder cannot be used. `removed`: by its last owner, at the same moment.
    private enum Obstacle: Error { case used, removed, notPossible }

    /// How often to try again what another recording removed at the same moment.
    private static let attempts = 16

    /// Creates a folder, and returns a descriptor that locks it.
    private static func claim(_ path: String, in parent: String) throws(Obstacle) -> Int32 {
        try makePrivate(parent, or: .notPossible)
        try makePrivate(path, or: .used)
        let lock = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard lock >= 0 else { throw errno == ENOENT ? .removed : .notPossible }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            let isUsed = errno == EWOULDBLOCK
            close(lock)
            // Not every file system can lock a folder.
            if !isUsed { rmdir(path) }
            throw isUsed ? .used : .notPossible
        }
        guard isOpen(lock, at: path) else {
            close(lock)
            throw .removed
        }
        // What an earlier recording left running would start programs that take part in this one.
        guard !record_host_is_in_environments("\(variable)=\(path)/socket") else {
            rmdir(path)
            close(lock)
            throw .used
        }
        return lock
    }

    /// Call this once, after the socket was removed.
    func remove() {
        rmdir(path)
        guard lock >= 0 else { return }
        close(lock)
        // Other recordings may still be in it.
        rmdir(parent)
    }

    /// Creates a folder in which nobody else can change anything, or takes the one that exists.
    private static func makePrivate(_ path: String, or obstacle: Obstacle) throws(Obstacle) {
        mkdir(path, 0o700)
        var status = stat()
        guard lstat(path, &status) == 0 else { throw errno == ENOENT ? .removed : obstacle }
        let isPrivate = status.st_uid == geteuid() && status.st_mode & 0o077 == 0
        guard isPrivate, status.st_mode & S_IFMT == S_IFDIR else { throw obstacle }
    }

    private static func isOpen(_ descriptor: Int32, at path: String) -> Bool {
        var (opened, found) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0, lstat(path, &found) == 0 else { return false }
        return (opened.st_dev, opened.st_ino) == (found.st_dev, found.st_ino)
    }
}
