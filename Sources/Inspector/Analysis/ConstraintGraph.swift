/// What has to come before what: two vertices for each operation, its start and its finish, and edges that say how
/// long after the one the other comes at the earliest.
///
/// In order of A. B. Kahn, "Topological sorting of large networks", 1962. Where the graph has a cycle, its lowest
/// vertex is taken first, and the edges that lead back to what was taken count for nothing.
struct ConstraintGraph {
    private let vertices: Int
    private var from: [Int32] = []
    private var to: [Int32] = []
    private var lags: [Int64] = []

    init(operations: Int) { vertices = operations * 2 }

    static func start(_ operation: Int) -> Int { operation * 2 }
    static func finish(_ operation: Int) -> Int { operation * 2 + 1 }

    mutating func connect(_ from: Int, _ to: Int, lag: Int64) {
        self.from.append(Int32(truncatingIfNeeded: from))
        self.to.append(Int32(truncatingIfNeeded: to))
        lags.append(max(0, lag))
    }

    /// Edges that lead backwards in `order` are to be ignored.
    struct Order {
        /// Those of vertex v are `outgoing[first[v]..<first[v + 1]]`.
        fileprivate let first: [Int32]
        fileprivate let outgoing: [Int32]
        fileprivate let order: [Int32]
        fileprivate let position: [Int32]
    }

    /// Cost: linear in vertices and edges.
    func order() -> Order {
        var first = [Int32](repeating: 0, count: vertices + 1)
        var waitingFor = [Int32](repeating: 0, count: vertices)
        for edge in from.indices {
            first[Int(from[edge]) + 1] += 1
            waitingFor[Int(to[edge])] += 1
        }
        for vertex in 0..<vertices { first[vertex + 1] += first[vertex] }
        var next = first
        var outgoing = [Int32](repeating: 0, count: from.count)
        for edge in from.indices {
            let vertex = Int(from[edge])
            outgoing[Int(next[vertex])] = Int32(truncatingIfNeeded: edge)
            next[vertex] += 1
        }
        var order: [Int32] = []
        order.reserveCapacity(vertices)
        var position = [Int32](repeating: -1, count: vertices)
        for vertex in 0..<vertices where waitingFor[vertex] == 0 {
            order.append(Int32(truncatingIfNeeded: vertex))
        }
        var taken = 0
        var lowest = 0
        while true {
            if taken == order.count {
                while lowest < vertices, position[lowest] >= 0 { lowest += 1 }
                if lowest == vertices { break }
                order.append(Int32(truncatingIfNeeded: lowest))
            }
            let vertex = Int(order[taken])
            position[vertex] = Int32(truncatingIfNeeded: taken)
            taken += 1
            for edge in outgoing[Int(first[vertex])..<Int(first[vertex + 1])] {
                let successor = Int(to[Int(edge)])
                if position[successor] >= 0 { continue }
                waitingFor[successor] -= 1
                if waitingFor[successor] == 0 { order.append(Int32(truncatingIfNeeded: successor)) }
            }
        }
        return Order(first: first, outgoing: outgoing, order: order, position: position)
    }

    /// The length of the longest path to each vertex, and of that from it. Linear.
    func longestPaths(_ order: Order) -> (to: [Int64], from: [Int64]) {
        var before = [Int64](repeating: 0, count: vertices)
        var after = before
        for vertex in order.order {
            forEachEdge(of: Int(vertex), order) { edge, successor in
                before[successor] = max(before[successor], before[Int(vertex)].saturatingAdd(lags[edge]))
            }
        }
        for vertex in order.order.reversed() {
            forEachEdge(of: Int(vertex), order) { edge, successor in
                after[Int(vertex)] = max(after[Int(vertex)], after[successor].saturatingAdd(lags[edge]))
            }
        }
        return (before, after)
    }

    /// How much later each vertex could come, given when each came and how much later it may at most. Linear.
    func slack(_ order: Order, times: [Int64], atMost limits: [Int64]) -> [Int64] {
        var slack = limits
        for vertex in order.order.reversed() {
            forEachEdge(of: Int(vertex), order) { edge, successor in
                let gap = max(0, times[successor] - times[Int(vertex)] - lags[edge])
                slack[Int(vertex)] = min(slack[Int(vertex)], gap.saturatingAdd(slack[successor]))
            }
        }
        return slack
    }

    private func forEachEdge(of vertex: Int, _ order: Order, _ body: (_ edge: Int, _ successor: Int) -> Void)
    {
        for edge in order.outgoing[Int(order.first[vertex])..<Int(order.first[vertex + 1])] {
            let successor = Int(to[Int(edge)])
            if order.position[successor] > order.position[vertex] { body(Int(edge), successor) }
        }
    }
}
