import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorTraces

@Suite("A summary as Markdown")
struct MarkdownSummaryTests {
    private func summary(_ trace: Trace) throws -> String {
        MarkdownSummary(try MermaidGraph.fitting(TraceAnalysis(trace), GraphOptions())).text
    }

    @Test("a summary has the figures, the findings, the kinds and the graph")
    func golden() throws { try Golden("summary.md").expect(summary(quotes())) }

    @Test("a stuck run's Markdown begins with what everything waits for, and has no markup of the trace")
    func hung() throws {
        let text = try summary(
            trace(lastAlive: 5_000_000_000) {
                op("<img src=x>|\n```", ready: 0, start: 0)
                op("next").after("<img src=x>|\n```")
            })
        #expect(text.contains("| never finished | &lt;img src=x&gt;\\|"))
        #expect(text.contains("never-finished"))
        #expect(!text.contains("<img"))
        // The fences of the graph are the only ones.
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("```") } == ["```mermaid", "```"])
    }
}
