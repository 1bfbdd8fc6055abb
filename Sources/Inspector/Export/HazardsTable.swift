/// A row for the findings of each rule for each kind in a trace, and one for each rule that the trace cannot
/// decide.
struct HazardsTable {
    static let columns =
        TableWriter.runColumns + TableWriter.programColumns + [
            "rule", "severity", "kind", "count", "cost_ns", "operation", "time_ns", "time_utc_ns", "summary",
            "change", "finding",
        ]

    let exported: ExportedTrace

    func write(_ writer: consuming TableWriter, _ emit: ([UInt8]) -> Void) {
        let report = HazardReport(exported.trace)
        let trace = report.trace
        let processes = trace.processes
        for group in report.groups {
            let first = group.findings.first
            let operation = first?.operations.first.map { trace.operations[$0] }
            let time = first?.evidence.first?.time.map(TraceMoment.bounded)
            writer.addRun(exported)
            writer.addProgram(exported, processes[operation?.process ?? 0])
            writer.add(group.rule)
            writer.add(group.severity.rawValue)
            writer.add(group.kind)
            writer.add(group.count)
            writer.add(group.cost)
            writer.add(operation?.id.description)
            writer.add(time)
            writer.add(time.flatMap(exported.absolute))
            writer.add(first?.summary)
            writer.add(first?.advice)
            writer.add(first?.number.map { "finding:\($0)" })
            writer.endRow(emit)
        }
        for undecided in report.undecided {
            writer.addRun(exported)
            writer.addProgram(exported, processes[0])
            writer.add(undecided.rule)
            writer.add("undecided")
            writer.add(String?.none)
            writer.add(0)
            for _ in 0..<4 { writer.add(Int?.none) }
            writer.add(undecided.reason)
            writer.add(String?.none)
            writer.add(String?.none)
            writer.endRow(emit)
        }
        emit(writer.bytes)
    }
}
