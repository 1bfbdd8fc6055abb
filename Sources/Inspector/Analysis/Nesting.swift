/// Which operations were enqueued by which, and how much of a parent's execution was its own.
struct Nesting {
    /// For each operation, those that it enqueued, in the order of their enqueueing.
    let children: [[Int]]

    /// Cost: O(n log n). Parents that are not in the trace are ignored.
    init(_ trace: Trace, _ lifelines: [Lifeline?]) {
        var children: [[Int]] = Array(repeating: [], count: lifelines.count)
        for (index, operation) in trace.operations.enumerated() {
            guard let parent = operation.parent, parent != index, lifelines.indices.contains(parent),
                lifelines[parent] != nil, lifelines[index] != nil
            else { continue }
            children[parent].append(index)
        }
        self.children = children.map { siblings in
            siblings.sorted { (lifelines[$0]?.enqueued ?? 0, $0) < (lifelines[$1]?.enqueued ?? 0, $1) }
        }
    }

    /// For each operation, the nanoseconds of its execution in which none of its children was between enqueued
    /// and finished: what it did itself.
    func ownExecution(_ lifelines: [Lifeline?], _ waits: [Waits?]) -> [Int64] {
        lifelines.indices.map { index in
            guard let line = lifelines[index], let execution = waits[index]?.execution, execution > 0 else {
                return 0
            }
            var covered: Int64 = 0
            let end = line.start + execution
            var cursor = line.start
            for child in children[index] {
                guard let child = lifelines[child] else { continue }
                let from = max(child.enqueued, cursor)
                let to = min(child.end, end)
                if to > from {
                    covered += to - from
                    cursor = to
                }
            }
            return execution - covered
        }
    }
}
