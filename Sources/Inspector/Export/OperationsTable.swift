import InspectorColumns

/// A row for each operation of a trace, including those that were never enqueued.
struct OperationsTable {
    private static let allColumns =
        TableWriter.runColumns + TableWriter.programColumns + [
            "operation", "kind", "name", "queue", "queue_id", "parent", "thread", "priority", "outcome",
            "message", "is_critical", "is_mended", "enqueued_ns", "ready_ns", "start_ns",
            "start_not_before_ns", "finish_ns", "finish_not_before_ns", "enqueued_utc_ns", "start_utc_ns",
            "finish_utc_ns", "dependency_wait_ns", "suspended_wait_ns", "slot_wait_ns", "dispatch_wait_ns",
            "execution_ns", "unknown_ns", "lifetime_ns", "slack_ns",
        ]
    private static let partColumns =
        ExecutionParts.Part.allCases.map { "\($0.row.column)_ns" } + ["is_estimated"]

    private let exported: ExportedTrace
    private let slack: [Int64?]
    private let processes: [LogProcess]
    /// Whether there are columns for the parts of executions.
    private let hasParts: Bool

    var columns: [String] { Self.allColumns + (hasParts ? Self.partColumns : []) }

    init(_ exported: ExportedTrace, hasParts: Bool) {
        self.exported = exported
        self.hasParts = hasParts
        processes = exported.trace.processes
        slack = Slack.recorded(exported.analysis)
    }

    func write(_ writer: consuming TableWriter, _ emit: ([UInt8]) -> Void) {
        let lifelines = exported.analysis.timings.lifelines
        let allWaits = exported.analysis.waits
        let criticalPath = exported.analysis.criticalPath
        for operation in exported.trace.operations {
            writer.addRun(exported)
            writer.addProgram(exported, processes[operation.process])
            addWho(operation, &writer)
            let line = lifelines[operation.index]
            writer.add(criticalPath.contains(operation: operation.index))
            writer.add(line.map { exported.isMended(operation.index, $0) } ?? false)
            addTimes(line, &writer)
            let waits = allWaits[operation.index]
            for part in LifetimeParts.Part.allCases { writer.add(waits?[part]) }
            writer.add(waits?.total)
            writer.add(slack[operation.index])
            if hasParts { addParts(exported.processorUse?.parts(of: operation.index), &writer) }
            writer.endRow(emit)
        }
        emit(writer.bytes)
    }

    private func addWho(_ operation: TracedOperation, _ writer: inout TableWriter) {
        let trace = exported.trace
        writer.add(operation.id.description)
        writer.add(operation.kind)
        writer.add(operation.name)
        let queue = exported.queue(of: operation.index)
        writer.add(queue?.name)
        writer.add(queue?.id.description)
        let parent = operation.parent.flatMap { trace.operations.indices.contains($0) ? $0 : nil }
        writer.add(parent.map { trace.operations[$0].id.description })
        writer.add(operation.thread)
        writer.add(operation.priority)
        writer.add(OperationEnding(trace.operations.store.columns, operation.index).word)
        if case .failed(let message) = operation.outcome {
            writer.add(message)
        } else {
            writer.add(String?.none)
        }
    }

    private func addParts(_ parts: ExecutionParts?, _ writer: inout TableWriter) {
        for part in ExecutionParts.Part.allCases { writer.add(parts?[part]) }
        writer.add(parts.map { !$0.isExact } ?? false)
    }

    private func addTimes(_ line: Lifeline?, _ writer: inout TableWriter) {
        let finished = line.flatMap { $0.isFinished ? $0.finished : nil }
        writer.add(line?.enqueued)
        writer.add(line?.ready?.notAfter)
        writer.add(line?.executing?.notAfter)
        writer.add(line?.executing?.notBefore)
        writer.add(finished?.notAfter)
        writer.add(finished?.notBefore)
        writer.add((line?.enqueued).flatMap(exported.absolute))
        writer.add((line?.executing?.notAfter).flatMap(exported.absolute))
        writer.add((finished?.notAfter).flatMap(exported.absolute))
    }
}
