import EventLog
import Foundation
import Ops

/// The data of a download so far: `<destination>.partial`, and beside it a note about the file that it is a
/// part of.
///
/// The download that has it open holds the file's lock, so only one download writes to a destination at a
/// time, even across processes. The note exists only while every byte of the file belongs to the version in
/// it, so a process may end at any time.
final class PartialFile: Sendable {
    /// What the bytes are a part of.
    struct Note: Codable, Equatable {
        let url: String
        /// An entity tag or a date, for `If-Range`.
        let validator: String
    }

    let path: String
    private let destination: String
    private let descriptor: Int32
    private let count: Locked<Int64>

    private var notePath: String { path + ".json" }

    /// Opens the partial file of an earlier download, or creates one. The folder must exist.
    init(destination: URL) throws(FileFailure) {
        self.destination = destination.path
        path = destination.path + ".partial"
        descriptor = try PartialFile.openLocked(path)
        count = Locked(Int64(lseek(descriptor, 0, SEEK_END)))
    }

    deinit { close(descriptor) }

    /// Releases the destination for others. Call this last.
    func unlock() { flock(descriptor, LOCK_UN) }

    /// The size in bytes.
    var size: Int64 { count.withLock { $0 } }

    /// What the bytes are a part of. Nil if that is not known; the bytes are then useless.
    var note: Note? {
        guard let data = FileManager.default.contents(atPath: notePath) else { return nil }
        return try? JSONDecoder().decode(Note.self, from: data)
    }

    /// Drops the bytes. Those that follow belong to the version in `note`.
    func begin(_ note: Note?) throws(FileFailure) {
        unlink(notePath)
        // Not if it is empty: a device cannot be truncated.
        if size > 0 && ftruncate(descriptor, 0) != 0 { throw FileFailure("truncate", path) }
        lseek(descriptor, 0, SEEK_SET)
        count.withLock { $0 = 0 }
        guard let note, let data = try? JSONEncoder().encode(note) else { return }
        // The URL may contain secrets. A truncated note does not count.
        let file = open(notePath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw FileFailure("create", notePath) }
        defer { close(file) }
        if !WholeBytes.write(data, to: file) { throw FileFailure("write", notePath) }
    }

    func append(_ data: Data) throws(FileFailure) {
        guard WholeBytes.write(data, to: descriptor) else {
            throw FileFailure("write", path)
        }
        count.withLock { $0 += Int64(data.count) }
    }

    /// Moves the complete file to the destination, atomically.
    func moveToDestination() throws(FileFailure) {
        guard fsync(descriptor) == 0 else { throw FileFailure("flush", path) }
        guard rename(path, destination) == 0 else { throw FileFailure("replace", destination) }
        unlink(notePath)
    }

    /// The download has ended early: removes the file, unless it can be resumed.
    func leave() {
        guard size == 0 || note == nil else { return }
        unlink(notePath)
        unlink(path)
    }

    /// Removes the partial file and the note for `destination`, if they exist.
    static func remove(for destination: URL) throws(FileFailure) {
        guard access(destination.path + ".partial", F_OK) == 0 else { return }
        let file = try PartialFile(destination: destination)
        unlink(file.notePath)
        unlink(file.path)
    }

    private static func openLocked(_ path: String) throws(FileFailure) -> Int32 {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw FileFailure("create", path) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let failure = FileFailure("lock", path)
                close(descriptor)
                throw failure
            }
            // Its former holder may have moved it away meanwhile.
            var (own, current) = (stat(), stat())
            if fstat(descriptor, &own) == 0 && stat(path, &current) == 0 && own.st_ino == current.st_ino {
                return descriptor
            }
            close(descriptor)
        }
    }
}

/// A failed system call.
struct FileFailure: Error {
    let code: POSIXErrorCode
    let reason: String
    let isBusy: Bool

    /// Takes the reason from `errno`.
    init(_ action: String, _ path: String) {
        let number = errno
        code = POSIXErrorCode(rawValue: number) ?? .EIO
        isBusy = action == "lock" && number == EWOULDBLOCK
        reason =
            isBusy
            ? "another download writes to \(path)"
            : "cannot \(action) \(path): \(String(cString: strerror(number)))"
    }
}
