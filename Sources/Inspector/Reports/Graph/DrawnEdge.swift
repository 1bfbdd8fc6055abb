import InspectorColumns

extension DrawnGraph {
    /// An arrow: one edge of the trace, or all edges between the same two nodes.
    struct Edge: Sendable {
        enum Relation: String, CaseIterable, Sendable {
            /// The successor waits for the predecessor.
            case dependency
            /// The predecessor added the successor.
            case spawn
            /// When the log ended, the successor was still waiting for the predecessor: with its thread
            /// blocked, for an exclusion key, or for a slot that the predecessor has.
            case wait, key, slot
            /// The same where one of both is a task: it awaits the predecessor, needs an executor or the only
            /// thread of its queue, which the predecessor has, or created the predecessor and may wait for
            /// it.
            case task, executor, thread, created
            /// A task of the successor awaited one of the predecessor, unless that is its child.
            case awaited
            /// The predecessor resumed a continuation of the successor.
            case resumed
            /// The successor waited noticeably for an actor that the predecessor had.
            case actorHeld
            /// The successor, an operation, finished in a run of the predecessor.
            case finisher

            /// Those of ``UnfinishedWaits``. All others are edges of the trace.
            static let unfinished: [Relation] = [.wait, .key, .slot, .task, .executor, .thread, .created]

            var isUnfinished: Bool { Self.unfinished.contains(self) }

            /// Those of tasks.
            static let wakes: [Relation] = [.awaited, .resumed, .actorHeld, .finisher]

            var isWake: Bool { Self.wakes.contains(self) }
        }

        /// Indices into the graph's nodes; the same for edges within a node.
        let from: Int
        let to: Int
        let relation: Relation
        /// How many edges of the trace it represents.
        var count = 1
        /// How many of them are on the critical path.
        var critical = 0
        /// How many of them come from the successor's dependency that finished last.
        var last = 0
        /// Whether one operation caused the other in another process. For nodes with several operations,
        /// whether some did.
        var isAcrossProcesses = false
        /// Whether it, or one of them, is a dependency in a deadlock.
        var isInCircle = false
        /// When a task was woken; the first time, if it was several times.
        var moment: Int64?
    }
}

/// The arrows of a graph, one for each pair of nodes.
struct DrawnEdges {
    private(set) var edges: [DrawnGraph.Edge] = []
    /// Dependencies of the trace with at least one operation that is not drawn.
    private(set) var omitted = 0
    /// Waits between drawn operations that have no arrow of their own.
    private(set) var omittedWaits = 0

    /// Linear in edges and operations; if nodes stand for several operations, also quadratic in nodes.
    init(_ analysis: TraceAnalysis, _ folding: GraphFolding, _ waits: UnfinishedWaits) {
        let isFolded = folding.counts.contains { $0 > 1 }
        if isFolded { fold(analysis, folding, waits) } else { copy(analysis, folding, waits) }
        addWakes(analysis, folding, waits)
    }

    /// Arrows to tasks from what woke them, and to operations from the tasks that finished them.
    private mutating func addWakes(
        _ analysis: TraceAnalysis, _ folding: GraphFolding, _ open: UnfinishedWaits
    ) {
        let trace = analysis.trace
        guard let waits = TaskWaits(trace, analysis.timings.transitions) else { return }
        let parents = trace.operations.store.columns.parents
        let noticeable = analysis.makespan / Self.leastWait
        let next = Self.nextOnPath(analysis)
        var places: [WakeEnds: Int] = [:]
        // What a task in a circle still awaits has an arrow already.
        let awaited = Set(
            open.waits.lazy.filter { $0.relation == .task }
                .map { WakeEnds(from: $0.blocker, to: $0.waiting, relation: .awaited) })
        func add(_ from: Int, _ to: Int, _ relation: DrawnGraph.Edge.Relation, at moment: Int64?) {
            let ends = Self.ends(from, to, folding)
            guard ends.0 >= 0, ends.1 >= 0, ends.0 != ends.1,
                !awaited.contains(WakeEnds(from: from, to: to, relation: relation))
            else { return }
            let wake = WakeEnds(from: ends.0, to: ends.1, relation: relation)
            let place = places[wake] ?? edges.count
            if place == edges.count {
                places[wake] = place
                edges.append(
                    DrawnGraph.Edge(
                        from: ends.0, to: ends.1, relation: relation, count: 0, moment: moment))
            }
            edges[place].count += 1
            if Int(next[from]) == to { edges[place].critical = 1 }
        }
        for task in waits.tasks.entries.indices {
            let operation = waits.operation(of: task)
            waits.forEach(of: task) { wait in
                switch wait.reason {
                case .resumed: add(wait.operation, operation, .resumed, at: wait.moment)
                case .awaited where Int(parents[wait.operation]) != operation:
                    add(wait.operation, operation, .awaited, at: wait.moment)
                case .actorHeld where wait.moment - wait.start >= noticeable:
                    add(wait.operation, operation, .actorHeld, at: wait.moment)
                default: break
                }
            }
        }
        for (operation, task) in waits.tasks.finishers.sorted(by: { $0.key < $1.key })
        where Int(parents[waits.operation(of: Int(task))]) != Int(operation) {
            add(
                waits.operation(of: Int(task)), Int(operation), .finisher,
                at: analysis.timings.transitions.end(of: Int(operation)))
        }
    }

