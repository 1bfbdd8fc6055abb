/// Which nodes of a graph can be reached from each other, and so are in circles together: R. Tarjan's
/// algorithm ("Depth-first search and linear graph algorithms", 1972).
package struct StrongComponents {
    /// The nodes of each component. What a component leads to comes before it.
    package private(set) var all: [[Int]] = []
    /// The component of each node, as an index into ``all``; -1 for nodes that were not reached.
    package private(set) var ofNode: [Int]
    private let successors: (Int) -> [Int]

    /// Linear in nodes and edges.
    ///
    /// - Parameters:
    ///   - count: of all nodes, which are numbered from 0.
    ///   - starts: the nodes to search from.
    package init(count: Int, from starts: some Sequence<Int>, _ successors: @escaping (Int) -> [Int]) {
        self.successors = successors
        ofNode = Array(repeating: -1, count: count)
        var order = Array(repeating: -1, count: count)
        var lowest = order
        var (reached, open): (Int, [Int]) = (0, [])
        // Not recursive: a chain may be longer than a thread's stack.
        var path: [(node: Int, others: [Int], next: Int)] = []
        func enter(_ node: Int) {
            (order[node], lowest[node]) = (reached, reached)
            reached += 1
            open.append(node)
            path.append((node, successors(node), 0))
        }
        for start in starts where order[start] < 0 {
            enter(start)
            while let (node, others, next) = path.last {
                if next < others.count {
                    path[path.count - 1].next += 1
                    let other = others[next]
                    if order[other] < 0 {
                        enter(other)
                    } else if ofNode[other] < 0 {
                        lowest[node] = min(lowest[node], order[other])
                    }
                    continue
                }
                path.removeLast()
                if let before = path.last?.node { lowest[before] = min(lowest[before], lowest[node]) }
                guard lowest[node] == order[node], let begin = open.lastIndex(of: node) else { continue }
                for member in open[begin...] { ofNode[member] = all.count }
                all.append(open[begin...].sorted())
                open.removeSubrange(begin...)
            }
        }
    }

    /// For each node of a component, the next one on a shortest way to one of them; for that one, the next
    /// one on a shortest circle. Linear in the component.
    package func ways(to goal: Int) -> [Int: Int] {
        var predecessors: [Int: [Int]] = [:]
        for node in all[ofNode[goal]] {
            for other in successors(node) where ofNode[other] == ofNode[goal] {
                predecessors[other, default: []].append(node)
            }
        }
        var next: [Int: Int] = [:]
        var border = [goal]
        var at = 0
        while at < border.count {
            for node in predecessors[border[at]] ?? [] where next[node] == nil {
                next[node] = border[at]
                if node != goal { border.append(node) }
            }
            at += 1
        }
        return next
    }

    /// A shortest circle that begins with a node; empty if it is in none. Linear in its component.
    package func circle(from start: Int) -> [Int] {
        let next = ways(to: start)
        guard var node = next[start] else { return [] }
        var circle = [start]
        while node != start, let following = next[node] {
            circle.append(node)
            node = following
        }
        return circle
    }
}
