import InspectorColumns

/// What must come before what. Each operation has two vertices, its start and its finish. An edge is the
/// minimum time between two vertices.
///
/// Ordered as in A. B. Kahn, "Topological sorting of large networks", 1962. If the graph has a cycle, its
/// lowest vertex is taken as if the edges from remaining vertices did not exist. So one bad edge does not
/// lose everything after it; edges that lead back to taken vertices are left out.
///
/// Flat arrays of numbers: about 20 bytes a vertex and 12 an edge.
package struct ConstraintGraph {
    package struct Edge {
        let from: Int32
        let to: Int32
        /// Nanoseconds, never negative.
        let lag: Int64

        package init(_ from: Int, _ to: Int, lag: Int64) {
            self.from = Int32(truncatingIfNeeded: from)
            self.to = Int32(truncatingIfNeeded: to)
            self.lag = max(0, lag)
        }
    }

    package static func start(_ operation: Int) -> Int { operation * 2 }
    package static func finish(_ operation: Int) -> Int { operation * 2 + 1 }

    private let vertices: Int
    /// The edges from vertex v are `first[v]..<first[v + 1]`.
    private var first: [Int32]
    private var targets: [Int32]
    private var lags: [Int64]
    /// All vertices, each before the targets of its edges.
    private var order: [Int32] = []

    /// Cost: linear in operations and edges.
    package init(operations: Int, _ edges: [Edge]) {
        vertices = operations * 2
        var first = [Int32](repeating: 0, count: vertices + 1)
        for edge in edges { first[Int(edge.from) + 1] += 1 }
        for vertex in 0..<vertices { first[vertex + 1] += first[vertex] }
        var targets = [Int32](repeating: 0, count: edges.count)
        var lags = [Int64](repeating: 0, count: edges.count)
        var next = first
        for edge in edges {
            let position = Int(next[Int(edge.from)])
            next[Int(edge.from)] += 1
            targets[position] = edge.to
            lags[position] = edge.lag
        }
        self.first = first
        self.targets = targets
        self.lags = lags
        if sort() { leaveOutBackwardEdges() }
    }

    /// Returns whether there is a cycle.
    ///
    /// A vertex that becomes free is taken next, ahead of vertices that are already free. So vertices that
    /// are close in the log, and in memory, are close in the order.
    private mutating func sort() -> Bool {
        var waitingFor = [Int32](repeating: 0, count: vertices)
        for target in targets { waitingFor[Int(target)] += 1 }
        var order: [Int32] = []
        order.reserveCapacity(vertices)
        var free: [Int32] = []
        // A taken vertex must not be ordered again.
        let taken: Int32 = .min
        func take(_ vertex: Int) {
            waitingFor[vertex] = taken
            free.append(Int32(truncatingIfNeeded: vertex))
            while let vertex = free.popLast() {
                order.append(vertex)
                for edge in Int(first[Int(vertex)])..<Int(first[Int(vertex) + 1]) {
                    let target = Int(targets[edge])
                    if waitingFor[target] < 0 { continue }
                    waitingFor[target] -= 1
                    if waitingFor[target] > 0 { continue }
                    waitingFor[target] = taken
                    free.append(targets[edge])
                }
            }
        }
        for vertex in 0..<vertices where waitingFor[vertex] == 0 { take(vertex) }
        let hasCycle = order.count < vertices
        if hasCycle {
            for vertex in 0..<vertices where waitingFor[vertex] > 0 { take(vertex) }
        }
        self.order = order
        return hasCycle
    }

    private mutating func leaveOutBackwardEdges() {
        var position = [Int32](repeating: 0, count: vertices)
        for (place, vertex) in order.enumerated() { position[Int(vertex)] = Int32(truncatingIfNeeded: place) }
        var kept = 0
        var begin = 0
        for vertex in 0..<vertices {
            let end = Int(first[vertex + 1])
            for edge in begin..<end where position[Int(targets[edge])] > position[vertex] {
                targets[kept] = targets[edge]
                lags[kept] = lags[edge]
                kept += 1
            }
            first[vertex + 1] = Int32(truncatingIfNeeded: kept)
            begin = end
        }
        targets.removeSubrange(kept...)
        lags.removeSubrange(kept...)
    }

    /// The length of the longest path to each vertex, and the vertex before it on that path, or -1 at its
    /// beginning. Among paths of equal length, the one with the lower vertices, seen from its end. Linear.
    func longestPathsTo() -> (lengths: [Int64], previous: [Int32]) {
        var lengths = [Int64](repeating: 0, count: vertices)
        var previous = [Int32](repeating: -1, count: vertices)
        for vertex in order {
            let before = lengths[Int(vertex)]
            for edge in Int(first[Int(vertex)])..<Int(first[Int(vertex) + 1]) {
                let target = Int(targets[edge])
                let length = before.saturatingAdd(lags[edge])
                if length > lengths[target]
                    || length == lengths[target] && (previous[target] < 0 || vertex < previous[target])
                {
                    lengths[target] = length
                    previous[target] = vertex
                }
            }
        }
        return (lengths, previous)
    }

    /// The length of the longest path to each vertex. Linear.
    package func longestLengthsTo() -> [Int64] {
        var lengths = [Int64](repeating: 0, count: vertices)
        for vertex in order {
            let before = lengths[Int(vertex)]
            for edge in Int(first[Int(vertex)])..<Int(first[Int(vertex) + 1]) {
                let target = Int(targets[edge])
                lengths[target] = max(lengths[target], before.saturatingAdd(lags[edge]))
            }
        }
        return lengths
    }

    /// The length of the longest path from each vertex. Linear.
    func longestPathsFrom() -> [Int64] {
        var lengths = [Int64](repeating: 0, count: vertices)
        for vertex in order.reversed() {
            var longest: Int64 = 0
            for edge in Int(first[Int(vertex)])..<Int(first[Int(vertex) + 1]) {
                longest = max(longest, lengths[Int(targets[edge])].saturatingAdd(lags[edge]))
            }
            lengths[Int(vertex)] = longest
        }
        return lengths
    }

    /// How much later each vertex could come, given its time and its own limit. Linear.
    func slack(times: [Int64], atMost limits: [Int64]) -> [Int64] {
        var slack = limits
        for vertex in order.reversed() {
            let time = times[Int(vertex)]
            var least = slack[Int(vertex)]
            for edge in Int(first[Int(vertex)])..<Int(first[Int(vertex) + 1]) {
                let target = Int(targets[edge])
                let gap = max(0, times[target].saturatingAdd(-time).saturatingAdd(-lags[edge]))
                least = min(least, gap.saturatingAdd(slack[target]))
            }
            slack[Int(vertex)] = least
        }
        return slack
    }
}
