import Foundation
import Inspector

/// A history on disk: one line per run, only ever appended to, by any number of programs at once.
struct HistoryFile {
    /// Enough for about 100,000 runs.
    private static let largest = 1 << 30

    let path: String

    /// - Throws: `CommandError` if the file does not exist, or cannot be read.
    func read() throws -> RunHistory {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let isMissing = errno == ENOENT
            throw CommandError(
                isMissing ? .noInput : .inputOutput,
                "\(path): " + (isMissing ? "no such file" : "cannot be read: \(reason)"))
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // Wait until a writer has finished.
        lock(descriptor, LOCK_SH)
        guard let data = try? file.read(upToCount: Self.largest + 1) ?? Data() else {
            throw CommandError(.inputOutput, "\(path): cannot be read")
        }
        guard data.count <= Self.largest else {
            throw CommandError(.inputOutput, "\(path): is larger than 1 GiB, the limit for a history")
        }
        return RunHistory(Array(data))
    }

    /// Appends each line with a single call, while no other program appends. Removes a line that could not be
    /// written completely.
    ///
    /// If a crash left a truncated last line, it stays as it is, on a line of its own.
    ///
    /// - Returns: whether there was such a line.
    /// - Throws: `CommandError` if the file cannot be created or written, or is not a file.
    func append(_ entries: [HistoryEntry]) throws -> Bool {
        // If this fails, opening the file fails too, and reports why.
        _ = OutputFolder.make(OutputFolder.parent(of: path))
        let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw CommandError(.cannotCreate, "\(path): cannot be opened or created: \(reason)")
        }
        defer { close(descriptor) }
        lock(descriptor, LOCK_EX)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CommandError(
                .cannotCreate, "\(path): cannot be appended to, because it is not a regular file")
        }
        guard status.st_size == 0 || holdsEntry(descriptor) else {
            throw CommandError(.usage, "\(path): is not a history: its first lines contain no run")
        }
        var last: UInt8 = 0
        let isTorn =
            status.st_size > 0 && pread(descriptor, &last, 1, status.st_size - 1) == 1
            && last != UInt8(ascii: "\n")
        var start = isTorn ? [UInt8(ascii: "\n")] : []
        for entry in entries {
            let line = start + entry.line + [UInt8(ascii: "\n")]
            start = []
            let written = line.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard written == line.count else {
                let failure = written < 0 ? reason : "no space left"
                if written > 0 { ftruncate(descriptor, lseek(descriptor, 0, SEEK_END) - off_t(written)) }
                throw CommandError(.inputOutput, "\(path): cannot be written: \(failure)")
            }
        }
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw CommandError(.inputOutput, "\(path): cannot be written: \(reason)")
        }
        return isTorn
    }

    /// Whether one of the first lines is a run. A damaged line or two do not matter.
    private func holdsEntry(_ descriptor: Int32) -> Bool {
        let size = 1 << 20
        let start = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
        }
        return !RunHistory(start).entries.isEmpty
    }

    /// Locks the file until it is closed. A file system without locks still appends whole lines.
    private func lock(_ descriptor: Int32, _ kind: Int32) {
        while flock(descriptor, kind) != 0 && errno == EINTR {}
    }

    private var reason: String { String(cString: strerror(errno)) }
}
