import Foundation

/// A process and everything that it started, from /proc. Linux only; elsewhere nothing is known.
package struct ProcessTree {
    /// A process, told apart from a later one with the same number.
    struct Member: Hashable {
        let process: pid_t
        /// Ticks since the machine started.
        let start: UInt64
        let hasEnded: Bool
    }

    /// Each after the one that started it.
    private(set) var members: [Member] = []
    /// How long all of them have been on processors together, with child processes that ended. Nanoseconds.
    private(set) var timeOnCPU: Int64 = 0

    /// Linear in the processes of the machine.
    init(of root: pid_t) {
        var children: [pid_t: [pid_t]] = [:]
        var found: [pid_t: Fields] = [:]
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for process in names.lazy.compactMap({ pid_t($0) }) {
            guard let fields = Fields(process) else { continue }
            found[process] = fields
            children[fields.parent, default: []].append(process)
        }
        var rest = [root]
        while let process = rest.popLast() {
            guard let fields = found.removeValue(forKey: process) else { continue }
            members.append(Member(process: process, start: fields.start, hasEnded: fields.hasEnded))
            timeOnCPU += fields.timeOnCPU
            rest += children[process] ?? []
        }
    }

    /// The running one that started last; of several that started at once, the innermost.
    var newest: Int32? {
        members.enumerated().filter { !$0.element.hasEnded }
            .max { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }?.element.process
    }

    /// Sends a signal to those that still exist.
    func signal(_ number: Int32) {
        for member in members where Self.exists(member) { kill(member.process, number) }
    }

    /// Whether any still exists and has not ended.
    var isAlive: Bool { members.contains(where: Self.exists) }

    private static func exists(_ member: Member) -> Bool {
        Fields(member.process).map { $0.start == member.start && !$0.hasEnded } ?? false
    }

    /// The name of the program that a process runs; nil if it is gone.
    static func program(_ process: Int32) -> String? {
        FileManager.default.contents(atPath: "/proc/\(process)/comm").map {
            String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
    }

    /// The process that started this one; nil if it is gone.
    package static func parent(of process: Int32) -> Int32? { Fields(process)?.parent }

    /// Of proc(5), `stat`.
    private struct Fields {
        private let state: Character
        let parent: pid_t
        let start: UInt64
        let timeOnCPU: Int64

        var hasEnded: Bool { state == "Z" || state == "X" }

        init?(_ process: pid_t) {
            // The program's name comes first, in parentheses, and may contain any.
            guard let bytes = FileManager.default.contents(atPath: "/proc/\(process)/stat"),
                let end = bytes.lastIndex(of: UInt8(ascii: ")"))
            else { return nil }
            let fields = String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
            guard fields.count > 19, let state = fields[0].first, let parent = pid_t(fields[1]),
                let start = UInt64(fields[19])
            else { return nil }
            (self.state, self.parent, self.start) = (state, parent, start)
            let ticks = fields[11...14].reduce(0) { $0 + (Int64($1) ?? 0) }
            timeOnCPU = ticks * (1_000_000_000 / Int64(max(1, sysconf(Int32(_SC_CLK_TCK)))))
        }
    }
}
