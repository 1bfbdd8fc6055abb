import Foundation
import Loopback
import Ops
import TracedProgram

/// Fetches what was created in the last week and has the most stars, 25 repositories a page, and leaves a
/// trace of how that went: in `trending.json`, or in the file that `OPVIZ_TRACE` names.
///
/// `trending --runs 5000` fetches and decodes one page that many times instead, and measures that. `trending
/// --decode 200` only decodes, one page after the other, from memory; with `--slower` it takes a fifth
/// longer: two programs for `opviz check`. `--decode-on-threads 200` decodes on the queue's threads, whose
/// CPU time opviz can measure, and not in tasks.
@main
struct Trending {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let count = arguments.count > 1 ? Int(arguments[1]).flatMap { $0 > 0 ? $0 : nil } : nil
        switch (arguments.first, count, arguments.dropFirst(2)) {
        case (nil, _, _): try await showTrending()
        case ("--runs", let count?, []): try await measureRuns(count)
        case (let mode?, let count?, []), (let mode?, let count?, ["--slower"]):
            guard ["--decode", "--decode-on-threads"].contains(mode) else { usage() }
            await decode(count, onThreads: mode == "--decode-on-threads")
        default: usage()
        }
    }

    private static func usage() -> Never {
        fail("usage: trending [--runs COUNT | --decode[-on-threads] COUNT [--slower]]", status: 64)
    }

    /// Three pages, the second of which the server refuses once: too many requests.
    private static func showTrending() async throws {
        let program = try TracedProgram("trending")
        let today = Date.now
        let server = try await SearchServer.start(
            .sample(200, before: today), faults: [2: .refused(status: 429, retryAfter: 1, times: 1)])
        let search = TrendingSearch.lastWeek(of: today, at: server.url)

        let pages = TrendingPages(of: search, recorder: program.recorder)
        let rank = pages.then(name: "rank", kind: "Rank") { $0.ranking }
        let queue = InstrumentedQueue(recorder: program.recorder)
        queue.name = "trending"
        for operation in [pages, rank] { queue.addOperation(operation) }
        await rank.finished()
        await server.stop()

        switch Result(catching: { (try pages.get(), try rank.get()) }) {
        case .success((let pages, let ranking)):
            for repository in ranking.prefix(3) { print("\(repository.stars) stars  \(repository.fullName)") }
            print("\(ranking.count) repositories of \(pages.count) pages were created after \(search.day)")
            try program.end()
            if ranking.count != pages[0].totalCount { fail("there should be \(pages[0].totalCount)") }
            let requests = await server.visits.count(of: 2)
            if requests != 2 { fail("page 2 was asked for \(requests) times, and not twice") }
        case .failure(let error):
            try program.end()
            fail("\(error)")
        }
    }

    /// At one slot and at as many as the system likes; with pages from memory, and over HTTP.
    private static func measureRuns(_ count: Int) async throws {
        let today = Date.now
        let index = RepositoryIndex.sample(1_000, before: today)
        let server = try await SearchServer.start(index)
        let search = TrendingSearch(api: server.url, since: today.addingTimeInterval(-365 * 86_400))
        var failures: [String] = []
        for (source, pages) in [
            ("from memory", PageSource.memory(index, search)), ("over HTTP", .http(index, search)),
        ] {
            for limit in [1, -1] {
                let report = await Runs(count: count, limit: limit).perform(pages)
                let slots = limit == 1 ? "at one slot" : "unlimited"
                print(
                    "\(count) runs \(source), \(slots): \(report.duration), \(report.failures.count) failed")
                failures += report.failures
            }
        }
        await server.stop()
        if let first = failures.first { fail("\(failures.count) runs failed, the first: \(first)") }
    }

    private static func decode(_ count: Int, onThreads: Bool) async {
        let search = TrendingSearch(api: URL(fileURLWithPath: "/"), since: .distantPast)
        let pages = PageSource.memory(.sample(1_000, before: .now), search)
        let report = await Runs(
            count: count, limit: 1, decodesOnThreads: onThreads, recorder: .shared
        ).perform(pages)
        if let first = report.failures.first {
            fail("\(report.failures.count) runs failed, the first: \(first)")
        }
    }

    private static func fail(_ sentence: String, status: Int32 = 1) -> Never {
        FileHandle.standardError.write(Data("trending: \(sentence)\n".utf8))
        exit(status)
    }
}
