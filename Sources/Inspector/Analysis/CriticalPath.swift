/// The longest chain of operations through a run: how long it would have taken with any number of slots.
///
/// It is the critical path of the critical-path method (J. E. Kelley and M. R. Walker, "Critical-Path
/// Planning and Scheduling", 1959), over the times that were seen, through dependencies and nesting only:
/// that an operation waited for a slot, for its queue or for a thread is not on it.
///
/// Each operation is two vertices, its start and its finish, with its execution between them. A dependency
/// leads from the predecessor's finish to the successor's start. A parent's start leads to the start of each
/// child, as long as it took the parent to enqueue it, and a child's finish to the finish of its parent; what
/// a parent itself executes is only what its children do not cover. Edges that the times of the trace
/// contradict (a successor that started first) take no part, and where edges form a cycle, one that closes it
/// is ignored. So the path is never longer than the makespan. An operation that never finished ends with the
/// trace.
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

    /// Whether the path leads through this operation. Constant time; false for an index that the trace does
    /// not have.
    public func contains(operation: Int) -> Bool {
        isMember.indices.contains(operation) && isMember[operation]
    }

    /// Cost: linear in operations and edges.
    ///
    /// - Parameter graph: that through dependencies.
    init(_ graph: ConstraintGraph, _ lifelines: Lifelines) {
        let (lengths, previous) = graph.longestPathsTo()
        var last: Int?
        for index in lifelines.indices where lifelines.has(index) {
            let finish = ConstraintGraph.finish(index)
            if last.map({ lengths[finish] > lengths[$0] }) ?? true { last = finish }
        }
        var operations: [Int] = []
        var isMember = Array(repeating: false, count: lifelines.count)
        var successors = [Int32](repeating: -1, count: lifelines.count)
        var vertices: [Int32] = []
        var vertex = last.map { Int32(truncatingIfNeeded: $0) } ?? -1
        while vertex >= 0 {
            vertices.append(vertex)
            let before = previous[Int(vertex)]
            // From a finish to a start: a dependency.
            if before >= 0, before % 2 == 1, vertex % 2 == 0 { successors[Int(before / 2)] = vertex / 2 }
            vertex = before
        }
        for vertex in vertices.reversed() where !isMember[Int(vertex / 2)] {
            isMember[Int(vertex / 2)] = true
            operations.append(Int(vertex / 2))
        }
        self.operations = operations
        length = last.map { lengths[$0] } ?? 0
        self.isMember = isMember
        self.successors = successors
    }
}
