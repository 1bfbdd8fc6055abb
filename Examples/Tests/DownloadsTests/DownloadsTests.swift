import Inspector
import Testing

@testable import downloads

@Suite("The program downloads", .timeLimit(.minutes(2)))
struct DownloadsTests {
    @Test("a download does all that it says, and leaves a trace of it", arguments: 1...5)
    func program(_: Int) async throws {
        let trace = try await withDepot { depot async throws in
            if let fault = await depot.fault() { Issue.record(fault) }
        }
        #expect(trace.losses == [])
        #expect(trace.operations.count == 19)
        #expect(trace.operations.allSatisfy { $0.finished?.isExact == true })
        let unsuccessful = trace.operations.filter { $0.outcome != .succeeded }.map(\.displayName)
        #expect(
            Set(unsuccessful) == ["atlas", "join, cancelled", SampleFiles.missing, "join, in vain"])
        #expect(trace["atlas"]?.outcome == .cancelled)
        #expect(trace["join, cancelled"]?.outcome == .cancelled)
    }
}
