import ArgumentParser
import Foundation
import GraphvizRendering
import Inspector

/// The formats of the graph: Graphviz's text and what it is rendered to, Mermaid's text, a summary with that in it, and one
/// for programs.
enum PictureFormat: String, CaseIterable, ExpressibleByArgument {
    case svg, png, pdf, dot, mermaid, markdown, json

    /// The format that a file's name asks for; without a name SVG, or DOT in a program without Graphviz.
    init(ofFile name: String?) throws {
        guard let name, name != "-" else {
            self = GraphvizRenderer.isAvailable ? .svg : .dot
            return
        }
        switch (name as NSString).pathExtension.lowercased() {
        case "svg": self = .svg
        case "png": self = .png
        case "pdf": self = .pdf
        case "dot", "gv": self = .dot
        case "mmd", "mermaid": self = .mermaid
        case "md", "markdown": self = .markdown
        case "json": self = .json
        default:
            throw CommandError(
                .usage,
                "\(name): the ending names no format; use .svg, .png, .pdf, .dot, .mmd, .md or .json, or say --format"
            )
        }
    }

    /// Of a file that nobody has named: beside `trace.json` that of JSON is another.
    var ending: String {
        switch self {
        case .svg, .png, .pdf, .dot: rawValue
        case .mermaid: "mmd"
        case .markdown: "md"
        case .json: "graph.json"
        }
    }

    /// The graph as this format can hold it.
    func graph(_ analysis: TraceAnalysis, _ options: GraphOptions) throws(GraphError) -> DrawnGraph {
        self == .mermaid || self == .markdown
            ? try MermaidGraph.fitting(analysis, options) : try DrawnGraph(analysis, options)
    }

    func render(_ graph: DrawnGraph) throws -> [UInt8] {
        switch self {
        case .dot: return Array(DOTGraph(graph).text.utf8)
        case .mermaid: return Array(MermaidGraph(graph).text.utf8)
        case .markdown: return Array(MarkdownSummary(graph).text.utf8)
        case .json: return GraphJSON(graph).bytes
        case .svg: return try GraphvizRenderer.render(dot: DOTGraph(graph).text, format: .svg)
        case .png: return try GraphvizRenderer.render(dot: DOTGraph(graph).text, format: .png)
        case .pdf: return try GraphvizRenderer.render(dot: DOTGraph(graph).text, format: .pdf)
        }
    }
}
