/// How to draw the executed graph, and which part of it.
public struct GraphOptions: Sendable {
    /// How to combine operations, so that a large graph is legible.
    public enum Collapse: String, CaseIterable, Sendable {
        /// Combines nothing if the graph is small; otherwise uses the finest way that limits the picture's
        /// size.
        case auto
        /// Draws every operation as a node. Throws for more than 50,000 operations or 200,000 edges.
        case none
        /// Combines all operations of a kind.
        case kind
        /// Combines an operation with everything that was added in it, directly or indirectly.
        case group
        /// Combines all operations of a queue.
        case queue

        /// The noun for a node.
        var noun: String {
            switch self {
            case .auto, .none: "node"
            case .kind, .group, .queue: rawValue
            }
        }
    }

    /// What the fill of a node shows.
    public enum Coloring: String, CaseIterable, Sendable { case outcome, kind, queue, slack }

    /// Heading of a node.
    public enum Label: String, CaseIterable, Sendable { case name, kind, id }

    /// The direction of arrows.
    public enum Direction: String, CaseIterable, Sendable { case right, down }

    /// How nodes are arranged.
    public enum Layout: String, CaseIterable, Sendable {
        /// By dependencies, with Graphviz's `dot`, which takes seconds for a thousand nodes.
        case ranks
        /// By time, in lanes: linear.
        case timeline
    }

    /// How to combine operations; by default as little as the size allows.
    public var collapse = Collapse.auto
    /// What the fill of a node shows.
    public var coloring = Coloring.outcome
    /// Heading of a node.
    public var label = Label.name
    /// The direction of arrows in the layout by ranks.
    public var direction = Direction.right
    /// Light or dark.
    public var theme = PictureTheme.light
    /// `nil` means by ranks, or by time if that would take too long.
    public var layout: Layout?
    /// Which operations are drawn; by default all.
    public var filter = GraphFilter()
    /// `nil` means as much as the layout can show.
    var bounds: GraphBounds?

    /// The defaults of `opviz graph`.
    public init() {}

    /// The requested bounds, or those of the layout.
    var effectiveBounds: GraphBounds { bounds ?? (layout == .timeline ? .timeline : .picture) }
}

/// The size limits of a graph. Beyond them, operations are combined.
struct GraphBounds: Sendable {
    /// Up to these numbers, every operation is drawn by default.
    let nodes: Int
    let edges: Int
    /// The largest number of collapsed nodes. If there are more, the smallest become one node.
    let collapsedNodes: Int
    let collapsedEdges: Int
    /// The reason for the limits, to follow "because", and where to see everything.
    let reason: String
    let alternative: String
    /// Whether a graph within these limits may still be illegible, and has to be checked.
    var isJudged = false

    /// By ranks: as much as Graphviz lays out in about a second, and as is legible then.
    static let picture = GraphBounds(
        nodes: 600, edges: 1_500, collapsedNodes: 60, collapsedEdges: 400,
        reason: "a picture of each operation would be unreadable",
        alternative: "with --layout timeline --collapse none", isJudged: true)
    /// By time: each operation has a bar to scale.
    static let timeline = GraphBounds(
        nodes: 3_000, edges: 10_000, collapsedNodes: 60, collapsedEdges: 400,
        reason: "a picture of each operation would be unreadable", alternative: "with --collapse none")
    /// As much as GitHub renders: Mermaid rejects 500 edges, and 50,000 characters.
    static let mermaid = GraphBounds(
        nodes: 280, edges: 280, collapsedNodes: 100, collapsedEdges: 280,
        reason: "GitHub does not render larger diagrams",
        alternative: "as SVG with --collapse none --layout timeline")

    /// Half of each limit, for a result that was too long.
    var halved: GraphBounds {
        GraphBounds(
            nodes: max(2, nodes / 2), edges: max(4, edges / 2), collapsedNodes: max(2, collapsedNodes / 2),
            collapsedEdges: max(4, collapsedEdges / 2), reason: reason, alternative: alternative,
            isJudged: isJudged)
    }

    /// The absolute limits without collapsing, for all layouts.
    static let mostNodes = 50_000
    static let mostEdges = 200_000
}
