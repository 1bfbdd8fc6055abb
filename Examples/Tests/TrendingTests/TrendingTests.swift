import Foundation
import Inspector
import Loopback
import Ops
import RecordedRun
import Testing

@testable import trending

@Suite("The trending repositories")
struct TrendingTests {
    private let today = Date(timeIntervalSince1970: 1_795_262_400)

    /// What the pages became, of a server of their own.
    private func fetchPages(
        _ index: RepositoryIndex, faults: [Int: SearchServer.Fault] = [:],
        clock: any Clock<Duration> = TestClock(), recorder: Recorder = Recorder()
    ) async throws -> (pages: TrendingPages, server: SearchServer) {
        let server = try await SearchServer.start(index, faults: faults)
        let pages = TrendingPages(
            of: .lastWeek(of: today, at: server.url), clock: clock, recorder: recorder)
        InstrumentedQueue(recorder: recorder).addOperation(pages)
        await pages.finished()
        await server.stop()
        return (pages, server)
    }

    @Test("are those created within the last seven days, those with the most stars first")
    func lastWeek() async throws {
        let index = RepositoryIndex.sample(200, before: today)
        let (pages, _) = try await fetchPages(index)
        let ranking = try pages.get().ranking
        let expected = index.entries.filter { $0.createdAt >= "2026-11-15" }
        #expect(TrendingSearch.lastWeek(of: today, at: URL(fileURLWithPath: "/")).day == "2026-11-14")
        #expect(expected.count > 2 * TrendingSearch.perPage)
        #expect(ranking.map(\.id) == expected.map(\.id))
        #expect(ranking.map(\.stars) == expected.map(\.stars))
        #expect(ranking.map { $0.createdAt.formatted(.iso8601) } == expected.map(\.createdAt))
    }

    @Test(
        "the trending repositories are on as many pages as the first one's Link header says",
        arguments: [0, 1, 24, 25, 26, 50, 51])
    func pageCount(count: Int) async throws {
        let (pages, server) = try await fetchPages(.sample(count, before: today))
        let sizes = try pages.get().map(\.items.count)
        #expect(sizes.count == max(1, (count + 24) / 25))
        #expect(sizes.reduce(0, +) == count)
        #expect(sizes.dropLast().allSatisfy { $0 == 25 })
        for page in 1...sizes.count { #expect(await server.visits.count(of: page) == 1) }
        #expect(await server.visits.count(of: sizes.count + 1) == 0)
    }

    @Test("are each in the list once, though one moved to the next page meanwhile")
    func moved() throws {
        let repository = { (id: Int, stars: Int) in
            Repository(id: id, fullName: "octo/\(id)", stars: stars, createdAt: today)
        }
        let pages = [
            SearchPage(totalCount: 3, items: [repository(1, 9), repository(2, 5)]),
            SearchPage(totalCount: 3, items: [repository(2, 5), repository(3, 7)]),
        ]
        #expect(pages.ranking.map(\.id) == [1, 3, 2])
    }

    @Test("are asked for again when the server says so, after the time that it says", arguments: [403, 429])
    func refused(status: Int) async throws {
        let clock = TestClock()
        let (pages, server) = try await fetchPages(
            .sample(50, before: today),
            faults: [2: .refused(status: status, retryAfter: 17, times: 3)], clock: clock)
        #expect(try pages.get().ranking.count == 50)
        #expect(await server.visits.count(of: 2) == 4)
        var sleeps = clock.sleeps.makeAsyncIterator()
        for _ in 1...3 { #expect(await sleeps.next() == .seconds(17)) }
    }

    @Test(
        "the trending repositories are not requested again if that is useless",
        arguments: [
            // The server keeps refusing, names no time, names too long a time, or is broken.
            (SearchServer.Fault.refused(status: 429, retryAfter: 1, times: .max), 4, "429"),
            (.refused(status: 403, retryAfter: nil, times: .max), 1, "403"),
            (.refused(status: 429, retryAfter: 61, times: .max), 1, "429"),
            (.refused(status: 500, retryAfter: 1, times: .max), 1, "500"),
        ])
    func failed(fault: SearchServer.Fault, requests: Int, status: String) async throws {
        var result: (pages: TrendingPages, server: SearchServer)?
        let trace = try await trace { recorder in
            result = try await fetchPages(
                .sample(50, before: today), faults: [2: fault], recorder: recorder)
        }
        let (pages, server) = try #require(result)
        let failure = "\(try #require(pages.failure))"
        #expect(
            failure.hasPrefix(
                "fetch page 2 failed: GET \(server.url)/search/repositories?… answered \(status)"))
        #expect(await server.visits.count(of: 2) == requests)
        // Decoding the first page may have been cancelled, or have been faster.
        #expect(trace.operation(named: "fetch page 1")?.outcome == .succeeded)
        #expect(trace.didRun("decode page 2") == false)
        #expect(trace.isFinished)
    }
}
