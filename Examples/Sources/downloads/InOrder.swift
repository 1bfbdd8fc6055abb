import Foundation
import Ops
import OpsNetwork

extension Depot {
    /// A serial queue keeps the order in which operations were added.
    ///
    /// On Linux, the quality of service does not change that: the most urgent chapter is added last, and
    /// comes last.
    func downloadInOrder() async throws {
        await run(downloads(of: SampleFiles.chapters), on: queue("in order", slots: 1))

        let asked = await server.requests.map(\.name)
        try Fault.unless(asked == SampleFiles.chapters, "the chapters came in the order \(asked)")
        for chapter in SampleFiles.chapters { try check(chapter, holds: SampleFiles.all[chapter]) }
        print("in order       \(asked.joined(separator: ", "))")
    }

    /// A download for each of `files`, in order of increasing urgency.
    func downloads(of files: [String]) -> [DownloadOperation] {
        zip(files, QualityOfService.levels).map { file, level in
            download(file, name: "\(file), \(level.name)", qualityOfService: level)
        }
    }
}
