import Foundation
import Ops
import OpsNetwork

extension Depot {
    /// Among downloads that wait for a slot, the most urgent goes first.
    ///
    /// On Linux only in a queue with more than one slot, and if no `queuePriority` was set. Here, a large
    /// file occupies one of two slots and stalls half-way; the pictures go through the other slot.
    ///
    /// - Returns: the stalled download.
    func downloadByQualityOfService() async throws -> DownloadOperation {
        let queue = queue("by quality of service", slots: 2)
        await server.standStill(SampleFiles.atlas, after: SampleFiles.atlasHalf)
        let atlas = download(SampleFiles.atlas)
        queue.addOperation(atlas)
        try await wait("half of the atlas is there") {
            atlas.progress.completedUnitCount == SampleFiles.atlasHalf
        }

        // All of them are in the queue before one starts.
        queue.isSuspended = true
        let before = await server.requests.count
        let pictures = downloads(of: SampleFiles.pictures)
        for picture in pictures { queue.addOperation(picture) }
        queue.isSuspended = false
        for picture in pictures { await picture.finished() }

        let asked = await server.requests.dropFirst(before).map(\.name)
        try Fault.unless(
            asked == SampleFiles.pictures.reversed(), "the pictures came in the order \(asked)")
        for picture in SampleFiles.pictures { try check(picture, holds: SampleFiles.all[picture]) }
        let levels = QualityOfService.levels.reversed().map(\.name).joined(separator: ", ")
        print("by urgency     \(levels); added the other way round")
        return atlas
    }
}
