import InspectorColumns

/// Assigns each operation of a trace to a node.
struct GraphFolding {
    /// The node of each operation, or -1 if it is not drawn.
    private(set) var nodes: [Int32]
    private(set) var contents: [DrawnGraph.Node.Content]
    /// How many operations each node has.
    private(set) var counts: [Int]

    /// Orders nodes by the first of their operations in the trace. Linear.
    init(_ collapse: GraphOptions.Collapse, _ trace: Trace, _ selection: GraphSelection) {
        let columns = trace.operations.store.columns
        switch collapse {
        case .none, .auto:
            self.init(selection, columns.count, keys: columns.count, { $0 }, { .operation($0) })
        case .kind:
            self.init(
                selection, columns.count, keys: columns.kindTexts.count, { Int(columns.kinds[$0]) },
                { .kind($0) })
        case .queue:
            let none = trace.queues.count
            self.init(selection, columns.count, keys: none + 1) { index in
                let queue = Int(columns.queues[index])
                return queue >= 0 && queue < none ? queue : none
            } _: {
                $0 == none ? .noQueue : .queue($0)
            }
        case .group:
            let roots = OperationRoots(trace)
            self.init(selection, columns.count, keys: columns.count, { roots[$0] }, { .group($0) })
            // A single operation stands for itself. The only drawn operation of a group need not be the
            // outermost one.
            for (index, node) in nodes.enumerated() where node >= 0 && counts[Int(node)] == 1 {
                contents[Int(node)] = .operation(index)
            }
        }
    }

    private init(
        _ selection: GraphSelection, _ count: Int, keys: Int, _ key: (Int) -> Int,
        _ content: (Int) -> DrawnGraph.Node.Content
    ) {
        nodes = Array(repeating: -1, count: count)
        contents = []
        counts = []
        var nodeOfKey = [Int32](repeating: -1, count: keys)
        for index in 0..<count where selection.keeps(index) {
            let key = key(index)
            if nodeOfKey[key] < 0 {
                nodeOfKey[key] = Int32(contents.count)
                contents.append(content(key))
                counts.append(0)
            }
            let node = nodeOfKey[key]
            nodes[index] = node
            counts[Int(node)] += 1
        }
    }

    /// Keeps the nodes with the longest total execution, up to `limit` nodes. The others become one node, the
    /// last. Linear in operations.
    mutating func keepLargest(_ limit: Int, _ analysis: TraceAnalysis) {
        guard contents.count > limit else { return }
        var weights = [Int64](repeating: 0, count: contents.count)
        let own = analysis.ownExecution
        for (index, node) in nodes.enumerated() where node >= 0 {
            weights[Int(node)] = weights[Int(node)].saturatingAdd(own[index])
        }
        // Nodes that were combined before stay combined.
        let before = contents.map { if case .others(let count) = $0 { count } else { 0 } }
        let ranked = contents.indices.sorted {
            (before[$0], weights[$1], counts[$1], $0) < (before[$1], weights[$0], counts[$0], $1)
        }
        let kept = ranked.prefix(limit - 1).sorted()
        var numbers = [Int32](repeating: Int32(kept.count), count: contents.count)
        for (number, node) in kept.enumerated() { numbers[node] = Int32(number) }
        for index in nodes.indices where nodes[index] >= 0 { nodes[index] = numbers[Int(nodes[index])] }
        let others = ranked.dropFirst(limit - 1).reduce(0) { $0 + counts[$1] }
        contents =
            kept.map { contents[$0] } + [
                .others(ranked.dropFirst(limit - 1).reduce(0) { $0 + max(1, before[$1]) })
            ]
        counts = kept.map { counts[$0] } + [others]
    }
}

/// For each operation, the outermost operation that it was added in, over any number of steps; itself if the
/// program added it.
struct OperationRoots {
    private let roots: [Int32]

    subscript(index: Int) -> Int { Int(roots[index]) }

    /// Linear. If operations are each other's parents, the first one that is reached counts as the outermost.
    init(_ trace: Trace) {
        let columns = trace.operations.store.columns
        var roots = [Int32](repeating: -1, count: columns.count)
        var path: [Int] = []
        for index in roots.indices where roots[index] < 0 {
            path.removeAll(keepingCapacity: true)
            var current = index
            while roots[current] < 0 {
                // Reached again before the end: a cycle.
                roots[current] = Int32(current)
                path.append(current)
                let parent = Int(columns.parents[current])
                if parent < 0 || parent >= roots.count { break }
                current = parent
            }
            let root = roots[current]
            for member in path { roots[member] = root }
        }
        self.roots = roots
    }
}
