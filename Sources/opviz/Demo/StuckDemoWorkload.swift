import Foundation
import Ops

/// What `opviz demo --stuck` records: albums that hold both slots of their queue, and wait for thumbnails
/// that need a slot of the same queue. It never ends.
struct StuckDemoWorkload {
    private static let photoCount = 6
    private static let albumCount = 3
    /// How long the trace shows the standstill.
    private static let standstill = 0.5
    /// For a machine so busy that the albums do not begin.
    private static let longestStart = DispatchTimeInterval.seconds(10)

    private let queues: DemoQueues

    init(_ recorder: Recorder) { queues = DemoQueues(recorder) }

    /// Returns when it has stood still for a while. Its threads stay blocked until the process ends.
    func run() {
        let downloads = (1...Self.photoCount).map(addPhoto)
        let waiting = DispatchSemaphore(value: 0)
        let publish = DemoOperation.waiting("Publish", "publish albums", milliseconds: 30)
        for number in 1...Self.albumCount {
            let album = album(number, waiting)
            for photo in downloads { album.addDependency(photo) }
            publish.addDependency(album)
            queues.processor.addOperation(album)
        }
        queues.uploads.addOperation(publish)
        // The queue has two slots, so two albums begin.
        let latest = DispatchTime.now() + Self.longestStart
        for _ in 1...queues.processor.maxConcurrentOperationCount { _ = waiting.wait(timeout: latest) }
        Thread.sleep(forTimeInterval: Self.standstill)
    }

    /// - Returns: the operation that has the picture.
    private func addPhoto(_ number: Int) -> Operation {
        let download = DemoOperation.waiting("Download", "download photo \(number)", milliseconds: 80)
        let decode = DemoOperation.computing("Decode", "decode photo \(number)", milliseconds: 12)
        decode.addDependency(download)
        queues.network.addOperation(download)
        queues.processor.addOperation(decode)
        return decode
    }

    /// - Parameter waiting: signalled when the album is about to wait.
    private func album(_ number: Int, _ waiting: DispatchSemaphore) -> DemoOperation {
        let processor = queues.processor
        return DemoOperation.blocking("Album", "album \(number)") {
            let thumbnail = DemoOperation.computing(
                "Thumbnail", "thumbnail of album \(number)", milliseconds: 12)
            processor.addOperation(thumbnail)
            waiting.signal()
            // The mistake: it keeps its slot meanwhile.
            thumbnail.waitUntilFinished()
        }
    }
}
