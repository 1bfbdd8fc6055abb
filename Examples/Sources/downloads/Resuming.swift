import Foundation
import Ops
import OpsNetwork

extension Depot {
    /// Another operation continues a download that was cancelled half-way.
    func goOn(with atlas: DownloadOperation) async throws {
        let rest = download(SampleFiles.atlas, name: "\(SampleFiles.atlas), the rest")
        // Starts when the first download has ended in any way.
        rest.addDependency(atlas)
        rest.runsRegardless = true
        atlas.cancel()
        await atlas.finished()
        try Fault.unless(atlas.output?.isCancellation == true, "the atlas was cancelled, and says otherwise")
        try Fault.unless(try !contents().contains(SampleFiles.atlas), "half of the atlas counts as all of it")

        await run([rest], on: queue("resumed", slots: 1))
        try check(SampleFiles.atlas, holds: SampleFiles.all[SampleFiles.atlas])
        let first = await server.requests.last?.firstByte
        try Fault.unless(first == SampleFiles.atlasHalf, "the atlas was gone on with at byte \(first ?? 0)")
        let start = SampleFiles.atlasHalf
        print("resumed        the atlas was cancelled half-way; the rest began at byte \(start)")
    }
}

extension Result where Failure == any Error {
    /// Whether it is the result of a cancelled operation.
    var isCancellation: Bool {
        if case .failure(let error) = self { error is CancellationError } else { false }
    }
}
