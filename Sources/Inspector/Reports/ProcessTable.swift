/// The processes of one run, a row each, to choose one to look at.
package struct ProcessTable: Sendable {
    private let hasTasks: Bool
    private var table: TextTable

    /// - Parameter hasTasks: whether tasks were recorded, too; they then have columns of their own.
    package init(hasTasks: Bool = false) {
        self.hasTasks = hasTasks
        let tasks: [TextTable.Column] = [.number("tasks"), .number("unfinished", or: "open")]
        table = TextTable(
            title: hasTasks ? "Processes with operations or tasks" : "Processes with operations",
            columns: [
                .name("process"), .number("pid"), .number("operations", or: "ops"),
                .number("unfinished", or: "open"),
            ] + (hasTasks ? tasks : []) + [
                .number("makespan"), .number("critical path", or: "critical"), .word("trace"),
            ])
    }

    /// - Parameter file: where the trace of `analysis` is.
    package mutating func add(_ analysis: TraceAnalysis, file: String) {
        let header = analysis.trace.header
        let path = analysis.criticalPath
        let times =
            path.operations.isEmpty
            ? ["-", "-"] : [analysis.makespan, path.length].map { DurationFormat.text(nanoseconds: $0) }
        let (count, unfinished) = (analysis.kinds.operations, analysis.kinds.unfinished)
        let tasks = analysis.trace.tasks.entries
        let ofTasks = [Prose.grouped(tasks.count), Prose.grouped(tasks.count { $0.finished == nil })]
        table.rows.append(
            [header.process, String(header.processID), Prose.grouped(count), Prose.grouped(unfinished)]
                + (hasTasks ? ofTasks : [])
                + times + [file])
    }

    /// Lines with a newline each, safe for a terminal, of at most `width` columns as far as names can be
    /// shortened.
    package func text(width: Int? = nil) -> String { table.text(width: width) }
}
