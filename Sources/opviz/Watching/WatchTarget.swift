import Foundation
import Inspector
import ProgramRecording

/// Finds the log for a name: a file, a folder of logs, or a process.
struct WatchTarget {
    private let name: String

    /// The log to open.
    struct Found {
        let path: String
        /// The name after the program has ended; nil if the log will be gone then.
        let name: String?
        /// Whether it is memory that `opviz record` holds.
        var isMemory = false
        /// A note about the choice.
        var note: String?
    }

    /// A process that writes no log.
    struct NotRecorded: Error {
        let process: Int32
    }

    init(_ name: String) { self.name = name }

    /// The log to follow. Nil if the log does not exist yet.
    ///
    /// - Throws: `CommandError` if a log with that name does not exist and cannot appear; `NotRecorded` for
    ///   the number of a process without one.
    func find() throws -> Found? {
        var status = stat()
        if stat(name, &status) == 0 {
            return status.st_mode & S_IFMT == S_IFDIR ? try newest() : Found(path: name, name: name)
        }
        // A program that writes trace.json at its end writes this file beside it until then.
        if access(name + ".optrace", F_OK) == 0 { return Found(path: name + ".optrace", name: name) }
        if let process = Int32(name), process > 0 { return try log(of: process) }
        return nil
    }

    /// In a folder, the log that was written to last, among those that are being written.
    private func newest() throws -> Found? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: name)) ?? []
        let logs = names.filter { $0.hasSuffix(".optrace") }.sorted().map { file in
            let path = (name as NSString).appendingPathComponent(file)
            var status = stat()
            stat(path, &status)
            let time = status.st_mtim
            return (path: path, isWritten: isLocked(path), time: (time.tv_sec, time.tv_nsec))
        }
        let written = logs.filter(\.isWritten)
        guard let newest = (written.isEmpty ? logs : written).max(by: { $0.time < $1.time }) else {
            return nil
        }
        var found = Found(path: newest.path, name: newest.path)
        if written.count > 1 {
            found.note = "\(newest.path) of \(Prose.grouped(written.count)) logs being written in \(name)"
        }
        return found
    }

    /// The recorder holds a lock on the file as long as it writes.
    private func isLocked(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
        flock(descriptor, LOCK_UN)
        return false
    }

    // MARK: Processes

    /// The log that a process has open, or that `opviz record` holds for it.
    private func log(of process: Int32) throws -> Found? {
        #if os(Linux)
            guard access("/proc/\(process)", F_OK) == 0 else {
                throw CommandError(.noInput, "\(name): no such file, and no process with that ID")
            }
            if let own = try openLogs(of: process).first { return own }
            // The parent may belong to another user; then it is not our `opviz record`.
            if let parent = ProcessTree.parent(of: process), let logs = try? openLogs(of: parent) {
                for held in logs where held.isMemory {
                    if try LiveLog(path: held.path, isMemory: true)?.header.processID == process {
                        return held
                    }
                }
            }
            throw NotRecorded(process: process)
        #else
            throw CommandError(.noInput, "\(name): no such file")
        #endif
    }

    /// The files that a process has open and that are logs, or memory with a log.
    private func openLogs(of process: Int32) throws -> [Found] {
        let folder = "/proc/\(process)/fd"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            guard access("/proc/\(process)", F_OK) == 0 else {
                throw CommandError(.noInput, "process \(process) has just ended")
            }
            throw CommandError(
                .inputOutput, "\(folder): cannot be read: the process is another user's, or protected")
        }
        return names.compactMap { Int($0) }.sorted().compactMap { number in
            let path = "\(folder)/\(number)"
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
                return nil
            }
            if target.hasPrefix("/memfd:opviz ") { return Found(path: path, name: nil, isMemory: true) }
            if target.hasSuffix(".optrace") { return Found(path: path, name: target) }
            return target.hasSuffix(".optrace (deleted)") ? Found(path: path, name: nil) : nil
        }
    }
}
