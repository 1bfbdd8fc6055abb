import Foundation
import Inspector
import Loopback
import Ops
import RecordedRun
import Testing

@testable import trending

@Suite("The pages, cancelled")
struct CancellationTests {
    /// The trace of pages that are cancelled when `moment` has come.
    private func cancelPages(
        faults: [Int: SearchServer.Fault], clock: TestClock = TestClock(),
        at moment: (SearchServer) async -> Void
    ) async throws -> Trace {
        try await trace { recorder in
            let server = try await SearchServer.start(.sample(60, before: .now), faults: faults)
            let pages = TrendingPages(
                of: .lastWeek(of: .now, at: server.url), clock: clock, recorder: recorder)
            let rank = pages.then(name: "rank") { $0.ranking }
            let queue = InstrumentedQueue(recorder: recorder)
            queue.isSuspended = true
            for operation in [pages, rank] { queue.addOperation(operation) }
            if faults.isEmpty { pages.cancel() }
            queue.isSuspended = false
            await moment(server)
            pages.cancel()
            await rank.finished()
            await server.stop()
            #expect(throws: CancellationError.self) { try pages.output?.get() }
            #expect(rank.failure.map { "\($0)" }?.hasSuffix("was cancelled") == true)
        }
    }

    @Test("the pages, cancelled before their start, ask the server for nothing")
    func beforeStart() async throws {
        let trace = try await cancelPages(faults: [:]) { server in
            #expect(await server.visits.count(of: 1) == 0)
        }
        #expect(trace.isFinished)
        #expect(trace.bodies == [])
    }

    @Test("the pages, cancelled while the first page is fetched, decode nothing")
    func firstPage() async throws {
        let trace = try await cancelPages(faults: [1: .neverAnswered]) { server in
            await server.visits.first(of: 1)
        }
        #expect(trace.operation(named: "fetch page 1")?.outcome == .cancelled)
        #expect(trace.operation(named: "fetch page 2") == nil)
        #expect(trace.didRun("decode page 1") == false)
        #expect(trace.isFinished)
    }

    @Test("the pages, cancelled while another page is fetched, keep what was decoded from being ranked")
    func secondPage() async throws {
        let trace = try await cancelPages(faults: [2: .neverAnswered]) { server in
            await server.visits.first(of: 2)
        }
        #expect(trace.operation(named: "fetch page 2")?.outcome == .cancelled)
        #expect(trace.didRun("rank") == false)
        #expect(trace.isFinished)
    }

    @Test("end at once while they wait for the time that the server requested")
    func whileWaiting() async throws {
        let clock = TestClock(isEndless: true)
        let trace = try await cancelPages(
            faults: [1: .refused(status: 429, retryAfter: 60, times: 1)], clock: clock
        ) { _ in
            var sleeps = clock.sleeps.makeAsyncIterator()
            #expect(await sleeps.next() == .seconds(60))
        }
        #expect(trace.operation(named: "before attempt 2")?.outcome == .cancelled)
        #expect(trace.operation(named: "attempt 2") == nil)
        #expect(trace.isFinished)
    }
}
