import Foundation
import Ops
import OpsNetwork

/// Where runs get their pages from: full ones, each different from the others.
struct PageSource: Sendable {
    /// The first repository on each page.
    let firstIDs: [Int]
    /// Makes an operation that fetches one of the pages; the first has the number 0.
    let makeFetch: @Sendable (Int) -> any ResultOperation<Data>

    /// From the server that `search` asks.
    static func http(_ index: RepositoryIndex, _ search: TrendingSearch) -> PageSource {
        PageSource(firstIDs: pages(index, search).map { $0.entries[0].id }) { number in
            DataOperation(search.request(page: number + 1), session: search.session)
        }
    }

    /// The same bytes without a server.
    static func memory(_ index: RepositoryIndex, _ search: TrendingSearch) -> PageSource {
        let pages = pages(index, search)
        let bodies = pages.map { $0.json() }
        return PageSource(firstIDs: pages.map { $0.entries[0].id }) { PageFromMemory(bodies[$0]) }
    }

    private static func pages(_ index: RepositoryIndex, _ search: TrendingSearch) -> [RepositoryIndex.Page] {
        let size = TrendingSearch.perPage
        let pages = (1...index.entries.count / size).map {
            index.page(RepositoryIndex.Query(after: search.day, perPage: size, page: $0))
        }
        return pages.filter { $0.entries.count == size }
    }
}

/// Gives the bytes of a page from memory, as a network does: later, and on another thread.
private final class PageFromMemory: OutputOperation<Data>, @unchecked Sendable {
    private let page: Data

    init(_ page: Data) {
        self.page = page
        super.init()
    }

    override func main() {
        DispatchQueue.global().async { self.finish(returning: self.page) }
    }
}
