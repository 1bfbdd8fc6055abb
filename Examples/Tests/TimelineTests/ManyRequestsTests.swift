import Foundation
import Inspector
import Loopback
import Ops
import RecordedRun
import Testing

@testable import timeline

@Suite("Hundreds of requests, gathered by one operation", .timeLimit(.minutes(5)))
struct ManyRequestsTests {
    @Test("come in the order of the posts, at most as many at once as allowed", arguments: [1, 4, -1])
    func inOrder(limit: Int) async throws {
        let trace = try await trace { recorder in
            try await Run.with { run in
                let requests = await ManyRequests(run.server)
                let reactions = try await requests.reactions(count: 300, limit: limit, recorder: recorder)
                #expect(reactions.map(\.post) == Array(1...300))
            }
        }
        let requests = trace.operations.filter {
            $0.name?.hasPrefix("reactions to ") == true && $0.kind == "DataOperation"
        }
        #expect(requests.count == 300)
        #expect(requests.allSatisfy { $0.outcome == .succeeded })
        let peak = try peak(requests)
        #expect(limit > 0 ? peak <= limit : peak > 4)
    }

    /// How many of them were executing at the same time, at most.
    private func peak(_ operations: [TracedOperation]) throws -> Int {
        let changes = try operations.flatMap { operation in
            [
                (try #require(operation.executing).notAfter, 1),
                (try #require(operation.finished).notBefore, -1),
            ]
        }
        var (count, peak) = (0, 0)
        for (_, change) in changes.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
            count += change
            peak = max(peak, count)
        }
        return peak
    }

    @Test("do not stall if the queue around them also has one slot")
    func nested() async throws {
        try await Run.with { run in
            let account = await run.account()
            let reauthorize = Reauthorize(account, at: run.client, recorder: run.recorder)
            await run.finish(reauthorize)
            let outer = GatherOperation<[Data]>(
                name: "outer", maxConcurrentOperationCount: 1, recorder: run.recorder)
            for first in stride(from: 0, to: 300, by: 30) {
                outer.add(
                    FetchReactions(
                        toPosts: Array(first..<first + 30), limit: 1, after: reauthorize, at: run.client,
                        recorder: run.recorder))
            }
            await run.finish(outer)
            let answers = try outer.get().joined()
            let posts = try answers.map { try JSONDecoder().decode(Reactions.self, from: $0).post }
            #expect(posts == Array(0..<300))
        }
    }

    @Test("one that fails makes all fail at once, or leaves the others", arguments: [1, 4, -1])
    func failure(limit: Int) async throws {
        try await Run.with(faults: ["/posts/150/reactions": .status(500)]) { run in
            let reauthorize = Reauthorize(await run.account(), at: run.client, recorder: run.recorder)
            let requests = { (policy: GroupOperation.FailurePolicy) in
                FetchReactions(
                    toPosts: Array(1...300), limit: limit, after: reauthorize, at: run.client,
                    failurePolicy: policy, recorder: run.recorder)
            }
            let (failingFast, collecting) = (requests(.failFast), requests(.collectAll))
            await run.finish(reauthorize, failingFast, collecting)
            for failed in [failingFast, collecting] {
                #expect(failed.failureText.hasPrefix("reactions to 150 failed: GET "))
            }
            #expect(collecting.results.filter { (try? $0.get()) != nil }.count == 299)
        }
    }

    @Test("cancelled while the server does not answer, all finish", arguments: [1, 4, -1])
    func cancelled(limit: Int) async throws {
        let path = "/posts/100/reactions"
        let trace = try await trace { recorder in
            try await Run.with(faults: [path: .neverAnswers], recorder: recorder) { run in
                let reauthorize = Reauthorize(await run.account(), at: run.client, recorder: recorder)
                let requests = FetchReactions(
                    toPosts: Array(1...300), limit: limit, after: reauthorize, at: run.client,
                    recorder: recorder)
                let reactions = requests.decoded()
                run.start([reauthorize, requests, reactions])
                await run.server.visits.first(of: path)
                requests.cancel()
                await reactions.finished()
                #expect(requests.isCancelled && requests.failure == nil)
                #expect(reactions.failure is DependencyFailure)
            }
        }
        #expect(trace.isFinished)
        #expect(trace.didRun("decode reactions") == false)
        if limit == 1 { #expect(trace.didRun("reactions to 101") == false) }
    }
}
