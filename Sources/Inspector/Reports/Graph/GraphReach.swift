import InspectorColumns

/// What can be reached from operations along edges, and along those between parents and children.
struct GraphReach {
    private let count: Int
    private let successors: Adjacency
    private let predecessors: Adjacency
    private let children: Adjacency
    private let parents: Column<Int32>
    /// The operations that each unfinished one waits for, and that wait for it.
    private var unfinished: [Int: [Int]] = [:]

    /// Linear in operations and edges.
    ///
    /// - Parameter waits: are followed by `neighbours` only, because they have not ended.
    init(_ trace: Trace, _ waits: UnfinishedWaits? = nil) {
        count = trace.operations.count
        successors = Adjacency(operations: count, successorsIn: trace.edges)
        predecessors = Adjacency(operations: count, predecessorsIn: trace.edges)
        parents = trace.operations.store.columns.parents
        children = Adjacency(owners: count, ownerOfOperation: parents.values.map { Int($0) })
        for wait in waits?.waits ?? [] {
            unfinished[wait.waiting, default: []].append(wait.blocker)
            unfinished[wait.blocker, default: []].append(wait.waiting)
        }
    }

    private func parent(of index: Int) -> Int? {
        let parent = Int(parents[index])
        return parent >= 0 && parent < count ? parent : nil
    }

    /// The seeds, and all operations at most `depth` edges away from them, in either direction. Linear.
    func neighbours(of seeds: [Int], depth: Int) -> [Bool] {
        var isReached = [Bool](repeating: false, count: count)
        for seed in seeds { isReached[seed] = true }
        var border = seeds
        var steps = 0
        while steps < depth, !border.isEmpty {
            var next: [Int] = []
            func reach(_ index: Int) {
                if isReached[index] { return }
                isReached[index] = true
                next.append(index)
            }
            for index in border {
                for other in successors[index] { reach(other) }
                for other in predecessors[index] { reach(other) }
                for other in children[index] { reach(other) }
                for other in unfinished[index] ?? [] { reach(other) }
                if let parent = parent(of: index) { reach(parent) }
            }
            border = next
            steps += 1
        }
        return isReached
    }

    /// All operations on a path from one of the first to one of the last, including these. Linear.
    ///
    /// As for the critical path, an operation has a start and a finish. A dependency leads from a finish to a
    /// start; a parent's start leads to those of its children, whose finishes lead to its own. So the
    /// operations between two siblings are not all of their siblings.
    func between(_ first: [Int], _ last: [Int]) -> [Bool] {
        let forth = reached(first.map { 2 * $0 }) { vertex, reach in
            let index = vertex / 2
            if vertex % 2 == 0 {
                reach(vertex + 1)
                for child in children[index] { reach(2 * child) }
            } else {
                for successor in successors[index] { reach(2 * successor) }
                if let parent = parent(of: index) { reach(2 * parent + 1) }
            }
        }
        let back = reached(last.map { 2 * $0 + 1 }) { vertex, reach in
            let index = vertex / 2
            if vertex % 2 == 1 {
                reach(vertex - 1)
                for child in children[index] { reach(2 * child + 1) }
            } else {
                for predecessor in predecessors[index] { reach(2 * predecessor + 1) }
                if let parent = parent(of: index) { reach(2 * parent) }
            }
        }
        return (0..<count).map { forth[2 * $0] && back[2 * $0] || forth[2 * $0 + 1] && back[2 * $0 + 1] }
    }

    private func reached(_ seeds: [Int], _ step: (_ vertex: Int, _ reach: (Int) -> Void) -> Void) -> [Bool] {
        var isReached = [Bool](repeating: false, count: 2 * count)
        var open = seeds
        for seed in seeds { isReached[seed] = true }
        while let vertex = open.popLast() {
            step(vertex) { other in
                if isReached[other] { return }
                isReached[other] = true
                open.append(other)
            }
        }
        return isReached
    }
}
