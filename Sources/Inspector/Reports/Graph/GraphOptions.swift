/// How the executed graph is drawn, and what of it.
public struct GraphOptions: Sendable {
    /// What operations are put together by, so that a large graph can be read.
    public enum Collapse: String, CaseIterable, Sendable {
        /// Nothing where the graph is small; else the finest that gives a picture of bounded size.
        case auto
        /// Every operation is a node. Throws where there are more than 50,000, or 200,000 edges.
        case none
        /// All operations of a kind.
        case kind
        /// An operation with all that it added, and what these added.
        case group
        /// All operations of a queue.
        case queue

        /// What one of the nodes is.
        var noun: String {
            switch self {
            case .auto, .none: "node"
            case .kind, .group, .queue: rawValue
            }
        }
    }

    /// What the fill of a node says.
    public enum Coloring: String, CaseIterable, Sendable { case outcome, kind, queue, slack }

    /// Heading of a node.
    public enum Label: String, CaseIterable, Sendable { case name, kind, id }

    /// Where arrows lead to.
    public enum Direction: String, CaseIterable, Sendable { case right, down }

    /// How nodes are arranged.
    public enum Layout: String, CaseIterable, Sendable {
        /// By dependencies: Graphviz's `dot`, which takes seconds for a thousand nodes.
        case ranks
        /// By time, in lanes: linear.
        case timeline
    }

    /// What operations are put together by; by default as little as the size allows.
    public var collapse = Collapse.auto
    /// What the fill of a node says.
    public var coloring = Coloring.outcome
    /// Heading of a node.
    public var label = Label.name
    /// Where arrows lead to, in the layout by ranks.
    public var direction = Direction.right
    /// Light or dark.
    public var theme = PictureTheme.light
    /// `nil` is by ranks, or by time where that would take too long.
    public var layout: Layout?
    /// Which operations are drawn; by default all.
    public var filter = GraphFilter()
    /// `nil` is what the layout can show.
    var bounds: GraphBounds?

    /// The defaults of `opviz graph`.
    public init() {}

    /// Asked for, or what the layout can show.
    var effectiveBounds: GraphBounds { bounds ?? (layout == .timeline ? .timeline : .picture) }
}

/// How large a graph may become that operations are put together for.
struct GraphBounds: Sendable {
    /// Up to these every operation is drawn, if nothing else is asked for.
    let nodes: Int
    let edges: Int
    /// Of collapsed nodes no more than these; the least of them become one.
    let collapsedNodes: Int
    let collapsedEdges: Int
    /// Why no more than that, after "because", and where all of them can be seen.
    let reason: String
    let alternative: String
    /// Whether a graph within these may still be too entangled to be read, and has to be judged.
    var isJudged = false

    /// By ranks: what Graphviz lays out in about a second, and what can be read then.
    static let picture = GraphBounds(
        nodes: 600, edges: 1_500, collapsedNodes: 60, collapsedEdges: 400,
        reason: "a picture of each operation would be unreadable",
        alternative: "with --layout timeline", isJudged: true)
    /// By time: each operation has a bar to scale.
    static let timeline = GraphBounds(
        nodes: 3_000, edges: 10_000, collapsedNodes: 60, collapsedEdges: 400,
        reason: "a picture of each operation would be unreadable", alternative: "with --collapse none")
    /// What GitHub renders: Mermaid refuses 500 edges, and 50,000 characters.
    static let mermaid = GraphBounds(
        nodes: 280, edges: 280, collapsedNodes: 100, collapsedEdges: 280,
        reason: "GitHub does not render larger diagrams",
        alternative: "as SVG with --collapse none --layout timeline")

    /// Half of each, for what came out too long.
    var halved: GraphBounds {
        GraphBounds(
            nodes: max(2, nodes / 2), edges: max(4, edges / 2), collapsedNodes: max(2, collapsedNodes / 2),
            collapsedEdges: max(4, collapsedEdges / 2), reason: reason, alternative: alternative,
            isJudged: isJudged)
    }

    /// Without collapsing, no picture has more nodes or edges, by whatever layout.
    static let mostNodes = 50_000
    static let mostEdges = 200_000
}
