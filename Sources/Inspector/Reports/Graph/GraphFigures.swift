import InspectorColumns

/// The figures of each node of a graph.
struct GraphFigures {
    private(set) var nodes: [DrawnGraph.Node]

    /// Linear in operations.
    init(_ analysis: TraceAnalysis, _ folding: GraphFolding) {
        let columns = analysis.trace.operations.store.columns
        let none = Array(repeating: 0, count: OperationEnding.allCases.count)
        nodes = folding.contents.indices.map {
            DrawnGraph.Node(content: folding.contents[$0], count: folding.counts[$0], endings: none)
        }
        let places = Dictionary(
            uniqueKeysWithValues: OperationEnding.allCases.enumerated().map { ($1, $0) })
        let succeeded = places[.succeeded] ?? 0
        // Marks a value that is not known yet, and values that differ.
        let (unset, mixed) = (Int32(-2), Int32(-3))
        var queues = [Int32](repeating: unset, count: nodes.count)
        var endings = [Int](repeating: 0, count: nodes.count * none.count)
        for (index, node) in folding.nodes.enumerated() where node >= 0 {
            let node = Int(node)
            let ending = OperationEnding(columns, index)
            endings[node * none.count + (ending == .succeeded ? succeeded : places[ending] ?? 0)] += 1
            if queues[node] != columns.queues[index] {
                queues[node] = queues[node] == unset ? columns.queues[index] : mixed
            }
        }
        for node in nodes.indices {
            nodes[node].endings = Array(endings[node * none.count..<(node + 1) * none.count])
            // A group is drawn where its outermost operation is, whatever the queues of the others are.
            var queue = Int(queues[node])
            if case .group(let outermost) = nodes[node].content { queue = Int(columns.queues[outermost]) }
            nodes[node].queue = analysis.trace.queues.indices.contains(queue) ? queue : nil
        }
        for index in analysis.criticalPath.operations where folding.nodes[index] >= 0 {
            nodes[Int(folding.nodes[index])].critical += 1
        }
        addWaits(analysis, folding)
        addTasks(analysis.trace, folding)
    }

    private mutating func addTasks(_ trace: Trace, _ folding: GraphFolding) {
        guard let first = trace.tasks.asOperations?.first else { return }
        let lifetimes = TaskLifetimes(trace.tasks)
        for task in trace.tasks.entries.indices where folding.nodes[first + task] >= 0 {
            let node = Int(folding.nodes[first + task])
            nodes[node].tasks += 1
            nodes[node].taskParts += lifetimes.parts(of: task)
        }
    }

    private mutating func addWaits(_ analysis: TraceAnalysis, _ folding: GraphFolding) {
        if !folding.counts.contains(where: { $0 > 1 }) {
            for (index, node) in folding.nodes.enumerated() where node >= 0 {
                let isTask = analysis.trace.task(index) != nil
                nodes[Int(node)].waits = (isTask ? nil : analysis.waits[index]) ?? LifetimeParts()
            }
            return
        }
        let samples = GroupSamples(analysis.timings, groups: nodes.count) { index in
            analysis.trace.task(index) == nil ? Int(folding.nodes[index]) : -1
        }
        for node in nodes.indices {
            let execution = samples.distribution(.execution, of: node)
            nodes[node].waits = LifetimeParts { samples.distribution($0, of: node).total }
            if case .operation = nodes[node].content { continue }
            nodes[node].execution = execution
        }
    }

    /// Linear in operations.
    mutating func addParts(_ use: ProcessorUse, _ folding: GraphFolding) {
        for (index, node) in folding.nodes.enumerated() where node >= 0 {
            guard let parts = use.parts(of: index) else { continue }
            nodes[Int(node)].parts = (nodes[Int(node)].parts ?? ExecutionParts()) + parts
        }
    }

    /// Sets the slack of each node to the minimum of its operations.
    mutating func addSlack(_ analysis: TraceAnalysis, _ folding: GraphFolding) {
        for (index, slack) in Slack.throughDependencies(analysis).enumerated() {
            guard let slack, folding.nodes[index] >= 0 else { continue }
            let node = Int(folding.nodes[index])
            nodes[node].slack = min(nodes[node].slack ?? .max, slack)
        }
    }
}
