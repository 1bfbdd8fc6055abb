/// The longest path through a directed graph with weights, in topological order (A. B. Kahn, "Topological
/// sorting of large networks", 1962).
///
/// Where the graph has a cycle, its lowest vertex is taken as if nothing led to it from the vertices not yet
/// taken, so that one bad edge does not lose all that comes after it.
///
/// Takes about 25 bytes a vertex and 12 an edge.
struct LongestPath {
    /// The longest way to a vertex, and the vertex before it there; -1 where it begins.
    private struct Way {
        var length: Int64 = 0
        var previous: Int32 = -1
    }

    private let vertices: Int
    /// The edges from vertex v are `first[v]..<first[v + 1]`.
    private var first: [Int32]
    private var targets: [Int32] = []
    private var weights: [Int64] = []

    /// - Parameter eachEdge: gives all edges, from, to and weight, to the function that it is given. It is called twice, and
    ///   has to give the same both times.
    init(vertices: Int, eachEdge: ((Int, Int, Int64) -> Void) -> Void) {
        self.vertices = vertices
        var first = [Int32](repeating: 0, count: vertices + 1)
        eachEdge { from, _, _ in first[from + 1] += 1 }
        for vertex in 0..<vertices { first[vertex + 1] += first[vertex] }
        var targets = [Int32](repeating: 0, count: Int(first[vertices]))
        var weights = [Int64](repeating: 0, count: Int(first[vertices]))
        var next = first
        eachEdge { from, to, weight in
            targets[Int(next[from])] = Int32(to)
            weights[Int(next[from])] = weight
            next[from] += 1
        }
        self.first = first
        self.targets = targets
        self.weights = weights
    }

    /// The path's vertices and its length. Of paths of equal length the one with the lower vertices, seen from
    /// its end. Empty when there are no ends. Linear in vertices and edges.
    func longestPath(endingIn ends: some Sequence<Int>) -> (vertices: [Int], length: Int64) {
        let ways = ways()
        var last: Int?
        for end in ends where last.map({ ways[end].length > ways[$0].length }) ?? true { last = end }
        guard let last else { return ([], 0) }
        var path = [last]
        var previous = ways[last].previous
        while previous >= 0 {
            path.append(Int(previous))
            previous = ways[Int(previous)].previous
        }
        return (path.reversed(), ways[last].length)
    }

    private func ways() -> [Way] {
        var waitingFor = [Int32](repeating: 0, count: vertices)
        for target in targets { waitingFor[Int(target)] += 1 }
        var best = Array(repeating: Way(), count: vertices)
        var isTaken = Array(repeating: false, count: vertices)
        var order: [Int32] = []
        order.reserveCapacity(vertices)
        for vertex in 0..<vertices where waitingFor[vertex] == 0 { order.append(Int32(vertex)) }
        var position = 0
        var lowest = 0
        while true {
            if position == order.count {
                while lowest < vertices, isTaken[lowest] { lowest += 1 }
                if lowest == vertices { break }
                order.append(Int32(lowest))
            }
            let vertex = order[position]
            position += 1
            isTaken[Int(vertex)] = true
            let way = best[Int(vertex)].length
            for edge in Int(first[Int(vertex)])..<Int(first[Int(vertex) + 1]) {
                let to = Int(targets[edge])
                if isTaken[to] { continue }
                let length = way.saturatingAdd(weights[edge])
                let known = best[to]
                if length > known.length
                    || length == known.length && (known.previous < 0 || vertex < known.previous)
                {
                    best[to] = Way(length: length, previous: vertex)
                }
                waitingFor[to] -= 1
                if waitingFor[to] == 0 { order.append(Int32(to)) }
            }
        }
        return best
    }
}
