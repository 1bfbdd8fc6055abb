/// The executed graph as a Mermaid flowchart, which GitHub draws in Markdown inside a code block with the
/// language `mermaid`.
///
/// GitHub does not draw more than 500 edges or 50,000 characters: create the graph with ``fitting(_:_:)``.
public struct MermaidGraph: Sendable {
    private static let longestName = 28
    /// In UTF-16 units, as Mermaid counts.
    static let mostCharacters = 48_000
    private static let mostArrows = 450

    private let graph: DrawnGraph
    private var theme: PictureTheme { graph.options.theme }

    /// Takes the graph as it is; ``fitting(_:_:)`` creates one that GitHub draws.
    public init(_ graph: DrawnGraph) { self.graph = graph.asPicture }

    /// A graph that fits. It contains less if names are very long. Linear.
    ///
    /// - Parameter options: their bounds are ignored.
    /// - Throws: as `DrawnGraph` does; also if nothing may be combined, and the graph is too large.
    public static func fitting(_ analysis: TraceAnalysis, _ options: GraphOptions) throws(GraphError)
        -> DrawnGraph
    {
        var options = options
        var bounds = GraphBounds.mermaid
        options.bounds = bounds
        options.layout = .ranks
        var graph = try DrawnGraph(analysis, options)
        while !fits(graph) {
            guard options.collapse != .none, bounds.collapsedNodes > 2 else {
                throw GraphError(
                    "\(Prose.counted(graph.nodes.count, "node")) and "
                        + "\(Prose.counted(graph.edges.count, "edge")) exceed Mermaid's limits; draw a "
                        + "part, or leave out --collapse none")
            }
            bounds = bounds.halved
            options.bounds = bounds
            graph = try DrawnGraph(analysis, options)
        }
        return graph
    }

    private static func fits(_ graph: DrawnGraph) -> Bool {
        graph.edges.count <= mostArrows && graph.nodes.count <= 1_000
            && MermaidGraph(graph).text.utf16.count <= mostCharacters
    }

    /// The same trace gives the same bytes.
    public var text: String {
        let heading = PictureHeading(graph.analysis)
        var lines = [
            "---", "title: \"\(Self.plain(heading.process)): \(heading.figures.joined(separator: " · "))\"",
            "---",
            "flowchart \(graph.options.direction == .right ? "LR" : "TD")",
        ]
        for statement in (heading.verdict.map { [$0] } ?? []) + graph.statements {
            lines.append("  %% " + Self.plain(statement))
        }
        let outline = GraphOutline(graph)
        for cluster in outline.roots { append(cluster, outline, to: &lines) }
        for node in outline.outside { lines.append("  " + statement(node)) }
        for edge in graph.edges { lines.append("  " + arrow(edge)) }
        lines += blocks(outline).map { "  " + $0 }
        lines += styles.map { "  " + $0 }
        return lines.joined(separator: "\n") + "\n"
    }

    private func append(_ cluster: Int, _ outline: GraphOutline, to lines: inout [String]) {
        let indent = String(repeating: "  ", count: graph.clusters[cluster].depth)
        let label = MermaidText.escaped(GraphClusterText(graph, cluster).text)
        lines.append("\(indent)subgraph cluster\(cluster)[\"\(label)\"]")
        for node in outline.nodes[cluster] { lines.append("\(indent)  " + statement(node)) }
        for inner in outline.inner[cluster] { append(inner, outline, to: &lines) }
        lines.append("\(indent)end")
    }

    private func statement(_ node: Int) -> String {
        let text = GraphNodeText(graph, node)
        let names = [text.title, text.subtitle ?? ""].filter { !$0.isEmpty }.map {
            MermaidText.escaped(TerminalText.shortened($0, toColumns: Self.longestName))
        }
        var label = text.mark + names.joined(separator: "<br/>")
        label += (label.isEmpty ? "" : "<br/>") + text.figures
        for detail in text.details + [text.critical].compactMap(\.self) { label += "<br/>" + detail }
        for line in text.unfinished { label += "<br/>" + MermaidText.escaped(line) }
        let drawn = graph.nodes[node]
        let (open, close) = if case .operation = drawn.content { ("(", ")") } else { ("[[", "]]") }
        return "\(graph.identifier(of: node))\(open)\"\(label)\"\(close):::\(Self.name(of: drawn.ending))"
    }

    private func arrow(_ edge: DrawnGraph.Edge) -> String {
        let (from, to) = (graph.identifier(of: edge.from), graph.identifier(of: edge.to))
        let line =
            edge.isAcrossProcesses
            ? "o==>" : edge.relation != .dependency ? "-.->" : edge.critical > 0 ? "==>" : "-->"
        let words = [
            edge.isAcrossProcesses ? "another process" : nil,
            graph.label(of: edge).map { edge.relation.isUnfinished ? "\"\(MermaidText.escaped($0))\"" : $0 },
        ].compactMap { $0 }
        return "\(from) \(line)\(words.isEmpty ? "" : "|\(words.joined(separator: ", "))|") \(to)"
    }

    /// Invisible arrows. They come last, because styles refer to arrows by number, and Mermaid counts all of
    /// them.
    private func blocks(_ outline: GraphOutline) -> [String] {
        let links = GraphBlocks(graph, outline).links
        guard graph.edges.count + links.count <= Self.mostArrows else { return [] }
        return links.map { "\(graph.identifier(of: $0.from)) ~~~ \(graph.identifier(of: $0.to))" }
    }

    private var styles: [String] {
        let present = Set(graph.nodes.map(\.ending))
        var styles = OperationEnding.allCases.filter(present.contains).map { ending in
            let dashes = ending == .cancelled || ending == .unobserved ? ",stroke-dasharray:4 3" : ""
            let width = ending == .failed || ending == .unfinished ? ",stroke-width:2px" : ""
            return
                "classDef \(Self.name(of: ending)) fill:\(theme.fill(ending)),stroke:\(theme.border(ending)),"
                + "color:\(theme.text)\(dashes)\(width)"
        }
        if graph.nodes.contains(where: \.isWhollyCritical) {
            let nodes = graph.nodes.indices.filter { graph.nodes[$0].isWhollyCritical }.map(graph.identifier)
            styles.append("classDef critical stroke:\(theme.critical),stroke-width:4px")
            styles.append("class \(nodes.joined(separator: ",")) critical")
        }
        let critical = graph.edges.indices.filter { graph.edges[$0].critical > 0 }
        if !critical.isEmpty {
            let numbers = critical.map(String.init).joined(separator: ",")
            styles.append("linkStyle \(numbers) stroke:\(theme.critical),stroke-width:3px")
        }
        let blocked = graph.edges.indices.filter {
            graph.edges[$0].relation.isUnfinished || graph.edges[$0].isInCircle
        }
        if !blocked.isEmpty {
            let numbers = blocked.map(String.init).joined(separator: ",")
            styles.append("linkStyle \(numbers) stroke:\(theme.blocked),stroke-width:2px")
        }
        return styles
    }

    private static func name(of ending: OperationEnding) -> String { "\(ending)" }

    /// For the title and for comments, where Mermaid has no escapes: removes characters with a meaning.
    private static func plain(_ text: String) -> String {
        let meaning: Set<Unicode.Scalar> = ["\"", "\\", "{", "}", "<", ">", "&", "#", ";", "`", "%", "-"]
        let scalars = MarkupText.visible(text).replacing("; ", with: ", ").unicodeScalars.map {
            meaning.contains($0) ? " " : $0
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
