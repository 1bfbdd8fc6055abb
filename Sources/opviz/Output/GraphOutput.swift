import GraphvizRendering
import Inspector

/// The outputs of a trace's graph: Graphviz's text and pictures, Mermaid's text, a summary with a graph, and
/// JSON.
struct GraphOutput {
    let graph: DrawnGraph

    /// The graph in the size that `format` allows.
    init(_ analysis: TraceAnalysis, _ options: GraphOptions, for format: OutputFormat) throws(GraphError) {
        graph =
            format == .mermaid || format == .markdown
            ? try MermaidGraph.fitting(analysis, options) : try DrawnGraph(analysis, options)
    }

    /// The extension for a file without a given name. `trace.json` may exist already, so JSON has another
    /// one.
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
        // Without Graphviz, the default is the text, which another program can render.
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
