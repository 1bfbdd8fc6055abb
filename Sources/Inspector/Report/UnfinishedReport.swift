/// Says of a run in which something never finished, which operation that is and what it waits for.
struct UnfinishedReport {
    private static let longestName = 24

    private let analysis: TraceAnalysis
    private var trace: Trace { analysis.trace }

    init(_ analysis: TraceAnalysis) { self.analysis = analysis }

    /// One line, or `nil` when everything finished. Cost: linear in operations and edges.
    var line: String? {
        let unfinished = trace.operations.indices.filter {
            trace.operations[$0].enqueued != nil && trace.operations[$0].finished == nil
        }
        guard let first = unfinished.first else { return nil }
        var line = name(first) + reason(from: first)
        if unfinished.count > 1 { line += "; \(unfinished.count - 1) more never finished" }
        return line
    }

    /// Follows what the operation waits for to where it ends.
    private func reason(from first: Int) -> String {
        let blockers = blockers()
        var visited: Set<Int> = [first]
        var last = first
        while let next = blockers[last] {
            last = next
            if !visited.insert(next).inserted { break }
        }
        if blockers[last] != nil {
            return " waits in a circle of dependencies, together with \(name(last))"
        }
        if last == first { return " " + state(last) }
        if visited.count == 2 { return " waits for \(name(last)), which \(state(last))" }
        return " waits, \(visited.count - 1) dependencies deep, for \(name(last)), which \(state(last))"
    }

    /// For each operation that has not finished, one that it waits for and that has not finished either: a
    /// dependency when it is not ready, a child when it is executing.
    private func blockers() -> [Int: Int] {
        var blockers: [Int: Int] = [:]
        let operations = trace.operations
        for edge in trace.edges {
            guard operations.indices.contains(edge.predecessor), operations.indices.contains(edge.successor)
            else { continue }
            let successor = operations[edge.successor]
            if operations[edge.predecessor].finished == nil, successor.finished == nil,
                successor.ready == nil, successor.executing == nil
            {
                blockers[edge.successor] = min(blockers[edge.successor] ?? .max, edge.predecessor)
            }
        }
        for (child, operation) in operations.enumerated() {
            guard let parent = operation.parent, operations.indices.contains(parent), parent != child,
                operation.finished == nil, operation.enqueued != nil,
                operations[parent].finished == nil, operations[parent].executing != nil
            else { continue }
            blockers[parent] = min(blockers[parent] ?? .max, child)
        }
        return blockers
    }

    /// What an operation that has not finished was doing at the end of the trace.
    private func state(_ index: Int) -> String {
        let operation = trace.operations[index]
        if operation.enqueued == nil { return "was never added to a queue" }
        let waits = analysis.waits[index] ?? Waits()
        if operation.executing != nil {
            let duration = DurationFormat.text(nanoseconds: waits.execution)
            let thread = operation.thread.map { " on thread \($0)" } ?? ""
            return "is still executing, after \(duration)\(thread)"
        }
        guard operation.ready != nil else { return "was never ready, for a reason that is not in the trace" }
        guard let index = operation.queue, trace.queues.indices.contains(index) else {
            return "was ready and never started"
        }
        let queue = trace.queues[index]
        let queueName = TerminalText.shortened(queue.name, toColumns: Self.longestName)
        if queue.suspensions.contains(where: { $0.upperBound >= analysis.end }) {
            return "is ready, but its queue \(queueName) is suspended"
        }
        if waits.slot > 0, waits.dispatch == 0 {
            let limit = queue.limits.last.map { " (limit \($0.limit))" } ?? ""
            return "is ready, but every slot of its queue \(queueName) is taken\(limit)"
        }
        return "was ready and never started"
    }

    private func name(_ index: Int) -> String {
        TerminalText.shortened(trace.operations[index].displayName, toColumns: Self.longestName)
    }
}
