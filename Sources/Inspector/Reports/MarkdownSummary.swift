/// A run as a comment for a pull request: its figures, the findings of `lint`, the times of its kinds, and
/// its graph in a block that GitHub draws.
public struct MarkdownSummary: Sendable {
    private static let mostFindings = 10
    private static let mostKinds = 20

    private let graph: DrawnGraph

    /// - Parameter graph: a graph that fits into Mermaid.
    public init(_ graph: DrawnGraph) { self.graph = graph }

    /// Markdown in which text of the trace is never markup. The same trace gives the same bytes. Cost: nearly
    /// linear in operations and edges.
    public var text: String {
        let analysis = graph.analysis
        var blocks = ["## " + MarkdownText.escaped(PictureHeading(analysis).process)]
        blocks.append(figures(analysis))
        blocks += findings(HazardReport(analysis))
        blocks.append(
            folded(
                "How long it took, by kind",
                TimingTable(analysis.timings, by: .groups(.kind), order: .execution, limit: Self.mostKinds)
                    .markdown()))
        blocks.append(folded("The graph", "```mermaid\n" + MermaidGraph(graph).text + "```\n"))
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private func figures(_ analysis: TraceAnalysis) -> String {
        let rows = RunSummary(analysis).facts.map { label, text in
            "| \(label) | \(MarkdownText.escaped(text)) |"
        }
        return (["| | |", "|---|---|"] + rows).joined(separator: "\n")
    }

    private func findings(_ report: HazardReport) -> [String] {
        let all = report.groups.flatMap { group in group.findings.map { (group.rule, $0) } }
        let count = report.groups.reduce(0) { $0 + $1.count }
        guard count > 0 else { return ["`lint` found no problems."] }
        var lines = all.prefix(Self.mostFindings).map { rule, finding in
            "- **\(finding.severity.rawValue)** `\(rule)`: \(MarkdownText.escaped(finding.summary))"
        }
        if count > lines.count { lines.append("- … \(Prose.counted(count - lines.count, "finding")) more") }
        return [lines.joined(separator: "\n")]
    }

    private func folded(_ title: String, _ content: String) -> String {
        "<details><summary>\(title)</summary>\n\n\(content)\n</details>"
    }
}
