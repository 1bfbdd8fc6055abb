import EventLog
import InspectorColumns

extension ChromeArguments {
    /// A JSON object with the properties of an operation.
    ///
    /// - Parameter isWhole: whether to include its times and edges.
    static func object(
        _ exported: ExportedTrace, _ index: Int, predecessors: some Sequence<Int>, process: Int64,
        isWhole: Bool
    ) -> JSONObject {
        let operation = exported.trace.operations[index]
        let ending = OperationEnding(exported.trace.operations.store.columns, index)
        var object = JSONObject()
        object.add(identifier, operation.id.description)
        object.add(kind, operation.kind)
        object.add("name", operation.name)
        let queue = exported.queue(of: index)
        object.add(queueName, queue.map(\.name))
        object.add(self.queue, queue?.id.description)
        object.add(outcome, ending.word)
        if case .failed(let text) = operation.outcome { object.add(message, text) }
        if exported.whole.criticalPath.contains(operation: index) { object.add("critical path", true) }
        object.add(self.process, String(process))
        object.add(thread, operation.thread.map(String.init))
        guard let line = exported.analysis.timings.transitions[index] else { return object }
        if exported.isMended(index, line) { object.add("times mended", true) }
        if let parts = exported.processorUse?.parts(of: index) {
            for part in ExecutionParts.Part.allCases where parts[part] > 0 {
                object.add("\(part.row.column)_ns", String(parts[part]))
            }
            if !parts.isExact { object.add("parts estimated", true) }
        }
        guard isWhole else { return object }
        if operation.priority != 0 { object.add(priority, String(operation.priority)) }
        if let parent = operation.parent, exported.analysis.timings.transitions.indices.contains(parent),
            exported.analysis.timings.transitions.has(parent)
        {
            object.add(self.parent, exported.trace.operations[parent].id.description)
        }
        let edges = predecessors.map { exported.trace.operations[$0].id.description }
        if !edges.isEmpty { object.add(self.predecessors, edges.joined(separator: " ")) }
        addTimes(of: operation, line, exported, to: &object)
        return object
    }

    private static func addTimes(
        of operation: TracedOperation, _ line: OrderedTransitions, _ exported: ExportedTrace,
        to object: inout JSONObject
    ) {
        func add(_ name: String, _ moment: TraceMoment?) {
            guard let moment else { return }
            object.add(name, String(TraceMoment.bounded(moment.notAfter)))
            if !moment.isExact { object.add(name + notBefore, String(TraceMoment.bounded(moment.notBefore))) }
        }
        add(enqueued, TraceMoment(line.enqueued))
        let moments = [
            line.ready, line.executing, operation.bodyBegan, operation.cancelled, operation.bodyEnded,
        ]
        for ((name, _), moment) in zip(transitions, moments) { add(name, moment) }
        add(finished, line.isFinished ? line.finished : TraceMoment(line.end))
        object.add(slotFree, exported.slotFree(of: operation.index, line).map(String.init))
    }
}
