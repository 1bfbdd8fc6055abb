import GraphvizRendering
import Inspector

/// The graph of a trace as it is written: Graphviz's text and what it is rendered to, Mermaid's text, a
/// summary with that in it, and one for programs.
struct GraphOutput {
    let graph: DrawnGraph

    /// The graph as `format` can hold it.
    init(_ analysis: TraceAnalysis, _ options: GraphOptions, for format: OutputFormat) throws(GraphError) {
        graph =
            format == .mermaid || format == .markdown
            ? try MermaidGraph.fitting(analysis, options) : try DrawnGraph(analysis, options)
    }

    /// The ending of a file that nobody has named: beside `trace.json` that of JSON is another.
    static func suffix(of format: OutputFormat) -> String {
        format == .json ? "graph.json" : format.suffixes[0]
    }
}

extension GraphOutput: Writable {
    static var renderers: [Renderer<GraphOutput>] {
        let pictures = [
            rendered(.svg, as: .svg), rendered(.png, as: .png), rendered(.pdf, as: .pdf),
        ]
        let dot = [Renderer<GraphOutput>(.dot, text: { output, _ in DOTGraph(output.graph).text })]
        // A program without Graphviz draws what one with it can render.
        return (GraphvizRenderer.isAvailable ? pictures + dot : dot + pictures) + [
            Renderer(.mermaid, text: { output, _ in MermaidGraph(output.graph).text }),
            Renderer(.markdown, text: { output, _ in MarkdownSummary(output.graph).text }),
            Renderer(.json, bytes: { output, _ in GraphJSON(output.graph).bytes }),
        ]
    }

    private static func rendered(
        _ format: OutputFormat, as graphviz: RenderFormat
    ) -> Renderer<GraphOutput> {
        Renderer(
            format,
            bytes: { output, _ in
                try GraphvizRenderer.render(dot: DOTGraph(output.graph).text, format: graphviz)
            })
    }
}
