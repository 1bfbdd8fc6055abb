import Foundation
import Ops
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Imports pages of quotations, all of them at once, and reports when the last is in.
struct QuoteImport: Sendable {
    let server: QuoteServer
    let store: QuoteStore
    let recorder: Recorder

    /// - Returns: how many quotations were stored, and why pages are missing.
    func run(pages: Int) async -> Report {
        let tally = Tally()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = pages
        let session = URLSession(configuration: configuration)
        let queue = InstrumentedQueue(recorder: recorder)
        queue.name = "import"
        queue.maxConcurrentOperationCount = pages

        let imports = (1...pages).map { page in
            ImportPage(
                server.pages.appending(path: "\(page)"), session: session, store: store, recorder: recorder
            ) { tally.add($0, ofPage: page) }
        }
        return await withCheckedContinuation { continuation in
            let report = ReportImport(after: imports, tally) { continuation.resume(returning: $0) }
            queue.addOperations(imports + [report], waitUntilFinished: false)
        }
    }
}

/// What became of an import.
struct Report: Sendable {
    var stored = 0
    /// One sentence for each page that is missing.
    var failures: [String] = []
}

/// Counts up what the pages report, from any thread.
private final class Tally: Sendable {
    private let report = Mutex(Report())

    func add(_ result: Result<Int, any Error>, ofPage page: Int) {
        report.withLock { report in
            switch result {
            case .success(let count): report.stored += count
            case .failure(let error): report.failures.append("page \(page): \(error)")
            }
        }
    }

    var total: Report { report.withLock { $0 } }
}

/// Hands the report on when every page is done.
private final class ReportImport: AsynchronousOperation, @unchecked Sendable {
    init(after imports: [ImportPage], _ tally: Tally, done: @escaping @Sendable (Report) -> Void) {
        super.init()
        name = "report"
        completionBlock = { done(tally.total) }
        for page in imports { addDependency(page) }
    }
}
