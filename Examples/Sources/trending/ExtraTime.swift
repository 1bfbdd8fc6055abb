import Foundation
import Synchronization

/// With `--slower`, decoding takes a fifth more processor time. A check of timings should find that.
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

    /// Never read. It only prevents the compiler from removing the computation.
    private static let sink = Atomic<UInt64>(0)

    /// The processor time of this thread, in nanoseconds. It does not include time that other threads take.
    private static var processorTime: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
