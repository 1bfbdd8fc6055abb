import Foundation
import Inspector
import Loopback
import Ops
import RecordedRun
import Testing

@testable import timeline

@Suite("A timeline, cancelled")
struct FetchCancellationTests {
    @Test("a timeline, cancelled before its start, asks the server for nothing")
    func beforeStart() async throws {
        let trace = try await trace { recorder in
            try await Run.with(recorder: recorder) { run in
                let fetch = run.fetch(await run.account())
                fetch.cancel()
                await run.finish(fetch)
                for step in fetch.children { await step.finished() }
                #expect(await run.visits(of: "/token") == 0)
            }
        }
        #expect(trace.isFinished)
        #expect(trace.bodies == [])
    }

    @Test("a timeline, cancelled while the token is refreshed, keeps the new token, and fetches nothing")
    func whileRefreshing() async throws {
        let faults = ["/token": TimelineServer.Fault.answersAfter("/cancelled")]
        let trace = try await trace { recorder in
            try await Run.with(faults: faults, recorder: recorder) { run in
                let account = await run.account()
                let fetch = run.fetch(account)
                run.start([fetch])
                await run.server.visits.first(of: "/token")
                fetch.cancel()
                await run.server.visits.add("/cancelled")
                await fetch.finished()
                #expect(fetch.isCancelled && fetch.failure == nil)
                #expect(await run.visits(of: "/timelines/home") == 0)
                // The refresh token is used up: who had to refresh again would be refused.
                let next = run.fetch(account)
                await run.finish(next)
                #expect(next.failure == nil)
                #expect(await run.server.authority.refreshCount == 1)
            }
        }
        #expect(trace.operation(named: "reauthorize")?.outcome == .cancelled)
        #expect(trace.operation(named: "refresh the token")?.outcome == .succeeded)
        #expect(trace.isFinished)
    }

    @Test("a timeline, cancelled while another one refreshes the token, finishes at once")
    func whileAnotherRefreshes() async throws {
        let faults = ["/token": TimelineServer.Fault.answersAfter("/cancelled")]
        try await Run.with(faults: faults) { run in
            let account = await run.account()
            let (first, second) = (run.fetch(account), run.fetch(account))
            run.start([first])
            await run.server.visits.first(of: "/token")
            run.start([second])
            second.cancel()
            await second.finished()
            #expect(!first.isFinished)
            await run.server.visits.add("/cancelled")
            await first.finished()
            #expect(first.failure == nil)
            #expect(await run.visits(of: "/timelines/home") == 1)
        }
    }

    @Test("a timeline, cancelled while it is fetched, leaves the store as it was")
    func whileFetching() async throws {
        let faults = ["/timelines/home": TimelineServer.Fault.neverAnswers]
        let trace = try await trace { recorder in
            try await Run.with(faults: faults, recorder: recorder) { run in
                let fetch = run.fetch(await run.account())
                run.start([fetch])
                await run.server.visits.first(of: "/timelines/home")
                fetch.cancel()
                await fetch.finished()
                #expect(fetch.isCancelled && fetch.failure == nil)
                let posts = try run.posts()
                #expect(posts == [])
            }
        }
        #expect(trace.operation(named: "fetch")?.outcome == .cancelled)
        for name in ["decode", "save"] { #expect(trace.didRun(name) == false) }
        #expect(trace.isFinished)
    }
}
