/// Where chains of waits end. Each operation waits for at most one other, so the chains form trees, some of
/// which end in a circle.
struct Roots {
    /// Each circle starts with its lowest operation.
    private(set) var circles: [[WaitHop]] = []
    /// For each operation, where its chain ends; for a circle, the lowest operation of the circle.
    private var roots: [Int]

    /// Linear.
    init(_ hops: [WaitHop?]) {
        roots = Array(repeating: -1, count: hops.count)
        var passedBy = Array(repeating: -1, count: hops.count)
        for start in hops.indices where roots[start] < 0 {
            var path: [Int] = []
            var current = start
            while roots[current] < 0, passedBy[current] != start {
                passedBy[current] = start
                path.append(current)
                guard let next = hops[current]?.next else { break }
                current = next
            }
            var root = roots[current] >= 0 ? roots[current] : current
            if roots[current] < 0, hops[current] != nil, let begin = path.firstIndex(of: current) {
                let circle = path[begin...].compactMap { hops[$0] }
                let lowest = circle.indices.min { circle[$0].operation < circle[$1].operation } ?? 0
                circles.append(Array(circle[lowest...] + circle[..<lowest]))
                root = circle[lowest].operation
            }
            for operation in path { roots[operation] = root }
        }
    }

    subscript(operation: Int) -> Int { roots[operation] }

    /// Where its chain ends; like the subscript, but after ``replace(_:by:)``.
    func end(of operation: Int) -> Int { replaced[roots[operation]] ?? roots[operation] }

    /// Breaks the circle: its chain now ends in `root`.
    mutating func replace(_ circle: [WaitHop], by root: Int) {
        replaced[circle[0].operation] = root
        circles.removeAll { $0[0].operation == circle[0].operation }
    }

    private var replaced: [Int: Int] = [:]

    /// The roots, where operations that the same queue holds up share a root.
    ///
    /// One operation stands for all those in a queue that have no known reason to wait and have not started:
    /// the first one that was cancelled, which may have the slot, or else the first one. For a suspended
    /// queue, the first one.
    func gathered(_ graph: WaitGraph, _ hops: [WaitHop?]) -> [Int] {
        let ends = roots.indices.map(end)
        var first: [Int: Int] = [:]
        let idle = graph.operations.indices.filter {
            graph.isOpen($0) && hops[$0] == nil && graph.operations[$0].queue >= 0
                && graph.operations[$0].state != .executing && !graph.operations[$0].isUnnotified
        }
        func isSuspended(_ operation: Int) -> Bool {
            graph.queues[graph.operations[operation].queue].isSuspended
        }
        func isLimbo(_ operation: Int) -> Bool {
            graph.operations[operation].isCancelled && !isSuspended(operation)
        }
        for operation in idle.filter(isLimbo) + idle where first[graph.operations[operation].queue] == nil {
            first[graph.operations[operation].queue] = operation
        }
        var moved = Array(graph.operations.indices)
        for operation in idle where !isLimbo(operation) {
            moved[operation] = first[graph.operations[operation].queue] ?? operation
        }
        return ends.map { moved[$0] }
    }
}
