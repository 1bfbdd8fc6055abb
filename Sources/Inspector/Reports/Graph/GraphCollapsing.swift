import InspectorColumns

/// Chooses how to combine operations, to limit the size of the picture.
struct GraphCollapsing {
    let collapse: GraphOptions.Collapse
    let folding: GraphFolding
    let edges: DrawnEdges

    /// A picture with fewer queues than this shows too little.
    private static let fewestQueues = 10
    /// Up to this many kinds are always drawn.
    private static let fewestKinds = 12

    /// For `auto`, the finest way that fits. Otherwise the requested way; if it gives too many nodes, the
    /// smallest are combined into one.
    ///
    /// Linear in operations and edges, a few times.
    ///
    /// - Throws: `GraphError` if nothing may be combined, and there is more than any picture can hold.
    init(
        _ options: GraphOptions, _ analysis: TraceAnalysis, _ selection: GraphSelection,
        _ waits: UnfinishedWaits
    ) throws(GraphError) {
        let bounds = options.effectiveBounds
        switch options.collapse {
        case .none:
            try Self.check(selection.count, "operation", GraphBounds.mostNodes)
            self.init(.none, analysis, selection, waits)
            try Self.check(edges.edges.count, "edge", GraphBounds.mostEdges)
        case .auto:
            self = Self.finest(analysis, selection, waits, bounds, options.direction)
        case .kind, .group, .queue:
            self.init(
                options.collapse, analysis, selection, waits, nodes: bounds.nodes, edges: bounds.edges)
        }
    }

    private init(
        _ collapse: GraphOptions.Collapse, _ analysis: TraceAnalysis, _ selection: GraphSelection,
        _ waits: UnfinishedWaits
    ) {
        self.collapse = collapse
        folding = GraphFolding(collapse, analysis.trace, selection)
        edges = DrawnEdges(analysis, folding, waits)
    }

    private init(
        _ collapse: GraphOptions.Collapse, _ analysis: TraceAnalysis, _ selection: GraphSelection,
        _ waits: UnfinishedWaits, nodes: Int,
        edges limit: Int
    ) {
        var folding = GraphFolding(collapse, analysis.trace, selection)
        var nodes = nodes
        folding.keepLargest(nodes, analysis)
        var edges = DrawnEdges(analysis, folding, waits)
        while edges.edges.count > limit, folding.contents.count > 2 {
            // Few nodes have few pairs, so this ends.
            nodes = max(2, folding.contents.count / 2)
            folding.keepLargest(nodes, analysis)
            edges = DrawnEdges(analysis, folding, waits)
        }
        self.collapse = collapse
        self.folding = folding
        self.edges = edges
    }

    private static func finest(
        _ analysis: TraceAnalysis, _ selection: GraphSelection, _ waits: UnfinishedWaits,
        _ bounds: GraphBounds,
        _ direction: GraphOptions.Direction
    ) -> GraphCollapsing {
        let trace = analysis.trace
        func isLegible(_ nodes: Int, _ edges: DrawnEdges) -> Bool {
            !bounds.isJudged
                || GraphLegibility(nodes: nodes, edges: edges.edges, direction: direction).isLegible
        }
        // Operations that are not drawn may have more edges than that.
        if selection.count <= bounds.nodes {
            let whole = GraphCollapsing(.none, analysis, selection, waits)
            if whole.edges.edges.count <= bounds.edges, isLegible(selection.count, whole.edges) {
                return whole
            }
        }
        func fitting(_ collapse: GraphOptions.Collapse, _ nodes: Int, _ edges: Int) -> GraphCollapsing? {
            let folding = GraphFolding(collapse, trace, selection)
            guard folding.contents.count <= nodes else { return nil }
            let drawn = DrawnEdges(analysis, folding, waits)
            return drawn.edges.count <= edges && isLegible(folding.contents.count, drawn)
                ? GraphCollapsing(collapse: collapse, folding: folding, edges: drawn) : nil
        }
        let hasGroups = !trace.operations.store.columns.parents.values.isEmpty
        if hasGroups, let groups = fitting(.group, bounds.nodes, bounds.edges),
            groups.folding.contents.count > 1
        {
            return groups
        }
        let kinds = GraphFolding(.kind, trace, selection).contents.count
        if kinds > 1 || trace.queues.count <= 1,
            let kinds = fitting(.kind, bounds.collapsedNodes, bounds.collapsedEdges)
        {
            return kinds
        }
        if trace.queues.count >= fewestQueues || kinds == 1,
            let queues = fitting(.queue, bounds.collapsedNodes, bounds.collapsedEdges)
        {
            return queues
        }
        // Reduces the number of nodes until the picture is legible.
        var (nodes, edges) = (bounds.collapsedNodes, bounds.collapsedEdges)
        while true {
            let largest = GraphCollapsing(
                .kind, analysis, selection, waits, nodes: nodes, edges: edges)
            if nodes <= fewestKinds || isLegible(largest.folding.contents.count, largest.edges) {
                return largest
            }
            (nodes, edges) = (max(fewestKinds, nodes * 2 / 3), max(4, edges * 2 / 3))
        }
    }

    private init(collapse: GraphOptions.Collapse, folding: GraphFolding, edges: DrawnEdges) {
        self.collapse = collapse
        self.folding = folding
        self.edges = edges
    }

    private static func check(_ count: Int, _ noun: String, _ most: Int) throws(GraphError) {
        guard count > most else { return }
        throw GraphError(
            "\(Prose.counted(count, noun)) exceed the limit of a picture (\(Prose.grouped(most))); "
                + "draw a part (--focus, --critical, --kind, --queue, --window), or leave out "
                + "--collapse none")
    }
}
