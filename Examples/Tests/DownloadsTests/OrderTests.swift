import Foundation
import Inspector
import Ops
import OpsNetwork
import Testing

@testable import downloads

@Suite("The order of downloads", .timeLimit(.minutes(2)))
struct OrderTests {
    /// All orders of the four levels.
    private static let orders = permutations(QualityOfService.levels)

    @Test("is the order of addition in a queue with one slot, for any quality of service", arguments: orders)
    func serial(levels: [QualityOfService]) async throws {
        let trace = try await withDepot { depot async throws in
            let downloads = zip(SampleFiles.chapters, levels).map { file, level in
                depot.download(file, qualityOfService: level)
            }
            let queue = depot.queue("serial", slots: 1)
            queue.isSuspended = true
            for download in downloads { queue.addOperation(download) }
            queue.isSuspended = false
            for download in downloads { _ = try await download.value }
        }
        #expect(trace.started(in: "serial") == SampleFiles.chapters)
        let operations = SampleFiles.chapters.compactMap { trace[$0] }
        for (earlier, later) in zip(operations, operations.dropFirst()) {
            let (end, start) = (try #require(earlier.finished), try #require(later.executing))
            #expect(end.notAfter <= start.notBefore)
        }
    }

    @Test("is in a queue of two slots that of their quality of service", arguments: orders)
    func byQualityOfService(levels: [QualityOfService]) async throws {
        let trace = try await withDepot { depot async throws in
            try await depot.download(levels.map { ($0, nil) }, pastAnother: "queue")
        }
        #expect(
            trace.started(in: "queue") == [
                SampleFiles.atlas, "user-interactive", "user-initiated", "utility", "background",
            ])
    }

    @Test("is that of their priority, if set")
    func byPriority() async throws {
        let trace = try await withDepot { depot async throws in
            try await depot.download(
                [(.userInteractive, .veryLow), (.userInitiated, nil), (.background, .veryHigh)],
                pastAnother: "queue")
        }
        #expect(
            trace.started(in: "queue") == [
                SampleFiles.atlas, "background", "user-initiated", "user-interactive",
            ])
    }

    @Test("is not delayed by a cancelled or failed one")
    func goesOn() async throws {
        let trace = try await withDepot { depot async throws in
            let files = [SampleFiles.chapters[0], SampleFiles.chapters[1], SampleFiles.missing, "chapter-3"]
            let downloads = files.map { depot.download($0) }
            await depot.server.standStill(files[0], after: 1000)
            await depot.server.standStill(files[1], after: 1000)
            let queue = depot.queue("serial", slots: 1)
            for download in downloads { queue.addOperation(download) }
            try await wait("the first is on its way") { downloads[0].progress.completedUnitCount == 1000 }
            // Before its start; then one that would never end.
            downloads[1].cancel()
            downloads[0].cancel()
            _ = try await downloads[3].value
            try depot.check("chapter-3", holds: SampleFiles.all["chapter-3"])
            let requests = await depot.server.requests.map(\.name)
            #expect(requests == ["chapter-1", "chapter-3"])
        }
        #expect(trace["chapter-1"]?.outcome == .cancelled)
        #expect(trace["chapter-2"]?.outcome == .cancelled)
        #expect(trace["chapter-2"]?.executing == nil)
        #expect(trace.started(in: "serial") == ["chapter-1", SampleFiles.missing, "chapter-3"])
    }
}

extension Depot {
    /// Downloads a picture at each of these levels, all waiting for the one slot that the atlas leaves.
    fileprivate func download(
        _ levels: [(QualityOfService, Operation.QueuePriority?)], pastAnother name: String
    ) async throws {
        let queue = queue(name, slots: 2)
        await server.standStill(SampleFiles.atlas, after: 1000)
        let atlas = download(SampleFiles.atlas)
        queue.addOperation(atlas)
        try await wait("the atlas is on its way") { atlas.progress.completedUnitCount == 1000 }
        queue.isSuspended = true
        let pictures = zip(SampleFiles.pictures, levels).map { file, level in
            let picture = download(file, name: level.0.name, qualityOfService: level.0)
            if let priority = level.1 { picture.queuePriority = priority }
            return picture
        }
        for picture in pictures { queue.addOperation(picture) }
        queue.isSuspended = false
        for picture in pictures { _ = try await picture.value }
        atlas.cancel()
        await atlas.finished()
    }
}

private func permutations<Element>(_ elements: [Element]) -> [[Element]] {
    guard !elements.isEmpty else { return [[]] }
    return elements.indices.flatMap { index in
        var rest = elements
        let first = rest.remove(at: index)
        return permutations(rest).map { [first] + $0 }
    }
}
