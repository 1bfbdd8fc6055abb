import Foundation
import Ops
import OpsNetwork

/// The operations that load a picture into a cell: download, filter, show.
///
/// Each is in the queue for its step. When cancelled, all three finish without waiting for each other.
@MainActor
struct PictureLoad {
    let record: LoadRecord
    /// In the order in which they run.
    let operations: [AsynchronousOperation]
    private let queues: [InstrumentedQueue]

    /// - Parameter show: called on the main thread with the picture, or with the reason why it is missing;
    ///   not called after `cancel()`.
    init(
        _ url: URL, filter: Filter, on queues: GalleryQueues, session: NetworkSession, record: LoadRecord,
        show: @escaping @MainActor @Sendable (Result<Data, any Error>) -> Void
    ) {
        let download = DataOperation(url, session: session, name: "download \(record.name)", kind: "Download")
        let filtered = ApplyFilter(
            filter, to: download, name: "\(filter.name) \(record.name)", record: record)
        let shown = SynchronousOperation(
            name: "show \(record.name)", kind: "Show", runsRegardless: true
        ) {
            // The screen's queue runs its operations on the main thread.
            MainActor.assumeIsolated {
                record.wasShownNow()
                show(Result { try filtered.get() })
            }
        }
        shown.addDependency(filtered)
        self.record = record
        operations = [download, filtered, shown]
        self.queues = [queues.downloads, queues.filters, queues.screen]
    }

    func start() {
        for (operation, queue) in zip(operations, queues) { queue.addOperation(operation) }
    }

    /// When this has returned, no filter begins and nothing is shown.
    func cancel() {
        // The last first: a download that ends because of it is not to start the filter.
        for operation in operations.reversed() { operation.cancel() }
        record.wasCancelledNow()
    }

    /// Returns when the picture is shown, or was given up.
    func finished() async { await operations.last?.finished() }
}
