import EventLog
import Foundation

/// How much memory the trace of each process may take: `--limit` and `OPVIZ_TRACE_LIMIT`.
struct TraceLimit {
    /// In bytes. Enough for about ten million operations.
    static let usual: UInt64 = 1 << 30
    /// The environment variable with which the program and its children learn it.
    static let variable = "OPVIZ_TRACE_LIMIT"

    /// As it was given; nil for the usual one.
    let text: String?
    private let given: LogLimitText?

    /// - Parameter option: the value of `--limit`; nil for that of the variable.
    /// - Throws: `RecordingError` for what is not a size, or too small.
    init(_ option: String?) throws {
        text = option ?? ProcessInfo.processInfo.environment[Self.variable]
        let source = option == nil ? Self.variable : "--limit"
        given = try text.map { text in
            guard let limit = LogLimitText(text) else {
                throw RecordingError(.usage, "\(text): expected a size such as 64M or \"64M latest\"")
            }
            guard limit.given >= LogLimitText.smallest else {
                throw RecordingError(
                    .usage, "\(source): \(Prose.counted(limit.given, "byte")) is too small; give at least 1M")
            }
            return limit
        }
    }

    /// For events.
    var bytes: UInt64 { given?.bytes ?? Self.usual }

    /// For what the kernel records.
    var kernelBytes: Int { max(KernelRecorder.usualLimit, Int(clamping: given?.bytes ?? 0)) }

    /// Whether the latest events are kept, and not the first.
    var keepsLatest: Bool { given?.keepsLatest == true }
}
