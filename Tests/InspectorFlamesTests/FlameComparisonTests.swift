import InspectorAnalysis
import TestTraces
import Testing

@testable import InspectorFlames

@Suite("FlameComparison")
struct FlameComparisonTests {
    /// This many operations of 40 ms in `work`, and of that long in `extra`.
    private func profile(count: Int64, _ extra: String, _ length: Int64) throws -> StackProfile {
        var run = SampledRun()
        for index in 0..<count {
            run.execute("Work", index * 100..<index * 100 + 99, thread: 7)
            run.sample(["main", "work"], 40, at: index * 100, thread: 7)
            run.sample(["main", extra], length, at: index * 100 + 40, thread: 7)
        }
        return try #require(StackProfile(TraceTimings(run.trace)))
    }

    @Test("a flame comparison compares runs of different numbers of operations by execution")
    func normalized() throws {
        let comparison = FlameComparison(
            before: try profile(count: 4, "extra", 10), after: try profile(count: 12, "extra", 30))
        #expect(comparison.functions.map(\.label.name) == ["extra", "work"])
        let (extra, work) = (comparison.functions[0], comparison.functions[1])
        #expect(extra.change.before == 120e6 && extra.change.after == 360_000_000)
        #expect(extra.change.isProven && extra.executions == 12)
        #expect(work.change.difference == 0 && !work.change.isProven)
        #expect(comparison.changes.map(\.isProven).count == comparison.tree.nodes.count)
    }

    @Test("a flame comparison does not call a difference proven that chance explains")
    func chance() throws {
        let comparison = FlameComparison(
            before: try profile(count: 1, "extra", 10), after: try profile(count: 1, "extra", 14))
        #expect(comparison.functions.allSatisfy { !$0.change.isProven })
    }

    @Test("a flame comparison has functions and kinds that are new or gone")
    func newAndGone() throws {
        let comparison = FlameComparison(
            before: try profile(count: 4, "old", 30), after: try profile(count: 4, "young", 30))
        #expect(comparison.functions.map(\.label.name) == ["young", "work", "old"])
        #expect(comparison.functions[0].change.before == 0 && comparison.functions[2].change.after == 0)
        var other = SampledRun()
        other.execute("Other", 0..<99, thread: 7)
        other.sample(["other"], 50, at: 0, thread: 7)
        let profile = try #require(StackProfile(TraceTimings(other.trace)))
        let kinds = FlameComparison(before: try self.profile(count: 4, "old", 30), after: profile)
        #expect(kinds.newKinds == ["Other"] && kinds.goneKinds == ["Work"])
    }

    @Test("a flame comparison is written as before", arguments: ["text", "svg"])
    func goldens(format: String) throws {
        let runs = try [FlameReportTests.run(), FlameReportTests.run(slower: 30)].map {
            try #require(StackProfile(TraceTimings($0.trace)))
        }
        let output = FlameComparisonOutput(
            before: runs[0], after: runs[1], names: ("before.json", "after.json"))
        let renderer = try #require(FlameComparisonOutput.renderers.first { $0.format.name == format })
        try Golden("flame-diff.\(renderer.format.suffixes[0])")
            .expect(String(decoding: try output.bytes(renderer.format), as: UTF8.self))
    }
}
