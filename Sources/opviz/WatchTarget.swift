import Foundation
import Inspector

/// The log that somebody means who names a file, a folder of logs, or a process.
struct WatchTarget {
    private let name: String

    /// What is to be opened.
    struct Found {
        let path: String
        /// What it is called when the program has ended; nil for what is gone then.
        let name: String?
        /// It is memory that `opviz record` holds.
        var isMemory = false
        /// What the reader should know of the choice.
        var note: String?
    }

    init(_ name: String) { self.name = name }

    /// The log to follow. Nil where there is none yet under that name.
    ///
    /// - Throws: `CommandError` where there is none, and none can come.
    func find() throws -> Found? {
        var status = stat()
        if stat(name, &status) == 0 {
            return status.st_mode & S_IFMT == S_IFDIR ? try newest() : Found(path: name, name: name)
        }
        // A program that was told to write trace.json writes that beside it until it ends.
        if access(name + ".optrace", F_OK) == 0 { return Found(path: name + ".optrace", name: name) }
        if let process = Int32(name), process > 0 { return try log(of: process) }
        return nil
    }

    /// Of a folder, the one that was written to last, of those that somebody writes to.
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

    /// The recorder holds a lock on the file for as long as it writes.
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
                throw CommandError(.noInput, "\(name): no file or process has that name")
            }
            if let own = try openLogs(of: process).first { return own }
            // Where that is another user's, it is no opviz record of ours.
            if let parent = Self.parent(of: process), let logs = try? openLogs(of: parent) {
                for held in logs where held.isMemory {
                    if try LiveLog(path: held.path, isMemory: true)?.header.processID == process {
                        return held
                    }
                }
            }
            throw CommandError(
                .noInput,
                "process \(process) does not write a log: start it with OPVIZ_TRACE=trace.optrace, or under "
                    + "opviz record"
            )
        #else
            throw CommandError(.noInput, "\(name): no such file")
        #endif
    }

    /// What a process has open that is a log, or the memory of one.
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

    private static func parent(of process: Int32) -> Int32? {
        let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("PPid:") }
        return line?.split(separator: "\t").last.flatMap { Int32($0) }
    }
}
