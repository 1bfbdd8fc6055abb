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

    /// By operation, whether the path leads through it, and to which successor it leads from there.
    private let isMember: [Bool]
    private let successors: [Int32]

    /// The path leads from this predecessor straight to this successor.
    public func contains(edge: Trace.Edge) -> Bool {
        successors.indices.contains(edge.predecessor) && edge.successor >= 0
            && successors[edge.predecessor] == edge.successor
    }

    public func contains(operation: Int) -> Bool {
        isMember.indices.contains(operation) && isMember[operation]
    }

    /// Cost: linear in operations and edges.
    init(_ trace: Trace, _ lifelines: Lifelines, _ nesting: Nesting, ownExecution: [Int64]) {
        let graph = LongestPath(vertices: lifelines.count * 2) { connect in
            for index in lifelines.indices where lifelines.has(index) {
                connect(Self.start(index), Self.finish(index), ownExecution[index])
            }
            for edge in trace.edges {
                guard edge.predecessor != edge.successor,
                    lifelines.indices.contains(edge.predecessor), lifelines.indices.contains(edge.successor),
                    let predecessor = lifelines[edge.predecessor], let successor = lifelines[edge.successor],
                    predecessor.end <= successor.start
                else { continue }
                connect(Self.finish(edge.predecessor), Self.start(edge.successor), 0)
            }
            for index in lifelines.indices where !nesting.children[index].isEmpty {
                Self.connect(index, to: nesting.children[index], lifelines, connect)
            }
        }
        let ends = lifelines.indices.lazy.filter(lifelines.has).map(Self.finish)
        let (vertices, length) = graph.longestPath(endingIn: ends)
        var operations: [Int] = []
        var isMember = Array(repeating: false, count: lifelines.count)
        for vertex in vertices where !isMember[vertex / 2] {
            isMember[vertex / 2] = true
            operations.append(vertex / 2)
        }
        var successors = [Int32](repeating: -1, count: lifelines.count)
        for (from, to) in zip(vertices, vertices.dropFirst()) where from % 2 == 1 && to % 2 == 0 {
            successors[from / 2] = Int32(to / 2)
        }
        self.operations = operations
        self.length = length
        self.isMember = isMember
        self.successors = successors
    }

    /// A parent to its children.
    private static func connect(
        _ index: Int, to children: ArraySlice<Int32>, _ lifelines: Lifelines,
        _ connect: (Int, Int, Int64) -> Void
    ) {
        guard let parent = lifelines[index] else { return }
        var last: (child: Int32, end: Int64)?
        for child in children {
            guard let line = lifelines[Int(child)] else { continue }
            if line.start >= parent.start {
                connect(start(index), start(Int(child)), max(0, line.enqueued - parent.start))
            }
            if line.end <= parent.end, line.end > last?.end ?? .min { last = (child, line.end) }
        }
        for child in children {
            guard let line = lifelines[Int(child)], line.end <= parent.end else { continue }
            connect(finish(Int(child)), finish(index), child == last?.child ? parent.end - line.end : 0)
        }
    }

    private static func start(_ operation: Int) -> Int { operation * 2 }
    private static func finish(_ operation: Int) -> Int { operation * 2 + 1 }
}
