import Foundation
import Ops

/// Where pictures are loaded: a queue for each sort of operation.
struct GalleryQueues: Sendable {
    let downloads: InstrumentedQueue
    let filters: InstrumentedQueue
    /// Its operations run on the main thread.
    let screen: InstrumentedQueue

    /// - Parameter downloads: how many at once.
    init(recorder: Recorder, downloads: Int) {
        self.downloads = InstrumentedQueue(recorder: recorder)
        self.downloads.name = "downloads"
        self.downloads.maxConcurrentOperationCount = downloads
        filters = InstrumentedQueue(recorder: recorder)
        filters.name = "filters"
        filters.maxConcurrentOperationCount = 2
        screen = InstrumentedQueue(recorder: recorder)
        screen.name = "screen"
        screen.maxConcurrentOperationCount = 1
        screen.underlyingQueue = .main
    }
}
