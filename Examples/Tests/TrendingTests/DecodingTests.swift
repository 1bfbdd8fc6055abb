import Foundation
import Inspector
import Ops
import RecordedRun
import Testing

@testable import trending

@Suite("The decoder of a page")
struct DecodingTests {
    private static let item =
        #"{"id":1,"full_name":"a/b","stargazers_count":1,"created_at":"2026-11-15T00:00:00Z"}"#

    @Test(
        "the decoder says where an answer of another shape differs",
        arguments: [
            ("", "the answer of 0 bytes is not JSON"),
            (#"{"total_count":1,"items":[{"#, "the answer of 27 bytes is not JSON"),
            (#"{"message":"Validation Failed"}"#, "items is missing"),
            (#"{"items":[]}"#, "total_count is missing"),
            (#"{"total_count":null,"items":[]}"#, "total_count is null"),
            (#"{"total_count":1,"items":[\#(item),{"id":2}]}"#, "items[1].full_name is missing"),
            (
                #"{"total_count":1,"items":[\#(item.replacing("\":1,\"c", with: "\":\"1\",\"c"))]}"#,
                "items[0].stargazers_count: Expected to decode Int but found a string instead."
            ),
            (
                #"{"total_count":1,"items":[\#(item.replacing("2026-11-15T", with: "yesterday "))]}"#,
                "items[0].created_at: not a date"
            ),
            ("[]", "the answer: Expected to decode Dictionary<String, Any> but found an array instead."),
        ])
    func otherShape(body: String, sentence: String) async throws {
        let server = try await SearchServer.start(
            .sample(0, before: .now), faults: [1: .body(body)])
        let pages = TrendingPages(of: .lastWeek(of: .now, at: server.url), recorder: Recorder())
        InstrumentedQueue(recorder: Recorder()).addOperation(pages)
        await pages.finished()
        await server.stop()
        #expect(pages.failure.map { "\($0)" } == "decode page 1 failed: \(sentence)")
    }

    @Test(
        "the decoder sees what its own fetch has fetched, in 5,000 runs, and begins after that",
        arguments: [1, -1])
    func runs(limit: Int) async throws {
        let index = RepositoryIndex.sample(1_000, before: .now)
        let search = TrendingSearch(api: URL(fileURLWithPath: "/"), since: .distantPast)
        let trace = try await trace { recorder in
            let runs = Runs(count: 5_000, limit: limit, recorder: recorder)
            #expect(await runs.perform(.memory(index, search)).failures == [])
        }
        #expect(trace.losses == [])
        #expect(trace.edges.count == 5_000)
        for edge in trace.edges {
            let (fetch, decode) = (trace.operations[edge.predecessor], trace.operations[edge.successor])
            let fetched = try #require(fetch.finished)
            let began = try #require(decode.executing)
            #expect(fetched.isExact && began.isExact && fetched.notAfter <= began.notBefore)
            #expect(decode.outcome == .succeeded)
        }
    }

    @Test("the decoder sees what its own fetch has fetched over HTTP", arguments: [1, -1])
    func runsOverHTTP(limit: Int) async throws {
        let index = RepositoryIndex.sample(1_000, before: .now)
        let server = try await SearchServer.start(index)
        let search = TrendingSearch(api: server.url, since: .distantPast)
        let report = await Runs(count: 200, limit: limit).perform(.http(index, search))
        await server.stop()
        #expect(report.failures == [])
    }
}
