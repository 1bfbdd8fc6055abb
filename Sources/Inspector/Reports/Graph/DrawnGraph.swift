/// The executed graph as it is drawn, in whatever format: which operations are which node, what each node has
/// to tell, and what the arrows stand for.
///
/// Every operation of the trace is a node, or is counted in one, but for those that a filter left out, which
/// are counted in ``notes``.
public struct DrawnGraph: Sendable {
    struct Node: Sendable {
        enum Content: Hashable, Sendable {
            /// Indices into the trace's operations, kinds, or queues.
            case operation(Int)
            case kind(Int)
            /// The outermost operation, with all that was added in it.
            case group(Int)
            case queue(Int)
            case noQueue
            /// So many nodes in one.
            case others(Int)
        }

        let content: Content
        /// Of operations.
        let count: Int
        /// By `OperationEnding.allCases`.
        var endings: [Int]
        /// All together.
        var waits = Waits()
        /// Of those that started; `nil` for a node that is one operation.
        var execution: Distribution?
        /// How many of them the critical path leads through.
        var critical = 0
        /// The least of them, through dependencies. `nil` where it was not asked for.
        var slack: Int64?
        /// Index into the graph's clusters.
        var cluster: Int?
        /// The queue that all of them are in; of a group, that of its outermost operation.
        var queue: Int?
        /// Of those that never finished the one to look at first; `nil` for a node that is one operation.
        var lead: UnfinishedLead?
        /// How many of them the focus of the filter names.
        var focused = 0

        var isCritical: Bool { critical > 0 }

        /// Of one operation.
        var meanWaits: Waits { waits.mean(over: count, started: execution?.count ?? count) }

        func count(_ ending: OperationEnding) -> Int {
            endings[OperationEnding.allCases.firstIndex(of: ending) ?? 0]
        }

        /// That of most of them; of several the first that is not success.
        var ending: OperationEnding {
            let most = endings.max() ?? 0
            let all = OperationEnding.allCases.filter { count($0) == most }
            return all.first { $0 != .succeeded } ?? .succeeded
        }
    }

    /// Slack costs more than the picture of a large trace.
    private static let mostWithSlack = 20_000
    /// Graphviz would lay out more for minutes.
    private static let mostRanked = (nodes: 1_000, edges: 2_000)

    let analysis: TraceAnalysis
    let options: GraphOptions
    let nodes: [Node]
    let edges: [Edge]
    let clusters: [GraphClusters.Cluster]
    let collapse: GraphOptions.Collapse
    let layout: GraphOptions.Layout
    /// Of a merged trace; empty for others.
    let processTitles: [String]
    /// By operation: its node, or -1.
    let nodeOfOperation: [Int32]
    /// Operations that a filter left out, and dependencies that lead to them or between them.
    let omitted: (operations: Int, edges: Int)
    /// What is put together, what is left out and why, a sentence each, without a full stop.
    public let notes: [String]
    /// The same without reasons and advice, as it stands in the picture.
    let statements: [String]

    var trace: Trace { analysis.trace }

    /// Linear in operations and edges; whatever the trace, the nodes and edges of a collapsed graph are few.
    ///
    /// - Throws: `GraphError` where a filter names what is not there or leaves nothing, and where `--collapse
    ///   none` would draw more than any picture can hold.
    public init(_ analysis: TraceAnalysis, _ options: GraphOptions = GraphOptions()) throws(GraphError) {
        let selection = try GraphSelection(options.filter, analysis)
        let collapsing = try GraphCollapsing(options, analysis, selection)
        var figures = GraphFigures(analysis, collapsing.folding)
        if options.coloring == .slack || analysis.trace.operations.count <= Self.mostWithSlack {
            figures.addSlack(analysis, collapsing.folding)
        }
        var nodes = figures.nodes
        let clusters = GraphClusters(analysis.trace, nodes)
        for (node, cluster) in clusters.ofNode.enumerated() { nodes[node].cluster = cluster }
        let leads = UnfinishedLeads(analysis, collapsing.folding, nodes).leads
        for (node, lead) in leads.enumerated() { nodes[node].lead = lead }
        for index in selection.focus where collapsing.folding.nodes[index] >= 0 {
            nodes[Int(collapsing.folding.nodes[index])].focused += 1
        }
        var edges = collapsing.edges.edges
        // A path that took no time says nothing: of operations that never ran it is any one of them.
        if analysis.criticalPath.length == 0 {
            for node in nodes.indices { nodes[node].critical = 0 }
            for edge in edges.indices { edges[edge].critical = 0 }
        }

        self.analysis = analysis
        self.options = options
        self.nodes = nodes
        self.clusters = clusters.clusters
        processTitles = analysis.trace.isMerged ? ProcessNames(analysis.trace).titles : []
        self.edges = edges
        collapse = collapsing.collapse
        nodeOfOperation = collapsing.folding.nodes
        omitted = (analysis.trace.operations.count - selection.count, collapsing.edges.omitted)
        let isLarge = nodes.count > Self.mostRanked.nodes || edges.count > Self.mostRanked.edges
        layout = options.layout ?? (isLarge ? .timeline : .ranks)
        let notes = GraphNotes(
            analysis.trace, options, selection, collapsing, isMoved: options.layout == nil && isLarge)
        self.notes = notes.sentences
        statements = notes.statements
    }

    /// A name for the node that a program can go by: `n12` for the thirteenth operation of the log, `kind3`.
    func identifier(of node: Int) -> String {
        switch nodes[node].content {
        case .operation(let index): "n\(index)"
        case .kind(let kind): "kind\(kind)"
        case .group(let index): "group\(index)"
        case .queue(let queue): "queue\(queue)"
        case .noQueue: "noqueue"
        case .others: "others"
        }
    }
}
