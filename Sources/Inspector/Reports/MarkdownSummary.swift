/// A run as a comment for a pull request: its figures, the findings of `lint`, the times of its kinds, and
/// its graph in a block that GitHub draws.
public struct MarkdownSummary: Sendable {
    private static let mostFindings = 10

    private let graph: DrawnGraph

    /// - Parameter graph: a graph that fits into Mermaid.
    public init(_ graph: DrawnGraph) { self.graph = graph }

    /// Markdown in which text of the trace is never markup. The same trace gives the same bytes. Cost: nearly
    /// linear in operations and edges.
    public var text: String {
        // The graph is a picture, whose text nobody reads.
        words + folded("The graph", "```mermaid\n" + MermaidGraph(graph).text + "```\n") + "\n"
    }

    /// Everything except the graph.
    private var words: String {
        let analysis = graph.analysis
        let beginning =
            "## " + MarkdownText.escaped(PictureHeading(analysis).process) + "\n\n"
            + figures(analysis) + "\n\n"
        let report = HazardReport(analysis)
        let table = TimingTable(analysis.timings, by: .groups(.kind), order: .execution)
        return WritingStyle().fitting(rows: Self.mostFindings) { _, rows in
            let kinds = table.shortened(to: rows, ": `opviz table --all`").markdown()
            return beginning + findings(report, most: rows) + "\n\n"
                + folded("How long it took, by kind", kinds) + "\n\n"
        }
    }

    private func figures(_ analysis: TraceAnalysis) -> String {
        let rows = RunSummary(analysis).facts.map { label, text in
            "| \(label) | \(MarkdownText.escaped(text)) |"
        }
        return (["| | |", "|---|---|"] + rows).joined(separator: "\n")
    }

    private func findings(_ report: HazardReport, most: Int) -> String {
        let all = report.groups.flatMap { group in group.findings.map { (group.rule, $0) } }
        let count = report.groups.reduce(0) { $0 + $1.count }
        guard count > 0 else { return "`lint` found no problems." }
        var lines = all.prefix(most).map { rule, finding in
            "- **\(finding.severity.rawValue)** `\(rule)`: \(MarkdownText.escaped(finding.summary))"
        }
        if count > lines.count {
            lines.append("- … \(Prose.counted(count - lines.count, "finding")) more: `opviz lint`")
        }
        return report.counts.joined(separator: ", ") + ":\n\n" + lines.joined(separator: "\n")
    }

    private func folded(_ title: String, _ content: String) -> String {
        "<details><summary>\(title)</summary>\n\n\(content)\n</details>"
    }
}
