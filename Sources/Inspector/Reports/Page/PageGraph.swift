import InspectorColumns

/// The graph of a page: its edges, and the positions of operations and kinds in it.
struct PageGraph {
    /// With more kinds, the picture is not useful.
    private static let mostKinds = 300

    let analysis: TraceAnalysis
    let selection: PageSelection
    /// The kinds in the page's table, by their numbers in the trace.
    let kinds: [Int]

    /// Linear in operations and edges.
    var object: JSONObject {
        let parents = analysis.trace.operations.store.columns.parents
        var edges = selection.edges.map {
            (from: Int32(truncatingIfNeeded: $0.predecessor), to: Int32(truncatingIfNeeded: $0.successor))
        }
        var object = JSONObject()
        addEdges(to: &object)
        if !parents.values.isEmpty {
            for (position, index) in selection.operations.enumerated() {
                guard let parent = selection.position(of: Int(parents[index])), parent != position else {
                    continue
                }
                edges.append((Int32(truncatingIfNeeded: parent), Int32(truncatingIfNeeded: position)))
            }
        }
        let layers = GraphLayers(count: selection.operations.count, edges: edges)
        object.add("column", PageColumn.object(layers.columns.map(Int64.init)))
        object.add("place", PageColumn.object(layers.places))
        object.add("unit", GraphLayers.unit)
        object.add("byKind", byKind(edges))
        let waits = UnfinishedWaits(analysis)
        object.add("waits", self.waits(waits))
        object.add("circle", circle(waits))
        object.add("circleLayout", TimelineCircles.layout)
        object.add("circleMembers", waits.inCircles.compactMap { selection.position(of: $0) }.sorted())
        return object
    }

    /// The dependencies in deadlocks, from whom to whom.
    private func circle(_ all: UnfinishedWaits) -> [Int] {
        all.edgesInCircles.sorted { $0.key < $1.key }.flatMap { waiting, blocker -> [Int] in
            guard let from = selection.position(of: blocker), let to = selection.position(of: waiting) else {
                return []
            }
            return [from, to]
        }
    }

    /// From whom to whom, with words.
    private func waits(_ all: UnfinishedWaits) -> JSONObject {
        let trace = analysis.trace
        var (from, to, words): ([Int], [Int], [String]) = ([], [], [])
        for wait in all.drawn({ selection.position(of: $0) != nil }).waits {
            guard let blocker = selection.position(of: wait.blocker),
                let waiting = selection.position(of: wait.waiting)
            else { continue }
            from.append(blocker)
            to.append(waiting)
            let queue = Int(trace.operations.store.columns.queues[wait.waiting])
            let text = all.words(wait.relation, waiting: wait.waiting, queue: queue)
            words.append(MarkupText.visible(text ?? ""))
        }
        var object = JSONObject()
        object.add("from", from)
        object.add("to", to)
        object.add("words", words)
        return object
    }

    /// For each successor the number of its predecessors, followed by each one's distance before the
    /// successor.
    private func addEdges(to object: inout JSONObject) {
        let (edges, operations, path) = (selection.edges, selection.operations, analysis.criticalPath)
        let grouped = Grouping(edges.lazy.map(\.successor), groups: operations.count)
        object.add("predecessors", PageColumn.object((0..<grouped.count).map { Int64(grouped[$0].count) }))
        object.add(
            "distances",
            PageColumn.object(
                grouped.members.map {
                    let edge = edges[Int($0)]
                    return Int64(edge.successor - edge.predecessor)
                }))
        // 1 for an edge of the critical path.
        object.add(
            "criticalEdges",
            PageColumn.object(
                grouped.members.map {
                    let edge = edges[Int($0)]
                    let original = Trace.Edge(
                        predecessor: operations[edge.predecessor], successor: operations[edge.successor])
                    return path.contains(edge: original) ? 1 : 0
                }))
    }

    /// A vertex for each kind. There is an edge if an operation of one kind depends on, or was added by, one
    /// of another kind.
    private func byKind(_ edges: [(from: Int32, to: Int32)]) -> JSONObject {
        let columns = analysis.trace.operations.store.columns
        var shown = [Int32](repeating: -1, count: columns.kindTexts.count)
        for (position, kind) in kinds.prefix(Self.mostKinds).enumerated() {
            shown[kind] = Int32(truncatingIfNeeded: position)
        }
        var counts: [Int64: Int64] = [:]
        for edge in edges {
            let from = shown[Int(columns.kinds[selection.operations[Int(edge.from)]])]
            let to = shown[Int(columns.kinds[selection.operations[Int(edge.to)]])]
            if from >= 0, to >= 0 { counts[Int64(from) << 32 | Int64(to), default: 0] += 1 }
        }
        let pairs = counts.keys.sorted()
        let layers = GraphLayers(
            count: min(kinds.count, Self.mostKinds),
            edges: pairs.map { (Int32(truncatingIfNeeded: $0 >> 32), Int32(truncatingIfNeeded: $0)) })
        var object = JSONObject()
        object.add("column", layers.columns)
        object.add("place", layers.places)
        object.add("from", pairs.map { $0 >> 32 })
        object.add("to", pairs.map { $0 & 0xFFFF_FFFF })
        object.add("count", pairs.map { counts[$0] ?? 0 })
        return object
    }
}
