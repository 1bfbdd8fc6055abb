import Foundation
import Synchronization

/// Work that calculates: it takes this thread's processor time, and waits for nothing.
struct Calculation: Sendable {
    let seconds: Double

    func run() {
        let end = Self.processorTime + Int64(seconds * 1e9)
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
