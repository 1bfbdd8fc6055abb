import Foundation
import Ops
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Fetches the bytes of a page. No thread waits for the network.
final class DownloadPage: StepOperation<Data>, @unchecked Sendable {
    private let task = Mutex<URLSessionDataTask?>(nil)
    private let url: URL
    private let session: URLSession

    init(_ url: URL, session: URLSession) {
        self.url = url
        self.session = session
        super.init()
    }

    override func main() {
        let task = session.dataTask(with: url) { [self] data, response, error in
            finish(with: Result { try Self.page(data, response, error) })
        }
        self.task.withLock { $0 = task }
        task.resume()
        if isCancelled { task.cancel() }
    }

    override func cancel() {
        super.cancel()
        task.withLock { $0 }?.cancel()
    }

    private static func page(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) throws -> Data {
        if let error { throw error }
        guard let data, let status = (response as? HTTPURLResponse)?.statusCode, status == 200 else {
            throw QuotesError("the server answered \((response as? HTTPURLResponse)?.statusCode ?? 0)")
        }
        return data
    }
}

/// Makes quotations of the bytes.
final class ParsePage: StepOperation<[Quote]>, @unchecked Sendable {
    private let download: DownloadPage

    init(_ download: DownloadPage) {
        self.download = download
        super.init()
        addDependency(download)
    }

    override func main() {
        finish(with: Result { try JSONDecoder().decode([Quote].self, from: download.value()) })
    }
}

/// Creates the quotations in the database, or updates them.
final class StorePage: StepOperation<Int>, @unchecked Sendable {
    private let parse: ParsePage
    private let store: QuoteStore

    init(_ parse: ParsePage, in store: QuoteStore) {
        self.parse = parse
        self.store = store
        super.init()
        addDependency(parse)
    }

    override func main() {
        finish(
            with: Result {
                let quotes = try parse.value()
                try store.save(quotes)
                return quotes.count
            })
    }
}

/// Tells whoever asked how many quotations the page brought.
final class CompletePage: AsynchronousOperation, @unchecked Sendable {
    private let stored: StorePage
    private let completion: @Sendable (Result<Int, any Error>) -> Void

    init(_ stored: StorePage, completion: @escaping @Sendable (Result<Int, any Error>) -> Void) {
        self.stored = stored
        self.completion = completion
        super.init()
        runsRegardless = true
        addDependency(stored)
    }

    override func main() {
        completion(Result { try stored.value() })
        finish()
    }
}
