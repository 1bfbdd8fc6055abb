import Foundation
import Ops
import OpsNetwork

/// *Get all quotes*, of one page: download, parse, store, completion, one at a time on a queue of its own.
///
/// It always finishes, and its error says which step failed, and why. The store then contains the whole page
/// or, if it was not stored, the same as before.
final class ImportPage: GroupOperation, @unchecked Sendable {
    private let complete: SynchronousOperation<[Quote]>

    /// - Parameters:
    ///   - page: its number.
    ///   - server: the URL, relative to which `quotes/1` is the first page.
    ///   - limit: how long the server may take to answer.
    ///   - clock: measures the limit.
    ///   - completion: called once with the stored quotations, or with the error.
    init(
        _ page: Int, of server: URL, session: NetworkSession, into store: QuoteStore,
        limit: Duration = .seconds(30), clock: any Clock<Duration> = ContinuousClock(), recorder: Recorder,
        completion: @escaping @Sendable (Result<[Quote], any Error>) -> Void
    ) {
        let url = server.appending(path: "quotes/\(page)")
        let download = DataOperation(url, session: session, kind: "DownloadPage")
        download.setTimeout(limit, clock: clock)
        let parse = download.thenSynchronously(kind: "ParsePage") { data in try [Quote](json: data) }
        let stored = StorePage(parse, in: store)
        let complete = stored.thenSynchronously(kind: "CompletePage") { ids in try store.quotes(ids) }
        self.complete = complete
        super.init(name: "page \(page)", maxConcurrentOperationCount: 1, recorder: recorder) { result in
            completion(result.flatMap { Result { try complete.get() } })
        }
        for step in [download, parse, stored, complete] { add(step) }
    }

    /// What became of it. Once it has finished.
    func quotes() throws -> [Quote] {
        if let failure { throw failure }
        return try complete.get()
    }
}
