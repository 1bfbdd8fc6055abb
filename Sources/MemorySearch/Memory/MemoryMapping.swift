import CRecordHost
import EventLog
import Foundation

/// A stretch of a process's address space, as the kernel lists it.
struct MemoryMapping {
    let start: UInt64
    let end: UInt64
    let isReadable: Bool
    let isWritable: Bool
    let isExecutable: Bool
    let isShared: Bool
    /// Where it begins in its file.
    let offset: UInt64
    /// The file's path, a name of the kernel's such as `[stack]`, or empty.
    let name: String

    /// Whether nobody can read it, which thread libraries use to find overflows of the stack that ends there.
    var isGuard: Bool { !isReadable && !isWritable }
    var isAnonymous: Bool { name.isEmpty || name.hasPrefix("[anon:") }

    /// Nil for a line in another form.
    init?(line: Substring) {
        // 7f1c-7f1d rw-p 00000000 00:00 0      /path with spaces
        let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        guard fields.count >= 5 else { return nil }
        let bounds = fields[0].split(separator: "-")
        guard bounds.count == 2, let start = UInt64(bounds[0], radix: 16),
            let end = UInt64(bounds[1], radix: 16), start < end, let offset = UInt64(fields[2], radix: 16)
        else { return nil }
        (self.start, self.end, self.offset) = (start, end, offset)
        isReadable = fields[1].contains("r")
        isWritable = fields[1].contains("w")
        isExecutable = fields[1].contains("x")
        isShared = fields[1].contains("s")
        name = fields.count > 5 ? String(fields[5].drop { $0 == " " }) : ""
    }

    /// Those of a process, by their addresses; nil if the kernel does not show them.
    static func all(of process: Int32) -> [MemoryMapping]? {
        guard let text = ProcessFile.text("/proc/\(process)/maps"), !text.isEmpty else { return nil }
        return text.split(separator: "\n").compactMap(MemoryMapping.init)
    }
}

extension MemoryMapping {
    /// The path of its file as the process knew it.
    var path: String { RemovedFile.path(name) }

    /// Where its file can be read, also after it was removed; nil for memory without a file.
    func file(of process: Int32) -> String? {
        guard name.hasPrefix("/") else { return nil }
        if path == name { return "/proc/\(process)/root\(name)" }
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
        return name == program
            ? "/proc/\(process)/exe"
            : "/proc/\(process)/map_files/\(String(start, radix: 16))-\(String(end, radix: 16))"
    }

    /// Where variables are in a process. Nil if the first of them is not found in the library, nor in the
    /// program.
    ///
    /// - Parameter library: a part of its name.
    static func addresses(
        ofVariables variables: [String], inLibrary library: String, of process: Int32,
        _ mappings: [MemoryMapping]
    ) -> [UInt64?]? {
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
        var isSeen: Set<String> = []
        for mapping in mappings where mapping.name.contains(library) || mapping.name == program {
            guard isSeen.insert(mapping.name).inserted, let file = mapping.file(of: process) else { continue }
            let places = ELFFile.addresses(
                ofVariables: variables, inFile: file, loaded: (mapping.offset, mapping.start))
            if places.first ?? nil != nil { return places }
        }
        return nil
    }
}

/// Files of a process that were removed, or replaced, while it runs.
package enum RemovedFile {
    /// What the kernel adds to their names.
    private static let mark = " (deleted)"

    /// The path as the process knew it, of any file.
    package static func path(_ name: String) -> String {
        name.hasSuffix(mark) ? String(name.dropLast(mark.count)) : name
    }
}

/// Files in which the kernel tells about a process. They have no size, so they are read up to their end.
enum ProcessFile {
    static func text(_ path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        do {
            return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        } catch {
            return nil
        }
    }
}

/// The memory of a process, whether it stands still or not.
enum ProcessMemory {
    /// The bytes at an address; nothing if one of them cannot be read.
    static func bytes(_ process: Int32, _ address: UInt64, _ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, size in
            var copy = UnsafeMutableRawPointer(bytes.baseAddress)
            let copied = stopped_process_copy(process, [address], [UInt64(count)], 1, &copy)
            size = copied == count ? count : 0
        }
    }
}
