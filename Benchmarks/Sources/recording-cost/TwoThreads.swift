import Foundation
import Synchronization

/// Two threads that do the same at the same time.
enum TwoThreads {
    private final class Meeting: Sendable {
        let arrived = Atomic(0)
        let nanoseconds = Atomic(0)
        let ended = DispatchSemaphore(value: 0)
    }

    /// Nanoseconds that `body` takes, on average of the two. Starting the threads is not counted.
    static func time(_ body: @escaping @Sendable () -> Void) -> Double {
        let meeting = Meeting()
        for _ in 0..<2 {
            Thread.detachNewThread {
                meeting.arrived.add(1, ordering: .acquiringAndReleasing)
                // Not with a lock: the second is to begin at once, too.
                while meeting.arrived.load(ordering: .acquiring) < 2 {}
                let nanoseconds = Comparison.time(body)
                meeting.nanoseconds.add(Int(nanoseconds), ordering: .relaxed)
                meeting.ended.signal()
            }
        }
        meeting.ended.wait()
        meeting.ended.wait()
        return Double(meeting.nanoseconds.load(ordering: .relaxed)) / 2
    }
}
