import InspectorColumns

/// A row for each dependency of a trace.
struct EdgesTable {
    static let columns =
        TableWriter.runColumns + [
            "predecessor", "successor", "is_critical", "predecessor_finished_ns", "successor_started_ns",
        ]

    let exported: ExportedTrace

    func write(_ writer: consuming TableWriter, _ emit: ([UInt8]) -> Void) {
        let columns = exported.trace.operations.store.columns
        let transitions = exported.analysis.timings.transitions
        let criticalPath = exported.whole.criticalPath
        for edge in exported.trace.edges where exported.has(edge) {
            writer.addRun(exported)
            writer.add(OperationID(columns.identifiers[edge.predecessor]).description)
            writer.add(OperationID(columns.identifiers[edge.successor]).description)
            writer.add(criticalPath.contains(edge: edge))
            writer.add(
                columns.finished.has(edge.predecessor) ? transitions.end(of: edge.predecessor) : nil)
            writer.add(columns.executing.has(edge.successor) ? transitions.start(of: edge.successor) : nil)
            writer.endRow(emit)
        }
        emit(writer.bytes)
    }
}
