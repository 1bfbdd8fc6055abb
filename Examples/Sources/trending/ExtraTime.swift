import Foundation

/// A fifth more of the processor's time for what is decoded, where the program was asked to be `--slower`: what a check of
/// timings has to find.
struct ExtraTime {
    private static let isWanted = CommandLine.arguments.contains("--slower")

    private let start = Self.isWanted ? Self.processorTime : 0

    func spend() {
        guard Self.isWanted else { return }
        let end = start + (Self.processorTime - start) * 6 / 5
        while Self.processorTime < end {}
    }

    /// Of this thread, in nanoseconds: what others take from it is no part of the decoding.
    private static var processorTime: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
