import Foundation

/// How much more memory this process can get.
package enum AvailableMemory {
    /// In bytes: the minimum of what the machine, the control group and the process's limit allow. Nil if
    /// none of them is known.
    package static var bytes: Int? { [machine, controlGroup, addressSpace].compactMap { $0 }.min() }

    /// The kernel's estimate of what it can give without swapping.
    private static var machine: Int? {
        #if os(Linux)
            field("MemAvailable:", of: "/proc/meminfo").map { $0 << 10 }
        #else
            Int(clamping: ProcessInfo.processInfo.physicalMemory)
        #endif
    }

    /// The limit of the control group, version 2, minus its usage. Cached files do not count, because they
    /// can be dropped.
    private static var controlGroup: Int? {
        guard let groups = contents("/proc/self/cgroup"),
            let name = groups.split(separator: "\n").first(where: { $0.hasPrefix("0::") })?.dropFirst(3)
        else { return nil }
        let folder = "/sys/fs/cgroup" + name
        guard let limit = number(folder + "/memory.max"), let used = number(folder + "/memory.current") else {
            return nil
        }
        let cached = field("file", of: folder + "/memory.stat") ?? 0
        return max(0, limit - max(0, used - cached))
    }

    /// `ulimit -v`, minus what the process has reserved.
    private static var addressSpace: Int? {
        var limit = rlimit()
        #if canImport(Glibc)
            let status = getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        #else
            let status = getrlimit(RLIMIT_AS, &limit)
        #endif
        // The largest number means no limit.
        guard status == 0, limit.rlim_cur < UInt64(Int.max) else { return nil }
        let pages = contents("/proc/self/statm")?.split(separator: " ").first.flatMap { Int($0) } ?? 0
        return max(0, Int(limit.rlim_cur) - pages * Int(getpagesize()))
    }

    /// The number after a word at the beginning of a line.
    private static func field(_ word: String, of path: String) -> Int? {
        guard let text = contents(path) else { return nil }
        // Line by line: what is asked for is among the first of about 50 lines.
        var rest = text[...]
        while !rest.isEmpty {
            let line = rest[..<(rest.utf8.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex)]
            if line.hasPrefix(word) {
                let parts = line.split(separator: " ")
                if parts.count > 1, parts[0] == word { return Int(parts[1]) }
            }
            rest = rest[line.endIndex...].dropFirst()
        }
        return nil
    }

    private static func number(_ path: String) -> Int? {
        contents(path).flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    private static func contents(_ path: String) -> String? {
        try? String(contentsOfFile: path, encoding: .utf8)
    }
}
