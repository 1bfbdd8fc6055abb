import Foundation
import Inspector
import Testing

/// What `opviz lint` says of the six programs that do their work as it should be done.
@Suite("The rules of opviz lint, on programs that do it right")
struct GoodProgramTests {
    @Test(
        "find nothing that --strict fails on",
        arguments: ["quotes", "downloads", "timeline", "trending", "gallery", "words"])
    func findNothing(_ name: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "good-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // It is two processes, and makes one trace of them itself.
        let isMerged = name == "words"
        let path = folder.appending(path: isMerged ? "words.json" : "trace.json").path
        let run = try await HazardRun.program(
            [], of: name, environment: isMerged ? [:] : ["OPVIZ_TRACE": path], in: folder)
        #expect(run.status == 0)
        let trace = try TraceReader(path: path).read()
        try #require(!trace.operations.isEmpty)
        #expect(trace.losses == [])
        let report = HazardReport(trace, atLeast: .warning)
        #expect(report.rules.count == HazardReport.allRules.count)
        #expect(report.groups.isEmpty, "\(HazardText(report).text())")
        // Notes are of time lost, which a busy machine may lose.
        let notes = Set(HazardReport(trace).groups.map(\.rule))
        #expect(notes.isSubset(of: ["dead-air", "over-serialized", "priority-inversion", "slow-to-cancel"]))
    }
}
