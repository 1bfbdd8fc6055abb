import Foundation
import Ops
import OpsNetwork

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a program does with a server of quotations.
struct QuoteClient: Sendable {
    private let server: URL
    private let store: QuoteStore
    private let recorder: Recorder
    private let session: NetworkSession

    /// - Parameter connectionCount: how many requests may be on their way at once.
    init(of server: URL, store: QuoteStore, recorder: Recorder, connectionCount: Int) {
        (self.server, self.store, self.recorder) = (server, store, recorder)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connectionCount
        session = NetworkSession(configuration: configuration)
    }

    /// Imports pages, all of them at once.
    ///
    /// - Parameter pageDone: called once for each page, on any thread.
    /// - Returns: the operation that reports when all pages are done.
    func importPages(
        _ pages: ClosedRange<Int>,
        pageDone: @escaping @Sendable (Int, Result<[Quote], any Error>) -> Void
    ) -> ReportImport {
        let imports = pages.map { page in
            ImportPage(page, of: server, session: session, into: store, recorder: recorder) {
                pageDone(page, $0)
            }
        }
        let report = ReportImport(of: imports)
        add(imports + [report], to: "import", limit: pages.count)
        return report
    }

    /// Counts a reading of each of the quotations, when `dependency` has succeeded.
    ///
    /// - Parameter readingDone: called once for each reading, on any thread.
    func countReadings(
        of ids: [Int], after dependency: Operation,
        readingDone: @escaping @Sendable (Int, Result<Int, any Error>) -> Void
    ) throws -> [IncreaseReadCount] {
        let readings = try ids.map { id in
            try IncreaseReadCount(of: id, at: server, session: session, in: store, recorder: recorder) {
                readingDone(id, $0)
            }
        }
        for reading in readings { reading.addDependency(dependency) }
        add(readings, to: "reads", limit: ids.count)
        return readings
    }

    private func add(_ operations: [Operation], to name: String, limit: Int) {
        let queue = InstrumentedQueue(recorder: recorder)
        queue.name = name
        queue.maxConcurrentOperationCount = limit
        queue.addOperations(operations, waitUntilFinished: false)
    }
}
