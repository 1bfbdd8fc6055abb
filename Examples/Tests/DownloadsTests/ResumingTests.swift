import Foundation
import Inspector
import Ops
import OpsNetwork
import Testing

@testable import downloads

@Suite("A download", .timeLimit(.minutes(2)))
struct ResumingTests {
    private let chapter = SampleFiles.chapters[0]

    @Test("a download continues where it was cancelled, at any byte", arguments: [1, 1000, 65_536, 199_999])
    func cancelled(count: Int) async throws {
        let trace = try await withDepot { depot async throws in
            await depot.server.standStill(chapter, after: count)
            let first = depot.download(chapter, name: "first")
            let queue = depot.queue("downloads", slots: 1)
            queue.addOperation(first)
            try await wait("a part is there") { first.progress.completedUnitCount == count }
            first.cancel()
            await first.finished()
            #expect(try depot.contents() == [chapter + ".partial", chapter + ".partial.json"])

            let rest = depot.download(chapter, name: "rest")
            queue.addOperation(rest)
            _ = try await rest.value
            try depot.check(chapter, holds: SampleFiles.all[chapter])
            #expect(try depot.contents() == [chapter])
            let firstBytes = await depot.server.requests.map(\.firstByte)
            #expect(firstBytes == [0, count])
        }
        #expect(trace["first"]?.outcome == .cancelled)
        #expect(trace["rest"]?.outcome == .succeeded)
    }

    @Test("a download that breaks off repeatedly is complete in the end, and no byte is sent twice")
    func brokenOff() async throws {
        try await withDepot { depot async throws in
            let queue = depot.queue("downloads", slots: 1)
            for _ in 0..<3 {
                await depot.server.breakOff(chapter, after: 50_000)
                let download = depot.download(chapter)
                queue.addOperation(download)
                await download.finished()
                #expect(download.failure is TransferFailure)
            }
            let rest = depot.download(chapter)
            queue.addOperation(rest)
            _ = try await rest.value
            try depot.check(chapter, holds: SampleFiles.all[chapter])
            let firstBytes = await depot.server.requests.map(\.firstByte)
            #expect(firstBytes == [0, 50_000, 100_000, 150_000])
        }
    }

    @Test("a download that was cancelled before its start asks for nothing, and leaves nothing")
    func cancelledBefore() async throws {
        try await withDepot { depot async throws in
            let download = depot.download(chapter)
            download.cancel()
            depot.queue("downloads", slots: 1).addOperation(download)
            await download.finished()
            #expect(download.output?.isCancellation == true)
            #expect(try depot.contents() == [])
            let requests = await depot.server.requests
            #expect(requests == [])
        }
    }

    @Test("a download of a file that is not there fails with the reason, and leaves nothing")
    func missing() async throws {
        try await withDepot { depot async throws in
            let download = depot.download(SampleFiles.missing)
            depot.queue("downloads", slots: 1).addOperation(download)
            await download.finished()
            #expect((download.failure as? HTTPFailure)?.status == 404)
            #expect(try depot.contents() == [])
        }
    }
}
