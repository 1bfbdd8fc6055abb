import Foundation
import Ops

/// A page is fetched and decoded, many times over in one queue: whether any decoder saw nothing, or something
/// else than what its own fetch had fetched.
struct Runs: Sendable {
    let count: Int
    /// How many operations may run at once; -1 as many as the system likes.
    let limit: Int
    /// Whether pages are decoded on the queue's threads, and not in tasks.
    var decodesOnThreads = false
    /// By itself nothing is recorded.
    var recorder = Recorder()

    struct Report: Sendable {
        /// One sentence each.
        var failures: [String]
        var duration: Duration
    }

    func perform(_ pages: PageSource) async -> Report {
        let queue = InstrumentedQueue(recorder: recorder)
        queue.name = "runs"
        queue.maxConcurrentOperationCount = 1
        var results: [Result<SearchPage, any Error>] = []
        let duration = await ContinuousClock().measure {
            for first in stride(from: 0, to: count, by: Self.batch) {
                let runs = gather(first..<min(first + Self.batch, count), pages)
                queue.addOperation(runs)
                await runs.finished()
                results += runs.results
            }
        }
        return Report(failures: failures(of: results, pages), duration: duration)
    }

    /// How many runs are in a queue at a time. On Linux, each operation that finishes makes the queue check
    /// all waiting operations.
    private static let batch = 500

    private func gather(_ runs: Range<Int>, _ pages: PageSource) -> GatherOperation<SearchPage> {
        let gather = GatherOperation<SearchPage>(
            name: "runs \(runs.lowerBound) to \(runs.upperBound - 1)", maxConcurrentOperationCount: limit,
            failurePolicy: .collectAll, recorder: recorder)
        for index in runs {
            let fetch = pages.makeFetch(index % pages.firstIDs.count)
            // The decoder first: it waits because it depends on the other, and for no other reason.
            add(decoderOf: fetch, to: gather)
            gather.add(fetch)
        }
        return gather
    }

    private func add(decoderOf fetch: some ResultOperation<Data>, to gather: GatherOperation<SearchPage>) {
        if decodesOnThreads {
            gather.add(DecodePageOnThread(from: fetch))
        } else {
            gather.add(DecodePage(from: fetch))
        }
    }

    private func failures(of results: [Result<SearchPage, any Error>], _ pages: PageSource) -> [String] {
        guard results.count == count else { return ["\(results.count) of \(count) runs have a result"] }
        return results.enumerated().compactMap { index, result in
            switch result {
            case .success(let page):
                let expected = pages.firstIDs[index % pages.firstIDs.count]
                let isRight = page.items.count == TrendingSearch.perPage && page.items[0].id == expected
                return isRight ? nil : "run \(index) decoded another page than it fetched"
            case .failure(let error):
                return "run \(index): \(error)"
            }
        }
    }
}
