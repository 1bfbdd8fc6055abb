import Foundation
import Synchronization

/// A fifth more of the processor's time for what is decoded, where the program was asked to be `--slower`:
/// what a check of timings has to find.
struct ExtraTime {
    private static let isWanted = CommandLine.arguments.contains("--slower")

    private let start = Self.isWanted ? Self.processorTime : 0

    func spend() {
        guard Self.isWanted else { return }
        let end = start + (Self.processorTime - start) * 6 / 5
        // Reading the clock is a call of the system; what makes a program slower seldom is.
        var number: UInt64 = 1
        while Self.processorTime < end {
            for _ in 0..<2000 { number = number &* 6_364_136_223_846_793_005 &+ 1 }
        }
        Self.sink.store(number, ordering: .relaxed)
    }

    /// What is never read by anybody, but might be, so that it is worked out.
    private static let sink = Atomic<UInt64>(0)

    /// The processor time of this thread, in nanoseconds. It does not include time that other threads take.
    private static var processorTime: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