    private struct WakeEnds: Hashable {
        let from: Int
        let to: Int
        let relation: DrawnGraph.Edge.Relation
    }

    /// A wait for an actor has an arrow from this part of the run on.
    private static let leastWait: Int64 = 100

    private mutating func copy(
        _ analysis: TraceAnalysis, _ folding: GraphFolding, _ waits: UnfinishedWaits
    ) {
        let trace = analysis.trace
        let last = LastDependencies(trace)
        for edge in trace.edges {
            let (from, to) = Self.ends(edge, folding)
            guard from >= 0, to >= 0 else {
                omitted += 1
                continue
            }
            edges.append(
                DrawnGraph.Edge(
                    from: from, to: to, relation: .dependency,
                    critical: analysis.criticalPath.contains(edge: edge) ? 1 : 0,
                    last: last.has(edge) ? 1 : 0,
                    isAcrossProcesses: trace.isAcrossProcesses(edge.predecessor, edge.successor),
                    isInCircle: waits.isInCircle(edge)))
        }
        let parents = trace.operations.store.columns.parents
        let next = Self.nextOnPath(analysis)
        // The other edges between parents and children follow from the drawn edges.
        let waiting = Self.waitingForSister(trace, folding)
        for (index, parent) in parents.values.enumerated() {
            let (from, to) = Self.ends(Int(parent), index, folding)
            guard from >= 0, to >= 0, from != to, !waiting[index] else { continue }
            edges.append(
                DrawnGraph.Edge(
                    from: from, to: to, relation: .spawn,
                    critical: Int(next[Int(parent)]) == index ? 1 : 0,
                    isAcrossProcesses: trace.isAcrossProcesses(Int(parent), index)))
        }
        let drawn = waits.drawn { folding.nodes[$0] >= 0 }
        omittedWaits = drawn.omitted
        for wait in drawn.waits {
            let (from, to) = Self.ends(wait.blocker, wait.waiting, folding)
            edges.append(DrawnGraph.Edge(from: from, to: to, relation: wait.relation))
        }
    }

    private mutating func fold(
        _ analysis: TraceAnalysis, _ folding: GraphFolding, _ waits: UnfinishedWaits
    ) {
        let trace = analysis.trace
        let last = LastDependencies(trace)
        let size = folding.contents.count
        var table = [Cell](repeating: Cell(), count: size * size)
        for edge in trace.edges {
            let (from, to) = Self.ends(edge, folding)
            guard from >= 0, to >= 0 else {
                omitted += 1
                continue
            }
            let place = from * size + to
            table[place].count += 1
            if analysis.criticalPath.contains(edge: edge) { table[place].critical += 1 }
            if last.has(edge) { table[place].last += 1 }
            if waits.isInCircle(edge) { table[place].isInCircle = true }
            if trace.isAcrossProcesses(edge.predecessor, edge.successor) {
                table[place].isAcrossProcesses = true
            }
        }
        collect(&table, size, .dependency)
        let next = Self.nextOnPath(analysis)
        for (index, parent) in trace.operations.store.columns.parents.values.enumerated() {
            let (from, to) = Self.ends(Int(parent), index, folding)
            guard from >= 0, to >= 0, from != to else { continue }
            table[from * size + to].count += 1
            if Int(next[Int(parent)]) == index { table[from * size + to].critical += 1 }
            if trace.isAcrossProcesses(Int(parent), index) {
                table[from * size + to].isAcrossProcesses = true
            }
        }
        collect(&table, size, .spawn)
        for relation in DrawnGraph.Edge.Relation.unfinished {
            let some = waits.waits.filter { $0.relation == relation }
            if some.isEmpty { continue }
            for wait in some {
                let (from, to) = Self.ends(wait.blocker, wait.waiting, folding)
                if from >= 0, to >= 0 { table[from * size + to].count += 1 }
            }
            collect(&table, size, relation)
        }
    }

