import Foundation
import Ops

/// All pages of a search, in order: the first one says how many others there are, and these are fetched at
/// the same time.
///
/// If a page cannot be fetched or decoded, this operation fails and cancels the others: a list with a gap is
/// useless.
final class TrendingPages: GatherOperation<SearchPage>, @unchecked Sendable {
    private let search: TrendingSearch
    private let clock: any Clock<Duration>
    private let recorder: Recorder

    /// - Parameter clock: what measures the waits that the server asks for.
    init(
        of search: TrendingSearch, clock: any Clock<Duration> = ContinuousClock(),
        recorder: Recorder = .shared
    ) {
        self.search = search
        self.clock = clock
        self.recorder = recorder
        super.init(name: "pages since \(search.day)", recorder: recorder)
    }

    override func prepare() {
        let first = addPage(1)
        add(
            first.then(name: "other pages", kind: "AddPages") { [weak self, weak first] _ in
                guard let last = first?.links.lastPage, last > 1 else { return }
                for page in 2...last { self?.addPage(page) }
            })
    }

    @discardableResult
    private func addPage(_ page: Int) -> FetchPage {
        let fetch = FetchPage(page, of: search, clock: clock, recorder: recorder)
        add(fetch)
        add(DecodePage(from: fetch, name: "decode page \(page)"))
        return fetch
    }
}

extension [SearchPage] {
    /// The repositories of all pages, those with the most stars first, and each once: one that gained stars
    /// while the pages were fetched may be on two of them.
    var ranking: [Repository] {
        var isKnown = Set<Int>()
        return flatMap(\.items).filter { isKnown.insert($0.id).inserted }
            .sorted { ($0.stars, $1.id) > ($1.stars, $0.id) }
    }
}
