import InspectorColumns

/// A row for each operation of a trace, including those that were never enqueued.
struct OperationsTable {
    /// What only the whole analysis of a trace with its date can say.
    private static let otherColumns = [
        "is_critical", "is_mended", "started_not_before_ns", "finished_not_before_ns", "enqueued_utc_ns",
        "started_utc_ns", "finished_utc_ns", "slack_ns",
    ]

    private let exported: ExportedTrace
    private let slack: [Int64?]
    private let processes: [LogProcess]
    /// Whether there are columns for the parts of executions.
    private let hasParts: Bool

    var columns: [String] {
        TableWriter.runColumns + TableWriter.programColumns + OperationTableColumn.all.map(\.name)
            + Self.otherColumns + (hasParts ? ExecutionParts.tableColumns : [])
    }

    init(_ exported: ExportedTrace, hasParts: Bool) {
        self.exported = exported
        self.hasParts = hasParts
        processes = exported.trace.processes
        slack = Slack.recorded(exported.whole, DelayChains(exported.whole))
    }

    func write(_ writer: consuming TableWriter, _ emit: ([UInt8]) -> Void) {
        for operation in exported.trace.operations {
            writer.addRun(exported)
            writer.addProgram(exported, processes[operation.process])
            let row = OperationTableRow(exported.analysis.timings, operation.index)
            for column in OperationTableColumn.all {
                switch column.value(row) {
                case .text(let text): writer.add(text)
                case .number(let number): writer.add(number)
                }
            }
            addOthers(operation.index, row.line, &writer)
            if hasParts { addParts(exported.processorUse?.parts(of: operation.index), &writer) }
            writer.endRow(emit)
        }
        emit(writer.bytes)
    }

    private func addOthers(_ index: Int, _ line: OrderedTransitions?, _ writer: inout TableWriter) {
        let finished = line.flatMap { $0.isFinished ? $0.finished : nil }
        writer.add(exported.whole.criticalPath.contains(operation: index))
        writer.add(line.map { exported.isMended(index, $0) } ?? false)
        writer.add(line?.executing?.notBefore)
        writer.add(finished?.notBefore)
        writer.add((line?.enqueued).flatMap(exported.absolute))
        writer.add((line?.executing?.notAfter).flatMap(exported.absolute))
        writer.add((finished?.notAfter).flatMap(exported.absolute))
        writer.add(slack[index])
    }

    private func addParts(_ parts: ExecutionParts?, _ writer: inout TableWriter) {
        for part in ExecutionParts.Part.allCases { writer.add(parts?[part]) }
        writer.add(parts.map { !$0.isExact } ?? false)
    }
}
