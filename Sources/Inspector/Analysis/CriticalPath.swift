/// The longest chain of operations through a run: how long it would have taken with any number of slots.
///
/// It is the critical path of the critical-path method (J. E. Kelley and M. R. Walker, "Critical-Path Planning
/// and Scheduling", 1959), over the times that were seen, through dependencies and nesting only: that an
/// operation waited for a slot, for its queue or for a thread is not on it.
///
/// Each operation is two vertices, its start and its finish, with its execution between them. A dependency leads
/// from the predecessor's finish to the successor's start. A parent's start leads to the start of each child,
/// as long as it took the parent to enqueue it, and a child's finish to the finish of its parent; what a
/// parent itself executes is only what its children do not cover. Edges that the times of the trace contradict
/// (a successor that started first) take no part, and where edges form a cycle, one that closes it is
/// ignored. So the path is never longer than the makespan. An operation that never finished ends with the trace.
public struct CriticalPath: Sendable {
    /// Indices into the trace's operations, each once, in the order in which the path reaches them.
    public let operations: [Int]
    /// Nanoseconds.
    public let length: Int64

    private let edges: Set<Trace.Edge>
    private let members: Set<Int>

    /// The path leads from this predecessor straight to this successor.
    public func contains(edge: Trace.Edge) -> Bool { edges.contains(edge) }

    public func contains(operation: Int) -> Bool { members.contains(operation) }

    /// Cost: linear in operations and edges.
    init(_ trace: Trace, _ lifelines: [Lifeline?], _ nesting: Nesting, ownExecution: [Int64]) {
        var graph = LongestPath(vertices: lifelines.count * 2)
        for (index, line) in lifelines.enumerated() where line != nil {
            graph.connect(Self.start(index), Self.finish(index), ownExecution[index])
        }
        for edge in trace.edges {
            guard edge.predecessor != edge.successor,
                lifelines.indices.contains(edge.predecessor), lifelines.indices.contains(edge.successor),
                let predecessor = lifelines[edge.predecessor], let successor = lifelines[edge.successor],
                predecessor.end <= successor.start
            else { continue }
            graph.connect(Self.finish(edge.predecessor), Self.start(edge.successor), 0)
        }
        for (index, children) in nesting.children.enumerated() {
            guard let parent = lifelines[index] else { continue }
            var last: (child: Int, end: Int64)?
            for child in children {
                guard let line = lifelines[child] else { continue }
                if line.start >= parent.start {
                    graph.connect(
                        Self.start(index), Self.start(child), max(0, line.enqueued - parent.start))
                }
                if line.end <= parent.end, line.end > last?.end ?? .min { last = (child, line.end) }
            }
            for child in children {
                guard let line = lifelines[child], line.end <= parent.end else { continue }
                graph.connect(
                    Self.finish(child), Self.finish(index), child == last?.child ? parent.end - line.end : 0)
            }
        }

        let ends = lifelines.indices.filter { lifelines[$0] != nil }.map(Self.finish)
        let (vertices, length) = graph.longestPath(endingIn: ends)
        var operations: [Int] = []
        var members: Set<Int> = []
        for vertex in vertices where members.insert(vertex / 2).inserted { operations.append(vertex / 2) }
        var edges: Set<Trace.Edge> = []
        for (from, to) in zip(vertices, vertices.dropFirst()) where from % 2 == 1 && to % 2 == 0 {
            edges.insert(Trace.Edge(predecessor: from / 2, successor: to / 2))
        }
        self.operations = operations
        self.length = length
        self.edges = edges
        self.members = members
    }

    private static func start(_ operation: Int) -> Int { operation * 2 }
    private static func finish(_ operation: Int) -> Int { operation * 2 + 1 }
}
