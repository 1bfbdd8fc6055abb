/// The processes of one run, a row each, to choose one to look at.
package struct ProcessTable: Sendable {
    private var table = TextTable(
        title: "Processes with operations",
        columns: [
            .name("process"), .number("pid"), .number("operations", or: "ops"),
            .number("unfinished", or: "open"), .number("makespan"), .number("critical path", or: "critical"),
            .word("trace"),
        ])

    package init() {}

    /// - Parameter file: where the trace of `analysis` is.
    package mutating func add(_ analysis: TraceAnalysis, file: String) {
        let header = analysis.trace.header
        let (count, unfinished) = (analysis.kinds.operations, analysis.kinds.unfinished)
        table.rows.append([
            header.process, String(header.processID), Prose.grouped(count), Prose.grouped(unfinished),
            DurationFormat.text(nanoseconds: analysis.makespan),
            DurationFormat.text(nanoseconds: analysis.criticalPath.length), file,
        ])
    }

    /// Lines with a newline each, safe for a terminal, of at most `width` columns as far as names can be
    /// shortened.
    package func text(width: Int? = nil) -> String { table.text(width: width) }
}
