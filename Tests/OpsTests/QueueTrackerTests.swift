import Foundation
import Inspector
import TestTraces
import Testing

@testable import Ops

@Suite("The tracker of a queue")
struct QueueTrackerTests {
    /// In the order of `BarrierCase.all`; each with a queue of its own.
    @Test(
        "a queue's tracker knows what a barrier waits for, and what waits for it",
        arguments: BarrierCase.all.map(\.name))
    func barrierCases(name: String) throws {
        let barrierCase = BarrierCase.named(name)
        let trace = try recorded {
            let queue = InstrumentedQueue(recorder: $0)
            barrierCase.run(on: queue)
            // An empty queue does not wait for barriers, nor for the closures of cancelled ones.
            #expect(soon { queue.tracker.barriers.unfinished.isEmpty })
        }
        #expect(trace.barrierAccount(on: name) == barrierCase.expected)
    }

    /// Foundation's own queue crashes now and then when a barrier is cancelled that has something to wait
    /// for, so this one is not added to it: its closure is let go unrun, as Foundation does.
    @Test("a barrier whose closure is released without running ends as cancelled, with all waits for it")
    func cancelledBarrier() throws {
        let trace = try recorded { recorder in
            let queue = OperationQueue()
            let tracker = QueueTracker(recorder: recorder)
            let held = Mutexed<(@Sendable () -> Void)?>(nil)
            tracker.addBarrier(to: queue, {}) { closure in held.withLock { $0 = closure } }
            let barriers = tracker.barriers
            #expect(barriers.unfinished.count == 1)
            let released = Journal()
            barriers.whenFinished(barriers.unfinished) { released.note("released") }
            #expect(released.all == [])
            tracker.recordCancellation()
            held.withLock { $0 = nil }
            #expect(barriers.unfinished.isEmpty)
            #expect(released.all == ["released"])
            barriers.whenFinished([]) { released.note("at once") }
            #expect(released.all == ["released", "at once"])
        }
        let barrier = trace.operations[0]
        #expect(barrier.cancelled?.isExact == true && barrier.executing == nil)
        #expect(barrier.outcome == .cancelled && barrier.finished?.isExact == false)
    }

    @Test("what waits for a barrier continues when the finish is in the log, not just before")
    func barrierThatFinishesMeanwhile() throws {
        let (asked, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let finisher = Mutexed<pthread_t?>(nil)
        // The thread that finishes the barrier stops when it reads the clock.
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
        // Its own readings of the clock would stop the thread before that.
        try recorder.start(writingTo: path, readsThreadClocks: false)
        let tracker = QueueTracker(recorder: recorder)
        let ended = DispatchSemaphore(value: 0)
        let body: @Sendable () -> Void = { finisher.withLock { $0 = pthread_self() } }
        tracker.addBarrier(to: OperationQueue(), body) { closure in
            Thread.detachNewThread {
                closure()
                finisher.withLock { $0 = nil }
                ended.signal()
            }
            #expect(asked.wait(timeout: .now() + 30) == .success)
        }
        let released = Journal()
        tracker.barriers.whenFinished(tracker.barriers.unfinished) { released.note("released") }
        #expect(released.all == [])
        go.signal()
        #expect(ended.wait(timeout: .now() + 30) == .success)
        #expect(released.all == ["released"])
        try recorder.stop()
    }

    /// Counting what waits at each addition, until the queue was empty once, took 262 µs with 20,000
    /// operations.
    @Test(
        "a queue's tracker knows whether a barrier waits in a queue used before, and then stops asking",
        .whereClassesAreObserved)
    func earlierBarriers() throws {
        _ = try recorded { recorder in
            let queue = OperationQueue()
            queue.isSuspended = true
            for _ in 0..<10 { queue.addOperation {} }
            let inUse = QueueTracker(recorder: recorder, isInUse: true)
            #expect(!inUse.mayHoldUntrackedBarrier(queue))

            queue.addBarrierBlock {}
            let behind = QueueTracker(recorder: recorder, isInUse: true)
            #expect(behind.mayHoldUntrackedBarrier(queue))
            #expect(!inUse.mayHoldUntrackedBarrier(queue), "that one is tracked")
            queue.isSuspended = false
            queue.drain()
            #expect(!behind.mayHoldUntrackedBarrier(queue))
        }
    }
}
