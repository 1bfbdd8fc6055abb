/// The longest path through a directed graph with weights, in topological order (A. B. Kahn, "Topological
/// sorting of large networks", 1962).
///
/// Where the graph has a cycle, its lowest vertex is taken as if nothing led to it from the vertices not yet
/// taken, so that one bad edge does not lose all that comes after it.
struct LongestPath {
    private let vertices: Int
    private var edges: [(from: Int, to: Int, weight: Int64)] = []

    init(vertices: Int) { self.vertices = vertices }

    mutating func connect(_ from: Int, _ to: Int, _ weight: Int64) { edges.append((from, to, weight)) }

    /// The path's vertices and its length. Of paths of equal length the one with the lower vertices, seen from
    /// its end. Empty when there are no ends. Linear in vertices and edges.
    func longestPath(endingIn ends: [Int]) -> (vertices: [Int], length: Int64) {
        let distance = distances()
        guard var vertex = ends.first else { return ([], 0) }
        for end in ends where distance[end].length > distance[vertex].length { vertex = end }
        let length = distance[vertex].length
        var path = [vertex]
        while let previous = distance[vertex].previous {
            path.append(previous)
            vertex = previous
        }
        return (path.reversed(), length)
    }

    private func distances() -> [(length: Int64, previous: Int?)] {
        // Edges grouped by where they start: those of vertex v are outgoing[first[v]..<first[v + 1]].
        var first = Array(repeating: 0, count: vertices + 1)
        var waitingFor = Array(repeating: 0, count: vertices)
        for edge in edges {
            first[edge.from + 1] += 1
            waitingFor[edge.to] += 1
        }
        for vertex in 0..<vertices { first[vertex + 1] += first[vertex] }
        var next = first
        var outgoing = Array(repeating: 0, count: edges.count)
        for (index, edge) in edges.enumerated() {
            outgoing[next[edge.from]] = index
            next[edge.from] += 1
        }

        var best: [(length: Int64, previous: Int?)] = Array(repeating: (0, nil), count: vertices)
        var isTaken = Array(repeating: false, count: vertices)
        var order = (0..<vertices).filter { waitingFor[$0] == 0 }
        order.reserveCapacity(vertices)
        var position = 0
        var lowest = 0
        while true {
            if position == order.count {
                while lowest < vertices, isTaken[lowest] { lowest += 1 }
                if lowest == vertices { break }
                order.append(lowest)
            }
            let vertex = order[position]
            position += 1
            isTaken[vertex] = true
            for index in outgoing[first[vertex]..<first[vertex + 1]] {
                let edge = edges[index]
                if isTaken[edge.to] { continue }
                let length = best[vertex].length.saturatingAdd(edge.weight)
                let known = best[edge.to]
                if length > known.length
                    || length == known.length && vertex < known.previous ?? .max
                {
                    best[edge.to] = (length, vertex)
                }
                waitingFor[edge.to] -= 1
                if waitingFor[edge.to] == 0 { order.append(edge.to) }
            }
        }
        return best
    }
}
