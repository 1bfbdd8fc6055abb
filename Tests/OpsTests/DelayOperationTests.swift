import Foundation
import Inspector
import Ops
import Testing

@Suite("A delay operation finishes when its time is over")
struct DelayOperationTests {
    private let clock = ManualClock()
    private let queue = InstrumentedQueue(recorder: Recorder())

    @Test("a delay finishes when its time is over by the clock that it was given, and not before")
    func ends() async throws {
        let delay = DelayOperation(for: .seconds(3_600), clock: clock)
        queue.addOperation(delay)
        #expect(try await eventually { clock.sleeperCount == 1 })
        clock.advance(by: .seconds(3_599))
        #expect(clock.sleeperCount == 1 && delay.isExecuting)
        clock.advance(by: .seconds(1))
        await queue.drained()
        #expect(delay.output?.value != nil && clock.sleeps == [.seconds(3_600)])
    }

    @Test("a cancelled delay ends at once and counts as cancelled")
    func cancelled() async throws {
        let delay = DelayOperation(for: .seconds(3_600), clock: clock)
        queue.addOperation(delay)
        #expect(try await eventually { clock.sleeperCount == 1 })
        delay.cancel()
        await queue.drained()
        #expect(delay.output?.error is CancellationError)
    }

    @Test("a delay without a time above zero finishes at once", arguments: [Duration.zero, .seconds(-1)])
    func none(duration: Duration) async {
        let delay = DelayOperation(for: duration, clock: clock)
        queue.addOperation(delay)
        await queue.drained()
        #expect(delay.output?.value != nil && clock.sleeps == [])
    }

    @Test("an endless delay can still be cancelled")
    func forEver() async throws {
        let begun = Happening()
        let delay = DelayOperation(for: .seconds(Int64.max))
        let witness = BlockOperation { begun.happen() }
        queue.addOperations([delay, witness])
        try await begun.wait()
        #expect(!delay.isFinished)
        delay.cancel()
        await queue.drained()
        #expect(delay.output?.error is CancellationError)
    }

    @Test("no thread is blocked, however many delays wait")
    func many() async throws {
        let delays = (0..<500).map { _ in DelayOperation(for: .seconds(1), clock: clock) }
        queue.addOperations(delays)
        #expect(try await eventually { clock.sleeperCount == 500 })
        clock.advance(by: .seconds(1))
        await queue.drained()
        #expect(delays.allSatisfy { $0.output?.value != nil })
    }

    @Test("an operation that depends on a delay waits, and the trace has the delay like any other operation")
    func trace() async throws {
        let trace = try await recordedAsynchronously { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let delay = DelayOperation(for: .seconds(1), name: "pause", clock: ManualClock(jumps: true))
            let poll = ClosureOperation("poll")
            poll.addDependency(delay)
            queue.addOperations([poll, delay])
            await queue.drained()
        }
        trace.expectWhole()
        #expect(try trace.operation("pause").kind == "DelayOperation")
        #expect(trace.predecessors(of: "poll") == ["pause"])
    }
}
