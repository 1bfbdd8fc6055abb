import Foundation
import Inspector
import Testing

@testable import Ops

@Suite("The account of a queue")
struct QueueObservationTests {
    /// Foundation's own queue crashes now and then when a barrier is cancelled that has something to wait
    /// for, so this one is not added to it: its closure is let go unrun, as Foundation does.
    @Test("ends a barrier as cancelled when its closure is let go unrun, and nothing waits for it any more")
    func cancelledBarrier() throws {
        let trace = try recorded { recorder in
            let queue = OperationQueue()
            let writer = try #require(recorder.writer)
            let observation = QueueObservation(of: queue, writer: writer)
            let held = Mutexed<(@Sendable () -> Void)?>(nil)
            observation.recordBarrier(behind: [], parent: nil, {}) { _, closure in
                held.withLock { $0 = closure }
            }
            #expect(observation.barriers.unfinished.count == 1)
            let released = Journal()
            observation.barriers.whenFinished(observation.barriers.unfinished) { released.note("released") }
            #expect(released.all == [])
            observation.noteCancellation()
            held.withLock { $0 = nil }
            #expect(observation.barriers.unfinished.isEmpty)
            #expect(released.all == ["released"])
            observation.barriers.whenFinished([]) { released.note("at once") }
            #expect(released.all == ["released", "at once"])
        }
        let barrier = trace.operations[0]
        #expect(barrier.cancelled?.isExact == true && barrier.executing == nil)
        #expect(barrier.outcome == .cancelled && barrier.finished?.isExact == false)
    }

    @Test("what waits for a barrier is let go when the finish stands in the log, not when it is about to")
    func barrierThatFinishesMeanwhile() throws {
        let (asked, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let finisher = Mutexed<pthread_t?>(nil)
        // The thread that finishes the barrier stands still when it looks at the clock.
        let clock = RecorderClock(
            monotonic: {
                if finisher.withLock({ $0 == pthread_self() }) {
                    asked.signal()
                    _ = go.wait(timeout: .now() + 30)
                }
                return DispatchTime.now().uptimeNanoseconds
            }, wall: { 0 })
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder(clock: clock)
        try recorder.start(writingTo: path)
        let observation = QueueObservation(of: OperationQueue(), writer: try #require(recorder.writer))
        let ended = DispatchSemaphore(value: 0)
        let body: @Sendable () -> Void = { finisher.withLock { $0 = pthread_self() } }
        observation.recordBarrier(behind: [], parent: nil, body) { _, closure in
            Thread.detachNewThread {
                closure()
                finisher.withLock { $0 = nil }
                ended.signal()
            }
            #expect(asked.wait(timeout: .now() + 30) == .success)
        }
        let released = Journal()
        observation.barriers.whenFinished(observation.barriers.unfinished) { released.note("released") }
        #expect(released.all == [])
        go.signal()
        #expect(ended.wait(timeout: .now() + 30) == .success)
        #expect(released.all == ["released"])
        try recorder.stop()
    }

    /// Counting what waits at each addition, until the queue was empty once, took 262 µs with 20,000
    /// operations.
    @Test(
        "knows whether a barrier waits in a queue used before, and stops asking once none does",
        .enabled(if: ProcessInfo.processInfo.environment["OPVIZ_OBSERVE"] != "passive"))
    func earlierBarriers() throws {
        _ = try recorded { recorder in
            let writer = try #require(recorder.writer)
            let queue = OperationQueue()
            queue.isSuspended = true
            for _ in 0..<10 { queue.addOperation {} }
            let inUse = QueueObservation(of: queue, writer: writer)
            #expect(!inUse.mayWaitForEarlier(in: queue))

            queue.addBarrierBlock {}
            let behind = QueueObservation(of: queue, writer: writer)
            #expect(behind.mayWaitForEarlier(in: queue))
            #expect(!inUse.mayWaitForEarlier(in: queue), "that one is recorded")
            queue.isSuspended = false
            queue.drain()
            #expect(!behind.mayWaitForEarlier(in: queue))
        }
    }
}
