import Foundation
import Ops

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One page, from the network into the database: download, parse, store, completion, one at a time on a queue of its
/// own.
final class ImportPage: GroupOperation, @unchecked Sendable {
    /// - Parameter completion: told how many quotations were stored, or why none were; on a thread of the page's queue.
    init(
        _ url: URL, session: URLSession, store: QuoteStore, recorder: Recorder,
        completion: @escaping @Sendable (Result<Int, any Error>) -> Void
    ) {
        super.init(
            name: "page \(url.lastPathComponent)", maxConcurrentOperationCount: 1,
            failurePolicy: .collectAll, recorder: recorder)
        let download = DownloadPage(url, session: session)
        let parse = ParsePage(download)
        let stored = StorePage(parse, in: store)
        for step in [download, parse, stored, CompletePage(stored, completion: completion)] { add(step) }
    }
}
