import Foundation

/// What no average shows: the longest that one append holds up a program, and the memory that recording
/// takes. Each row with its limit, and whether it holds.
@main
struct RecordingLimits {
    static func main() throws {
        #if os(Linux)
            if CommandLine.arguments.contains(RecorderMemory.childArgument) {
                return try RecorderMemory.measure()
            }
            print("| what | measured | limit | holds | beside it |")
            print("|---|---|---|---|---|")
            try LongestAppend.report()
            try RecorderMemory.report()
        #else
            print(
                "recording-limits reads what Linux tells of threads and memory; it measures nothing elsewhere"
            )
        #endif
    }

    /// - Parameter holds: nil where nothing was measured, or the row is only to compare with.
    static func row(_ what: String, _ measured: String, limit: String, holds: Bool?, _ beside: String) {
        let verdict = holds.map { $0 ? "yes" : "NO" } ?? "–"
        print("| " + [what, measured, limit, verdict, beside].joined(separator: " | ") + " |")
        fflush(nil)
    }
}