    /// All edges from one node to another.
    private struct Cell {
        var count: Int32 = 0
        var critical: Int32 = 0
        var last: Int32 = 0
        var isAcrossProcesses = false
        var isInCircle = false
    }

    /// Empties the table.
    private mutating func collect(
        _ table: inout [Cell], _ size: Int, _ relation: DrawnGraph.Edge.Relation
    ) {
        for place in table.indices where table[place].count > 0 {
            let entry = table[place]
            edges.append(
                DrawnGraph.Edge(
                    from: place / size, to: place % size, relation: relation, count: Int(entry.count),
                    critical: Int(entry.critical), last: Int(entry.last),
                    isAcrossProcesses: entry.isAcrossProcesses, isInCircle: entry.isInCircle))
            table[place] = Cell()
        }
    }

    private static func ends(_ edge: Trace.Edge, _ folding: GraphFolding) -> (Int, Int) {
        ends(edge.predecessor, edge.successor, folding)
    }

    /// Negative for an operation that is not drawn.
    private static func ends(_ from: Int, _ to: Int, _ folding: GraphFolding) -> (Int, Int) {
        let operations = folding.nodes.indices
        guard operations.contains(from), operations.contains(to) else { return (-1, -1) }
        return (Int(folding.nodes[from]), Int(folding.nodes[to]))
    }

    /// For each operation on the critical path, the next one.
    private static func nextOnPath(_ analysis: TraceAnalysis) -> [Int32] {
        var next = [Int32](repeating: -1, count: analysis.trace.operations.count)
        let path = analysis.criticalPath.operations
        for (first, second) in zip(path, path.dropFirst()) { next[first] = Int32(second) }
        return next
    }

    /// For each operation, whether it depends on another child of its parent.
    private static func waitingForSister(_ trace: Trace, _ folding: GraphFolding) -> [Bool] {
        let parents = trace.operations.store.columns.parents
        var isWaiting = [Bool](repeating: false, count: folding.nodes.count)
        for edge in trace.edges {
            let (from, to) = ends(edge, folding)
            guard from >= 0, to >= 0, parents[edge.successor] != OperationColumns.none,
                parents[edge.successor] == parents[edge.predecessor]
            else { continue }
            isWaiting[edge.successor] = true
        }
        return isWaiting
    }
}

/// For each operation, its dependency that finished last, as far as the trace shows; the first in the log if
/// there are several.
private struct LastDependencies {
    private var predecessors: [Int32]

    init(_ trace: Trace) {
        let finished = trace.operations.store.columns.finished
        predecessors = Array(repeating: -1, count: trace.operations.count)
        guard !trace.edges.isEmpty else { return }
        let times = trace.operations.indices.map { finished.has($0) ? finished.notAfter($0) : .max }
        for edge in trace.edges
        where times.indices.contains(edge.predecessor) && times.indices.contains(edge.successor) {
            let known = Int(predecessors[edge.successor])
            if known >= 0, times[known] >= times[edge.predecessor] { continue }
            predecessors[edge.successor] = Int32(edge.predecessor)
        }
    }

    func has(_ edge: Trace.Edge) -> Bool {
        predecessors.indices.contains(edge.successor) && Int(predecessors[edge.successor]) == edge.predecessor
    }
}
