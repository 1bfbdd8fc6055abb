/// The executed graph as it is drawn, for all formats: which operations form which node, the figures of each
/// node, and what the arrows represent.
///
/// Every operation of the trace is a node or is counted in one, except for those that a filter left out,
/// which are counted in ``notes``.
public struct DrawnGraph: Sendable {
    struct Node: Sendable {
        enum Content: Hashable, Sendable {
            /// Indices into the trace's operations, kinds, or queues.
            case operation(Int)
            case kind(Int)
            /// The outermost operation, together with everything that was added in it.
            case group(Int)
            case queue(Int)
            case noQueue
            /// Several nodes, combined into one.
            case others(Int)
        }

        let content: Content
        /// The number of operations.
        let count: Int
        /// Counts by `OperationEnding.allCases`.
        var endings: [Int]
        /// The sum over all operations that are not tasks.
        var waits = LifetimeParts()
        /// How many of the operations are tasks, and the sum over those.
        var tasks = 0
        var taskParts = TaskParts()
        /// The sum over all executions; nil if the trace does not say when threads were on processors.
        var parts: ExecutionParts?
        /// The distribution over operations that started, without tasks; `nil` for a node with one operation.
        var execution: Distribution?
        /// How many of them are on the critical path.
        var critical = 0
        /// Their minimum slack, through dependencies. `nil` if it was not requested.
        var slack: Int64?
        /// Index into the graph's clusters.
        var cluster: Int?
        /// The queue of all its operations; for a group, the queue of its outermost operation.
        var queue: Int?
        /// The unfinished operation to look at first; `nil` for a node with one operation.
        var lead: UnfinishedLead?
        /// How many of them match the focus of the filter.
        var focused = 0

        var isCritical: Bool { critical > 0 }

        /// Whether all of its operations are on the critical path, so that its border may say it.
        var isWhollyCritical: Bool { critical > 0 && critical == count }

        /// Which part of it is on the critical path: `1 of 480 on the critical path`. `nil` if nothing is.
        var criticalWords: String? {
            if critical == 0 { return nil }
            let part = critical < count ? "\(Prose.grouped(critical)) of \(Prose.grouped(count)) " : ""
            return part + (part.isEmpty && count > 1 ? "all " : "") + "on the critical path"
        }

        /// The mean over operations that are not tasks.
        var meanWaits: LifetimeParts {
            waits.mean(over: count - tasks, started: execution?.count ?? count - tasks)
        }

        /// The mean over tasks.
        var meanTaskParts: TaskParts { taskParts / Int64(tasks) }

        /// `3 operations and 4 tasks`.
        var members: String { Prose.counted(operations: count - tasks, tasks: tasks) }

        /// The mean over operations that started.
        var meanParts: ExecutionParts? {
            guard let parts else { return nil }
            return parts / Int64(max(1, execution?.count ?? 1))
        }

        func count(_ ending: OperationEnding) -> Int {
            endings[OperationEnding.allCases.firstIndex(of: ending) ?? 0]
        }

        /// The most frequent ending. On a tie, the first one that is not success.
        var ending: OperationEnding {
            let most = endings.max() ?? 0
            let all = OperationEnding.allCases.filter { count($0) == most }
            return all.first { $0 != .succeeded } ?? .succeeded
        }
    }

    /// For larger traces, computing slack costs more than the picture.
    private static let mostWithSlack = 20_000
    /// Graphviz would take minutes to lay out more.
    private static let mostRanked = (nodes: 1_000, edges: 2_000)

    let analysis: TraceAnalysis
    let options: GraphOptions
    let queueLimits: QueueLimits
    let processorUse: ProcessorUse?
    private let waits: UnfinishedWaits
    private(set) var nodes: [Node]
    private(set) var edges: [Edge]
    let clusters: [GraphClusters.Cluster]
    let collapse: GraphOptions.Collapse
    let layout: GraphOptions.Layout
    /// For a merged trace; otherwise empty.
    let processTitles: [String]
    /// The node of each operation, or -1.
    let nodeOfOperation: [Int32]
    /// Operations that a filter left out, and dependencies with at least one such operation.
    let omitted: (operations: Int, edges: Int)
    /// What is combined, what is left out, and why: a sentence each, without a full stop.
    public let notes: [String]
    /// The same without reasons and advice, for the picture.
    let statements: [String]

    var trace: Trace { analysis.trace }

    /// For pictures: without the critical path of a run that stood still.
    var asPicture: DrawnGraph {
        guard analysis.asDrawn.criticalPath.operations.isEmpty else { return self }
        var picture = self
        for node in nodes.indices { (picture.nodes[node].critical, picture.nodes[node].slack) = (0, nil) }
        for edge in edges.indices { picture.edges[edge].critical = 0 }
        return picture
    }

    /// Linear in operations and edges. A collapsed graph has few nodes and edges, whatever the trace.
    ///
    /// - Throws: `GraphError` if a filter names something that does not exist or leaves nothing, and if
    ///   `--collapse none` would draw more than any picture can hold.
    public init(_ analysis: TraceAnalysis, _ options: GraphOptions = GraphOptions()) throws(GraphError) {
        let waits = UnfinishedWaits(analysis)
        let selection = try GraphSelection(options.filter, analysis, waits)
        let collapsing = try GraphCollapsing(options, analysis, selection, waits)
        var figures = GraphFigures(analysis, collapsing.folding)
        if options.coloring == .slack || analysis.trace.operations.count <= Self.mostWithSlack {
            figures.addSlack(analysis, collapsing.folding)
        }
        let use = ProcessorUse(analysis.timings)
        if let use { figures.addParts(use, collapsing.folding) }
        var nodes = figures.nodes
        let clusters = GraphClusters(analysis.trace, nodes)
        for (node, cluster) in clusters.ofNode.enumerated() { nodes[node].cluster = cluster }
        let leads = UnfinishedLeads(analysis, analysis.blockers, collapsing.folding, nodes).leads
        for (node, lead) in leads.enumerated() { nodes[node].lead = lead }
        for index in selection.focus where collapsing.folding.nodes[index] >= 0 {
            nodes[Int(collapsing.folding.nodes[index])].focused += 1
        }
        let edges = collapsing.edges.edges

        self.analysis = analysis
        self.options = options
        processorUse = use
        queueLimits = QueueLimits(analysis)
        self.waits = waits
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

    /// The words at an arrow: how many edges it stands for, and for a wait of an unfinished operation what
    /// holds it up. May contain the name of a queue. `nil` for most arrows.
    func label(of edge: Edge) -> String? {
        let count = edge.count > 1 ? Prose.grouped(edge.count) : nil
        let waiting: Int? = if case .operation(let index) = nodes[edge.to].content { index } else { nil }
        guard let words = waits.words(edge.relation, waiting: waiting, queue: nodes[edge.to].queue) else {
            return count
        }
        return words + (count.map { " (\($0))" } ?? "")
    }

    /// A stable name for the node: `n12` for the thirteenth operation of the log, `kind3`.
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
