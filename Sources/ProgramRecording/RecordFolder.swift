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
        parent = "\(temporary)/opviz-\(geteuid())"
        for number in 1...Self.count {
            let path = "\(parent)/\(number)"
            guard Self.makePrivate(parent) else { break }
            guard Self.makePrivate(path) else { continue }
            let lock = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard lock >= 0 else { break }
            // The owner may have removed the folder after it was opened.
            let isOurs = flock(lock, LOCK_EX | LOCK_NB) == 0 && Self.isOpen(lock, at: path)
            // What an earlier recording left running would start programs that take part in this one.
            guard isOurs, !record_host_is_in_environments("\(Self.variable)=\(path)/socket") else {
                if isOurs { rmdir(path) }
                close(lock)
                continue
            }
            (self.path, self.lock) = (path, lock)
            // Of a recording that crashed.
            unlink(socket)
            return
        }
        (path, lock) = (try TemporaryFolder.make("opviz", in: temporary), -1)
    }

    /// Call this once, after the socket was removed.
    func remove() {
        rmdir(path)
        guard lock >= 0 else { return }
        close(lock)
        // Other recordings may still be in it.
        rmdir(parent)
    }

    /// Returns whether nobody else can change what is in the folder.
    private static func makePrivate(_ path: String) -> Bool {
        mkdir(path, 0o700)
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
    }

    private static func isOpen(_ descriptor: Int32, at path: String) -> Bool {
        var (opened, found) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0, lstat(path, &found) == 0 else { return false }
        return (opened.st_dev, opened.st_ino) == (found.st_dev, found.st_ino)
    }
}
