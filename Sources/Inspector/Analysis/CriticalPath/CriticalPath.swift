/// The longest chain of operations through a run: how long the run would have taken with any number of slots.
///
/// It is the critical path of the critical-path method (J. E. Kelley and M. R. Walker, "Critical-Path
/// Planning and Scheduling", 1959), with the recorded times, and only through dependencies and nesting. Waits
/// for a slot, for a queue or for a thread are not on it.
///
/// Each operation is two vertices, its start and its finish, with its execution between them. A dependency
/// leads from the predecessor's finish to the successor's start. A parent's start leads to the start of each
/// child, after the time that the parent took to enqueue it; a child's finish leads to its parent's finish. A
/// parent's own execution is only the part that its children do not cover. Edges that contradict the times of
/// the trace (a successor that started first) are ignored; so is an edge that closes a cycle. So the path is
/// never longer than the makespan. An operation that never finished ends with the trace.
///
/// In a trace that has its Swift tasks as operations, each run of a task is two more vertices: a task is the
/// chain of its runs, and leads to what it created and woke (`RunConstraints`). Waits for executors and
/// actors are not on the path.
public struct CriticalPath: Sendable {
    /// Indices into the trace's operations, each once, in the order in which the path reaches them. Empty if
    /// nothing on the path took time.
    public let operations: [Int]
    /// Nanoseconds.
    public let length: Int64

    /// The runs of tasks on the path, as indices into the trace's runs.
    package let runs: Set<Int>
    /// For each operation, whether it is on the path, and its successor there.
    private let isMember: [Bool]
    private let successors: [Int32]

    /// Whether the path leads from this predecessor straight to this successor.
    public func contains(edge: Trace.Edge) -> Bool {
        successors.indices.contains(edge.predecessor) && edge.successor >= 0
            && successors[edge.predecessor] == edge.successor
    }

    /// Whether the operation is on the path. Constant time; false for an index outside of the trace.
    public func contains(operation: Int) -> Bool {
        isMember.indices.contains(operation) && isMember[operation]
    }

    /// A path without operations.
    init(ofNothingIn trace: Trace) {
        (operations, length, runs) = ([], 0, [])
        isMember = Array(repeating: false, count: trace.operations.count)
        successors = Array(repeating: -1, count: trace.operations.count)
    }

    /// Cost: linear in operations and edges.
    ///
    /// - Parameters:
    ///   - graph: the constraints through dependencies.
    ///   - owner: the operation that an operation or run of the graph belongs to.
    init(_ graph: ConstraintGraph, _ transitions: TraceTransitions, owner: (Int) -> Int) {
        let (lengths, previous) = graph.longestPathsTo()
        var last: Int?
        for index in transitions.indices where transitions.has(index) {
            let finish = ConstraintGraph.finish(index)
            if last.map({ lengths[finish] > lengths[$0] }) ?? true { last = finish }
        }
        var operations: [Int] = []
        var isMember = Array(repeating: false, count: transitions.count)
        var successors = [Int32](repeating: -1, count: transitions.count)
        var vertices: [Int32] = []
        length = last.map { lengths[$0] } ?? 0
        // A path that took no time means nothing: of operations that never ran, it is an arbitrary one.
        var vertex = length > 0 ? last.map { Int32(truncatingIfNeeded: $0) } ?? -1 : -1
        while vertex >= 0 {
            vertices.append(vertex)
            let before = previous[Int(vertex)]
            // From a finish to a start: a dependency.
            if before >= 0, before % 2 == 1, vertex % 2 == 0 {
                let (predecessor, successor) = (owner(Int(before / 2)), owner(Int(vertex / 2)))
                if predecessor != successor {
                    successors[predecessor] = Int32(truncatingIfNeeded: successor)
                }
            }
            vertex = before
        }
        for vertex in vertices.reversed() {
            let operation = owner(Int(vertex / 2))
            if isMember[operation] { continue }
            isMember[operation] = true
            operations.append(operation)
        }
        runs = Set(
            vertices.lazy.map { Int($0 / 2) - transitions.count }.filter { $0 >= 0 })
        self.operations = operations
        self.isMember = isMember
        self.successors = successors
    }
}
