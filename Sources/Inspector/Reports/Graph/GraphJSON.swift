import InspectorColumns

/// The executed graph as it is drawn, for programs: `Documentation/schemas/graph.schema.json` describes it.
public struct GraphJSON: Sendable {
    /// Raised when a member is removed or changes its meaning, not when one is added.
    static let version = 2

    private let graph: DrawnGraph

    /// Constant time: ``bytes`` does the work.
    public init(_ graph: DrawnGraph) { self.graph = graph }

    /// One object, with a line for each cluster, node and edge. Texts are as they are in the trace, times
    /// whole nanoseconds.
    public var bytes: [UInt8] {
        let analysis = graph.analysis
        var header = JSONObject()
        header.add("format", "opviz-graph")
        header.add("version", Self.version)
        header.add("process", analysis.trace.header.process)
        header.add("collapse", graph.collapse.rawValue)
        let tasks = analysis.trace.tasks.asOperations == nil ? 0 : analysis.trace.tasks.entries.count
        header.add("operations", analysis.trace.operations.count - tasks)
        header.add("tasks", tasks == 0 ? nil : tasks)
        header.add("edges", analysis.trace.edges.count)
        header.add("omittedOperations", graph.omitted.operations)
        header.add("omittedEdges", graph.omitted.edges)
        header.add("makespanNs", analysis.makespan)
        header.add("workNs", analysis.work)
        header.add("criticalPathNs", analysis.criticalPath.length)
        var bytes = Array(header.closed.dropLast())
        // Not `edges`, which is the number of edges in the trace.
        append("clusters", graph.clusters.indices.map(cluster), to: &bytes)
        append("nodes", graph.nodes.indices.map(node), to: &bytes)
        append("arrows", graph.edges.map(arrow), to: &bytes)
        bytes.append(contentsOf: "}\n".utf8)
        return bytes
    }

    private func append(_ name: String, _ objects: [JSONObject], to bytes: inout [UInt8]) {
        bytes.append(contentsOf: ",\n \"\(name)\": [".utf8)
        for (index, object) in objects.enumerated() {
            bytes.append(contentsOf: (index == 0 ? "\n  " : ",\n  ").utf8)
            bytes.append(contentsOf: object.closed)
        }
        bytes.append(contentsOf: "]".utf8)
    }

    private func cluster(_ index: Int) -> JSONObject {
        let cluster = graph.clusters[index]
        var object = JSONObject()
        object.add("id", Self.identifier(ofCluster: index))
        object.add("queue", cluster.queue.map { graph.trace.queues[$0].name })
        object.add("queueID", cluster.queue.map { graph.trace.queues[$0].id.description })
        object.add("group", cluster.group.map { graph.trace.operations[$0].id.description })
        if let process = cluster.process {
            let process = graph.trace.processes[process]
            object.add("process", process.process)
            object.add("pid", process.knownProcessID)
        }
        object.add("inside", cluster.outer.map(Self.identifier(ofCluster:)))
        return object
    }

    private func node(_ index: Int) -> JSONObject {
        let node = graph.nodes[index]
        var object = JSONObject()
        object.add("id", graph.identifier(of: index))
        switch node.content {
        case .operation(let operation):
            let operation = graph.trace.operations[operation]
            object.add("is", node.tasks > 0 ? "task" : "operation")
            object.add("operation", operation.id.description)
            object.add("name", operation.name)
            object.add("kind", operation.kind)
        case .kind(let kind):
            object.add("is", "kind")
            let columns = graph.trace.operations.store.columns
            object.add("name", graph.trace.operations.store.texts[columns.kindTexts[kind]])
        case .group(let operation):
            object.add("is", "group")
            object.add("operation", graph.trace.operations[operation].id.description)
            object.add("name", graph.trace.operations[operation].displayName)
        case .queue(let queue):
            object.add("is", "queue")
            object.add("name", graph.trace.queues[queue].name)
        case .noQueue: object.add("is", "noQueue")
        case .others(let nodes):
            object.add("is", "others")
            object.add("nodes", nodes)
        }
        object.add("cluster", node.cluster.map(Self.identifier(ofCluster:)))
        object.add("count", node.count)
        for ending in OperationEnding.allCases where node.count(ending) > 0 {
            object.add("\(ending)", node.count(ending))
        }
        object.add("critical", node.critical)
        object.add("focused", node.focused > 0 ? node.focused : nil)
        object.add("slackThroughDependenciesNs", node.slack)
        if node.tasks > 0 {
            object.add("tasks", node.tasks)
            object.add("taskParts", node.taskParts.json)
        }
        if node.tasks < node.count { node.waits.add(to: &object) }
        object.add("executionParts", node.parts?.json)
        if let execution = node.execution {
            var distribution = JSONObject()
            distribution.add("count", execution.count)
            for (name, nanoseconds) in execution.statistics { distribution.add(name + "Ns", nanoseconds) }
            object.add("execution", distribution)
        }
        if let lead = node.lead { object.add("firstUnfinished", firstUnfinished(lead)) }
        return object
    }

    private func firstUnfinished(_ lead: UnfinishedLead) -> JSONObject {
        let operations = graph.trace.operations
        var object = JSONObject()
        object.add("operation", operations[lead.operation].id.description)
        object.add("name", operations[lead.operation].name)
        object.add("waitsFor", lead.blocker.map { operations[$0].id.description })
        object.add("waiting", lead.waiting)
        return object
    }

    private func arrow(_ edge: DrawnGraph.Edge) -> JSONObject {
        var object = JSONObject()
        object.add("from", graph.identifier(of: edge.from))
        object.add("to", graph.identifier(of: edge.to))
        object.add("relation", edge.relation.rawValue)
        object.add("count", edge.count)
        object.add("critical", edge.critical)
        if edge.isAcrossProcesses { object.add("acrossProcesses", true) }
        if edge.relation == .dependency { object.add("last", edge.last) }
        return object
    }

    private static func identifier(ofCluster index: Int) -> String { "cluster\(index)" }
}
