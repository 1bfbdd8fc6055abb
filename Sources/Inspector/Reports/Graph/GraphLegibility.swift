/// Whether a graph would be legible in a layout by ranks. This is estimated before the layout, from its size
/// and from how often its edges cross.
///
/// The ranks are those of the longest paths. Nodes within a rank get Graphviz's initial order, by the mean
/// position of their neighbours (K. Sugiyama, S. Tagawa, M. Toda, "Methods for visual understanding of
/// hierarchical system structures", 1981).
struct GraphLegibility {
    /// Nodes with arrows. More take longer than a second to lay out.
    static let mostNodes = 250
    static let mostEdges = 500
    /// With this few nodes, the graph is always drawn: nothing coarser would show more.
    private static let fewNodes = 20
    /// The longer side in points: about four screens. Longer pictures are scaled down
    /// (``DOTTimeline/largest``).
    private static let longestSide = 7_200.0
    /// If edges cross more others than this on average, they cannot be followed.
    private static let mostCrossingsOfAnEdge = 4.0
    /// How often edges pass through ranks between their ends. With more, the picture shows only edges.
    private static let mostPassages = 5_000
    private static let sweeps = 6
    /// The space of a node including its margins, in points, along the arrows and across them.
    private static let node = (right: (along: 120.0, across: 50.0), down: (along: 75.0, across: 120.0))

    let isLegible: Bool

    /// Cost: O(n log n) in nodes and edges, up to the limits. Larger graphs are rejected without a check.
    init(nodes: Int, edges: [DrawnGraph.Edge], direction: GraphOptions.Direction) {
        let arrows = edges.filter { $0.from != $0.to }.map { (from: $0.from, to: $0.to) }
        // Nodes without arrows are arranged in a block (``GraphBlocks``), however many they are.
        let connected = Set(arrows.flatMap { [$0.from, $0.to] }).count
        guard nodes > Self.fewNodes, connected <= Self.mostNodes, arrows.count <= Self.mostEdges else {
            isLegible = nodes <= Self.fewNodes
            return
        }
        let ranks = Self.ranks(nodes, arrows)
        guard let drawing = RankedDrawing(ranks, arrows, mostPassages: Self.mostPassages) else {
            isLegible = false
            return
        }
        let size = direction == .right ? Self.node.right : Self.node.down
        let side = max(Double(drawing.ranks.count) * size.along, Double(drawing.widest) * size.across)
        let crossings = drawing.crossings(sweeps: Self.sweeps)
        isLegible =
            side <= Self.longestSide
            && Double(crossings) <= Self.mostCrossingsOfAnEdge * Double(arrows.count)
    }

    /// For each node, the length of the longest path to it, in arrows; -1 for a node without arrows. In a
    /// cycle, the first node counts as its beginning.
    private static func ranks(_ nodes: Int, _ arrows: [(from: Int, to: Int)]) -> [Int] {
        var missing = Array(repeating: 0, count: nodes)
        var isAlone = Array(repeating: true, count: nodes)
        var following = Array(repeating: [Int](), count: nodes)
        for (from, to) in arrows {
            missing[to] += 1
            following[from].append(to)
            (isAlone[from], isAlone[to]) = (false, false)
        }
        var ranks = isAlone.map { $0 ? -1 : 0 }
        var isDone = isAlone
        var done = missing.indices.filter { missing[$0] == 0 && !isAlone[$0] }
        var next = 0
        while true {
            while let node = done.popLast() {
                isDone[node] = true
                for follower in following[node] where !isDone[follower] {
                    ranks[follower] = max(ranks[follower], ranks[node] + 1)
                    missing[follower] -= 1
                    if missing[follower] == 0 { done.append(follower) }
                }
            }
            while next < nodes, isDone[next] { next += 1 }
            guard next < nodes else { return ranks }
            missing[next] = 0
            done.append(next)
        }
    }
}

/// Nodes in ranks, and the edges between neighbouring ranks. An edge over several ranks passes through a
/// place in each rank between.
private struct RankedDrawing {
    /// The members of each rank, in order.
    private(set) var ranks: [[Int]]
    /// For each member, its neighbours in the next rank and in the one before.
    private var after: [[Int]]
    private var before: [[Int]]
    private var places: [Int]
    /// The number of nodes in the fullest rank.
    let widest: Int

    /// Nil if edges pass through more ranks than `mostPassages`.
    init?(_ rankOfNode: [Int], _ arrows: [(from: Int, to: Int)], mostPassages: Int) {
        let count = (rankOfNode.max() ?? -1) + 1
        var ranks = Array(repeating: [Int](), count: count)
        for (node, rank) in rankOfNode.enumerated() where rank >= 0 { ranks[rank].append(node) }
        widest = ranks.map(\.count).max() ?? 0
        var after = Array(repeating: [Int](), count: rankOfNode.count)
        var before = after
        func connect(_ from: Int, _ to: Int) {
            after[from].append(to)
            before[to].append(from)
        }
        for (from, to) in arrows {
            // Only an edge of a cycle points against the ranks.
            let (first, last) = rankOfNode[from] <= rankOfNode[to] ? (from, to) : (to, from)
            guard rankOfNode[first] < rankOfNode[last] else { continue }
            var end = first
            for rank in rankOfNode[first] + 1..<rankOfNode[last] {
                let passage = after.count
                guard passage - rankOfNode.count < mostPassages else { return nil }
                after.append([])
                before.append([])
                ranks[rank].append(passage)
                connect(end, passage)
                end = passage
            }
            connect(end, last)
        }
        (self.ranks, self.after, self.before) = (ranks, after, before)
        places = Array(repeating: 0, count: after.count)
        for rank in ranks.indices { place(rank) }
    }

    private mutating func place(_ rank: Int) {
        for (place, member) in ranks[rank].enumerated() { places[member] = place }
    }

    /// The smallest number of crossings that was found.
    func crossings(sweeps: Int) -> Int {
        var drawing = self
        var fewest = drawing.crossings
        for sweep in 0..<sweeps where fewest > 0 {
            drawing.order(isForward: sweep.isMultiple(of: 2))
            fewest = min(fewest, drawing.crossings)
        }
        return fewest
    }

    /// Orders each rank by the mean position of its members' neighbours in the rank before, or after.
    private mutating func order(isForward: Bool) {
        let order = isForward ? Array(ranks.indices.dropFirst()) : ranks.indices.dropLast().reversed()
        for rank in order {
            let means = ranks[rank].map { member in
                let neighbours = isForward ? before[member] : after[member]
                return neighbours.isEmpty
                    ? Double(places[member])
                    : Double(neighbours.reduce(0) { $0 + places[$1] }) / Double(neighbours.count)
            }
            ranks[rank] = zip(means, ranks[rank]).enumerated()
                .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element.1)
            place(rank)
        }
    }

    /// Pairs of edges between the same ranks that end in another order than they start.
    private var crossings: Int {
        var crossings = 0
        for rank in ranks.dropLast() {
            // How many edges so far end at each place, in a Fenwick tree.
            let ends = rank.flatMap { member in after[member].map { places[$0] }.sorted() }
            var tree = Array(repeating: 0, count: (ends.max() ?? 0) + 2)
            for (passed, end) in ends.enumerated() {
                var (upTo, index) = (0, end + 1)
                while index > 0 {
                    upTo += tree[index]
                    index &= index - 1
                }
                crossings += passed - upTo
                index = end + 1
                while index < tree.count {
                    tree[index] += 1
                    index += index & -index
                }
            }
        }
        return crossings
    }
}
