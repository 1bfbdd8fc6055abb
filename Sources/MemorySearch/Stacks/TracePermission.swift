import Foundation

/// Whether processes that this one did not start may be stopped and searched.
package enum TracePermission {
    private static let capability: UInt64 = 1 << 19

    /// Why not, as far as the system says; nil if nothing forbids it.
    package static var obstacle: String? {
        guard let scope = number("/proc/sys/kernel/yama/ptrace_scope"), scope > 0 else { return nil }
        return scope < 3 && hasCapability ? nil : "kernel.yama.ptrace_scope is \(scope)"
    }

    /// `CAP_SYS_PTRACE`.
    private static var hasCapability: Bool {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        let mask = line?.split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0, radix: 16) } ?? 0
        return mask & capability != 0
    }

    private static func number(_ path: String) -> Int? {
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }
}
