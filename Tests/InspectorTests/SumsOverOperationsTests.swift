import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorComparison
@testable import InspectorReports

/// A sum over operations is longer than the run, because many execute and thousands wait at once.
@Suite("Sums over operations")
struct SumsOverOperationsTests {
    private let run = TraceAnalysis(
        trace {
            for index in 0..<200 {
                op("\(index)", kind: "Page", ready: 0, start: 400_000_000, finish: 900_000_000)
            }
        })

    @Test("sums are never shown as times: only work, the sum of executions, exceeds the makespan")
    func texts() throws {
        var options = GraphOptions()
        options.collapse = .kind
        let graph = try DrawnGraph(run, options)
        let comparison = TraceComparison(before: run, after: run)
        let texts =
            [
                RunSummary(run).text(width: 80), MermaidGraph(graph).text, DOTGraph(graph).text,
                ComparisonReport(comparison, before: "a", after: "b").text(),
                ComparisonPicture(comparison, before: "a", after: "b").svg,
            ] + OperationGrouping.allCases.map { TimingTable(run.timings, by: .groups($0)).text() }
        for text in texts {
            let lines = text.split(separator: "\n").filter { !$0.contains("work") }
            #expect(lines.allSatisfy { !$0.contains(/[0-9] (s|min|h)\b/) }, "\(text)")
        }
    }
}
