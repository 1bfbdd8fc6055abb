import InspectorColumns

/// One row: the run of a trace, and how complete the trace is.
struct RunsTable {
    static let columns =
        TableWriter.runColumns + TableWriter.programColumns + [
            "is_closed", "dropped_events", "losses", "last_alive_ns", "makespan_ns", "critical_path_ns",
            "critical_path_operations", "work_ns", "execution_ns", "operations", "edges", "succeeded",
            "failed", "cancelled",
            "unfinished", "mended", "trace_id", "processors", "usable_processors",
            "processor_quota", "later_processors", "tasks",
        ]

    let exported: ExportedTrace

    func write(_ writer: consuming TableWriter, _ emit: ([UInt8]) -> Void) {
        let analysis = exported.analysis
        let trace = exported.trace
        writer.addRun(exported)
        writer.addProgram(exported, trace.processes[0])
        writer.add(trace.header.isClosed)
        writer.add(trace.header.droppedEvents)
        writer.add(trace.losses.isEmpty ? nil : trace.losses.joined(separator: "; "))
        // 0 means unknown.
        writer.add(trace.header.lastAlive > 0 ? TraceMoment.bounded(trace.header.lastAlive) : nil)
        writer.add(exported.whole.makespan)
        writer.add(exported.whole.criticalPath.length)
        writer.add(exported.whole.criticalPath.operations.count)
        writer.add(exported.whole.work)
        writer.add(analysis.waits.reduce(Int64(0)) { $0.saturatingAdd($1?.execution ?? 0) })
        writer.add(trace.operations.count - exported.unobservedCount)
        writer.add(trace.edges.count { exported.has($0) })
        for count in [\GroupTiming.succeeded, \.failed, \.cancelled, \.unfinished] {
            writer.add(analysis.kinds.reduce(0) { $0 + $1[keyPath: count] })
        }
        writer.add(exported.mendedCount)
        writer.add(String(decoding: OTLPIdentifiers(exported).trace, as: UTF8.self))
        writer.add(trace.header.processors?.online)
        writer.add(trace.header.processors?.usable)
        writer.add(trace.header.processors?.quotaInThousandths)
        writer.add(trace.header.processors?.usableLater)
        writer.add(trace.tasks.entries.count)
        writer.endRow(emit)
        emit(writer.bytes)
    }
}
